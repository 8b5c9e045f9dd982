// The part that knows all tabs: a tab with a frame in a call, or that rings, is one call. It passes
// their states to the native host, which is the provider, and the host's orders to the frames.
"use strict";

const api = globalThis.browser ?? chrome;
const HOST = "org.callbroker.web_calls";
const SITES = ["element", "google-meet", "jitsi-meet", "teams"];
const FRAMES = 64;                              // of a tab; others are not followed
const RETRY_MS = [1000, 60000];                 // while the host cannot be started: first, longest
const IDLE_MS = 10000;                          // the host stays so long without a page to follow
const PARTICIPANTS = 1000, AT_ONCE = 32;        // of a call; in one message
const GONE_MS = 300;                            // a closed tab is gone by then, a crashed one is not
const tabs = new Map();
const sites = loadSites();

// ---- Sites

async function loadSites() {
  const found = new Map();
  for (const name of SITES) {
    const site = await (await fetch(api.runtime.getURL(`sites/${name}.json`))).json();
    for (const host of site.hosts) found.set(host, site);
  }
  return found;
}

// The host of the page as the browser gives it, `host` with a port or `hostname` without: the page
// has no part in it.
function hostOf(sender, member) {
  for (const address of [sender.origin, sender.url]) {
    try {
      const host = new URL(address)[member];
      if (host) return host;
    } catch {
      // "null", or none: the next one
    }
  }
  return "";
}

api.runtime.onMessage.addListener((message, sender, reply) => {
  if (message !== "site" || sender.frameId !== 0) return undefined;
  sites.then((found) => reply(found.get(hostOf(sender, "hostname")) ?? null));
  return true;
});

// ---- Tabs and their frames

api.runtime.onConnect.addListener((port) => {
  const {tab, frameId} = port.sender;
  if (!tab) return port.disconnect();
  if (!tabs.has(tab.id)) {
    tabs.set(tab.id, {
      id: tab.id, isPrivate: tab.incognito, frames: new Map(), call: "", hold: false,
      isResent: false, last: "", participants: [], listed: null});
  }
  const known = tabs.get(tab.id);
  if (known.frames.size >= FRAMES) return port.disconnect();
  const frame = {
    port, host: hostOf(port.sender, "host"), name: hostOf(port.sender, "hostname"), state: {},
    done: new Map(), saidBye: false};
  known.frames.get(frameId)?.port.disconnect();
  known.frames.set(frameId, frame);
  port.onMessage.addListener((message) => frameSaid(known, frame, message));
  port.onDisconnect.addListener(() => frameGone(known, frameId, frame));
  if (frameId !== 0) askTop(known);
  openHost();
});

// A frame's call is its page's: the user has allowed the page to use the microphone.
function askTop(tab) {
  if (!tab.frames.has(0)) {
    api.tabs.sendMessage(tab.id, "connect", {frameId: 0}).catch(() => undefined);
  }
}

function frameSaid(tab, frame, message) {
  if (message.bye) {
    frame.saidBye = true;
  } else if (message.done) {
    frame.done.get(message.done)?.(message.ok);
    frame.done.delete(message.done);
  } else if (message.participants) {
    tab.participants = message.participants.slice(0, PARTICIPANTS);
    publishParticipants(tab);
  } else {
    const wasLive = frame.state.live;
    frame.state = message;
    if (tab.hold && message.live && !wasLive) perform(frame, "hold");
    publish(tab, message.byUser ? "user" : "page");
  }
}

function frameGone(tab, frameId, frame) {
  if (tab.frames.get(frameId) !== frame) return;
  tab.frames.delete(frameId);
  if (frameId === 0) tab.participants = [];
  for (const done of frame.done.values()) done(false);
  const forget = (reason) => {
    if (tab.frames.size === 0 && tabs.get(tab.id) === tab) tabs.delete(tab.id);
    publish(tab, reason);
    if (tabs.size === 0) setTimeout(closeHost, IDLE_MS);
  };
  if (frame.saidBye) return forget("left");
  setTimeout(() => api.tabs.get(tab.id).then(() => forget("crashed"), () => forget("left")), GONE_MS);
}

function stateOf(tab) {
  const states = [...tab.frames.values()].map((frame) => frame.state);
  const live = states.filter((state) => state.live);
  const ringing = states.find((state) => state.ringing);
  return {
    tab: tab.id,
    call: tab.call,
    site: tab.isPrivate ? "" : topOf(tab)?.host ?? "",
    caller: tab.isPrivate ? "" : ringing?.caller ?? "",
    live: live.length > 0,
    ringing: ringing !== undefined,
    answers_video: ringing?.answersVideo === true,
    video: videoOf(live),
    held: live.length > 0 && live.every((state) => state.held),
    muted: live.length > 0 && live.every((state) => state.muted),
  };
}

