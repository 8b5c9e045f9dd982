// The part in the extension's world of each frame: it passes the flags of page.js to the
// background, and orders back. It connects when the page first uses a microphone or a peer
// connection; other pages cost nothing.
//
// What the page reports is a number, and counts as a call only while the browser lets this frame
// see the names of microphones, which it does once the user has allowed one.
"use strict";

var callbrokerFrame = (() => {
  const api = globalThis.browser ?? chrome;
  const REPORT = "callbroker-report", ORDER = "callbroker-order";
  const TOUCHED = 1, LIVE = 2, MUTED = 4, HELD = 8, SENDS = 16, RECEIVES = 32, FLAGS = 63;
  const HOLD = 1, RESUME = 2, MUTE = 4, UNMUTE = 8, PRESS = 16, HANG_UP = 32, CLOSE = 64;
  const CAMERA_ON = 128, CAMERA_OFF = 256, PICTURE_ON = 512, PICTURE_OFF = 1024;
  const ALIVE = 0;
  const BETWEEN_POSTS_MS = 100, PRESSED_MS = 1500, CAPTION = 128;
  const CAMERA_MS = 5000;                       // until a page has switched its camera on

  let port = null, flags = 0, isAllowed = false, isPosting = false, lastPost = "";
  let ring = {ringing: false, caller: "", answersVideo: false};
  let participants = [], posted = participants;
  let site = null;                              // of known-site.js
  const waiting = new Set();                    // for other flags

  // ---- The page's reports

  async function mayUseMicrophone() {
    try {
      const devices = await navigator.mediaDevices.enumerateDevices();
      return devices.some((device) => device.kind === "audioinput" && device.label !== "");
    } catch {
      return false;
    }
  }

  async function reported(event) {
    if (typeof event.detail !== "number") return;
    order(ALIVE);
    const former = flags;
    flags = event.detail & FLAGS;
    recheck();
    if (flags & TOUCHED) connect();
    if (flags & LIVE && !(former & LIVE)) isAllowed = await mayUseMicrophone();
    postSoon();
  }

  function isLive() {
    return isAllowed && Boolean(flags & LIVE);
  }

  // ---- The background

  function connect() {
    if (port) return;
    try {
      port = api.runtime.connect({name: "frame"});
    } catch {
      return release();                         // the extension was removed or disabled
    }
    [lastPost, posted] = ["", []];
    port.onMessage.addListener(ordered);
    port.onDisconnect.addListener(() => {
      port = null;
      if (flags & LIVE || ring.ringing) setTimeout(connectAgain, BETWEEN_POSTS_MS);
    });
  }

  function connectAgain() {
    release();
    connect();
    postSoon();
  }

  // Without the extension nobody could resume the call any more.
  function release() {
    if (flags & HELD) order(RESUME);
  }

  // Not more often than the user could notice, whatever the page does.
  function postSoon() {
    if (isPosting) return;
    isPosting = true;
    post();
    setTimeout(() => {
      isPosting = false;
      post();
    }, BETWEEN_POSTS_MS);
  }

  function post() {
    if (!port) return;
    if (participants !== posted) port.postMessage({participants});
    posted = participants;
    const state = {
      live: isLive(), muted: isLive() && isMuted(), held: isLive() && Boolean(flags & HELD),
      sends: isLive() && Boolean(flags & SENDS), receives: isLive() && Boolean(flags & RECEIVES), ...ring,
    };
    const text = JSON.stringify(state);
    if (text === lastPost) return;
    lastPost = text;
    port.postMessage({...state, byUser: navigator.userActivation?.isActive === true});
  }

  function isMuted() {
    return Boolean(flags & MUTED);
  }

  window.addEventListener(REPORT, reported);
  window.addEventListener("pagehide", () => port?.postMessage({bye: true}));
  api.runtime.onMessage.addListener((message) => {
    if (message === "connect") connect();
  });

  // ---- Orders

  function order(detail) {
    window.dispatchEvent(new CustomEvent(ORDER, {detail}));
  }

  function recheck() {
    for (const check of waiting) check();
  }

  function until(condition, ms = PRESSED_MS) {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve(true);
      };
      const timer = setTimeout(() => {
        waiting.delete(check);
        resolve(false);
      }, ms);
      waiting.add(check);
      check();
    });
  }

  async function mute(isOn) {
    const usesSite = site !== null && site.has("mute");
    order((isOn ? MUTE : UNMUTE) | (usesSite ? 0 : PRESS));
    if (usesSite && site.isOff("mute") !== isOn) site.press("mute");
    return until(() => isMuted() === isOn);
  }

  // Whether anything is received is up to the far end.
  async function changeVideo(sends, receives) {
    const usesSite = site !== null && site.has("camera");
    order((sends ? CAMERA_ON : CAMERA_OFF) | (receives ? PICTURE_ON : PICTURE_OFF) | (usesSite ? 0 : PRESS));
    if (usesSite && site.isOff("camera") === sends) site.press("camera");
    return until(() => Boolean(flags & SENDS) === sends && (receives || !(flags & RECEIVES)),
      sends ? CAMERA_MS : PRESSED_MS);
  }

  async function end() {
    order(HANG_UP);
    if (!site?.press("hang_up")) order(HANG_UP | PRESS);
    if (!await until(() => !(flags & LIVE))) order(CLOSE);
    return !(flags & LIVE);
  }

  const PERFORMED = {
    hold: () => (order(HOLD), Boolean(flags & HELD)),
    resume: () => (order(RESUME), !(flags & HELD)),
    mute: () => mute(true),
    unmute: () => mute(false),
    end,
    answer: () => site?.press("answer") === true,
    answer_video: () => site?.press("answer_video") === true,
    decline: () => site?.press("decline") === true,
    video_off: () => changeVideo(false, false),
    video_send: () => changeVideo(true, false),
    video_receive: () => changeVideo(false, true),
    video_both: () => changeVideo(true, true),
    participant: (change) => site?.changeParticipant(change),
  };

  async function ordered(message) {
    const from = port;
    const isDone = await PERFORMED[message.order]?.(message) === true;
    post();
    from.postMessage({done: message.id, ok: isDone});
  }

  return {
    connect, until,
    know(known) {
      site = known;
    },
    rings(ringing, caller, answersVideo) {
      ring = {ringing, caller: caller.slice(0, CAPTION), answersVideo};
      connect();
      postSoon();
    },
    lists(list) {
      participants = list;
      post();
      recheck();
    },
  };
})();