function videoOf(states) {
  const sends = states.some((state) => state.sends), receives = states.some((state) => state.receives);
  if (sends && receives) return "both";
  return sends ? "send" : receives ? "receive" : "off";
}

function topOf(tab) {
  return tab.frames.get(0) ?? [...tab.frames.values()].find((frame) => frame.host !== "");
}

async function publish(tab, reason) {
  const state = stateOf(tab), isThere = state.live || state.ringing;
  if (isThere && tab.call === "") state.call = tab.call = crypto.randomUUID();
  if (!state.live) tab.hold = false;
  if (!isThere) [tab.call, tab.isResent, tab.listed] = ["", false, null];
  const text = JSON.stringify(state);
  if (text === tab.last) return;
  const isNews = isThere || tab.last !== "";
  tab.last = text;
  const name = topOf(tab)?.name;
  const label = tab.isPrivate ? "" : (await sites).get(name)?.label ?? "";
  if (isNews) native?.postMessage({...state, label, reason, resent: tab.isResent});
  if (isThere && !tab.isPrivate && !tab.listed) tab.listed = new Map();
  publishParticipants(tab);
}

// Sends what has changed in the list of a call, `listed`, which is null before the call is published.
function publishParticipants(tab) {
  if (!native || !tab.listed) return;
  const all = new Map(tab.participants.map((each) => [each.participant, JSON.stringify(each)]));
  const changed = tab.participants.filter(
    ({participant}) => tab.listed.get(participant) !== all.get(participant));
  const removed = [...tab.listed.keys()].filter((participant) => !all.has(participant));
  tab.listed = all;
  for (let at = 0; at < Math.max(changed.length, removed.length); at += AT_ONCE) {
    native.postMessage({
      tab: tab.id, participants: changed.slice(at, at + AT_ONCE), removed: removed.slice(at, at + AT_ONCE)});
  }
}

// ---- Orders

let orders = 0;

function perform(frame, order, details) {
  return new Promise((resolve) => {
    const id = ++orders;
    frame.done.set(id, resolve);
    frame.port.postMessage({...details, id, order});
  });
}

function framesFor(tab, order) {
  if (order === "participant") return tab.frames.has(0) ? [tab.frames.get(0)] : [];
  const wantsRing = ["answer", "answer_video", "decline"].includes(order);
  return [...tab.frames.values()].filter(({state}) => wantsRing ? state.ringing : state.live);
}

async function ordered({id, tab, order, ...details}) {
  const known = tabs.get(tab);
  if (order === "hold" || order === "resume") {
    if (known) known.hold = order === "hold";
  }
  const frames = known ? framesFor(known, order) : [];
  const done = await Promise.all(frames.map((frame) => perform(frame, order, details)));
  native?.postMessage({done: id, ok: done.length > 0 && done.every(Boolean)});
}

// ---- The native host, one process for a profile of the browser

let native = null, retryMs = RETRY_MS[0], isAnswering = false;

function browserName() {
  const brands = navigator.userAgentData?.brands ?? [];
  const own = brands.find(({brand}) => !/not.a.brand|^chromium$/i.test(brand.replace(/\W/g, ".")));
  if (own) return own.brand;
  return brands.length > 0 ? "Chromium" : "Firefox";
}

function openHost() {
  if (native) return;
  native = api.runtime.connectNative(HOST);
  isAnswering = false;
  native.onMessage.addListener((message) => {
    retryMs = RETRY_MS[0];
    isAnswering = true;
    if (message.order) ordered(message);
  });
  native.onDisconnect.addListener(hostGone);
  native.postMessage({browser: browserName()});
  for (const tab of tabs.values()) {
    [tab.last, tab.listed] = ["", null];
    tab.isResent = tab.call !== "";             // a former process may have reported it
    publish(tab, "page");
  }
}

// A host that was killed comes back and finds its calls as they are. If it does not, nobody could
// resume those that are held.
function hostGone(port) {
  const error = port.error ?? api.runtime.lastError;
  if (error) console.info(`the native host has ended: ${error.message}`);
  native = null;
  if (!isAnswering) releaseAll();
  if (tabs.size === 0) return;
  setTimeout(() => tabs.size > 0 && openHost(), retryMs);
  retryMs = Math.min(2 * retryMs, RETRY_MS[1]);
}

function releaseAll() {
  for (const tab of tabs.values()) {
    tab.hold = false;
    for (const frame of tab.frames.values()) if (frame.state.held) perform(frame, "resume");
  }
}

function closeHost() {
  if (tabs.size > 0 || !native) return;
  native.disconnect();
  native = null;
}
