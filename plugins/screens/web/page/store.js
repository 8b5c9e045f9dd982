// What the broker says that there is: kept up to date by its events, drawn once per frame.

import { IDENTITY, Link } from "./link.js";
import { rings } from "./calls.js";
import { notifyMissed, notifyOf, notifyRequest, onNotePressed, sendAway } from "./notices.js";

const TOPICS = ["call.*", "host.changed", "provider.*", "policy.changed", "history.changed",
    "audio.endpoints_changed", "action.failed", "action.timed_out", "screen.changed",
    "broker.stopping"];

/** Everything that is shown. */
export const store = {
    state: "connecting",
    calls: new Map(),
    providers: new Map(),
    host: {},
    policy: undefined,
    missed: 0,
    /** The calls that the broker has given to this page to present. */
    presented: new Set(),
    mayPresent: true,
    /** True while the broker offers calls to this page before other screens. */
    isFirst: false,
    questions: [],
};

const listeners = new Map();
const hearers = new Map();
const dirty = new Map();
let isScheduled = false;
let subscription;
let early = [];
let seen = 0;
let floor = 0;
/** Events with the number of another one, or none of their own. */
const UNNUMBERED = new Set(["call.allowed_changed", "call.quality"]);

/** Calls a function with the ids of what has changed of a kind, at most once per frame. Returns what ends that. */
export function on(kind, listener) {
    listeners.set(kind, [...listeners.get(kind) ?? [], listener]);
    return () => listeners.set(kind, listeners.get(kind).filter(each => each !== listener));
}

/** Calls a function with the data of each event of a topic, as it comes. */
export const onEvent = (topic, hearer) => hearers.set(topic, hearer);

/** Lets what shows a kind be drawn anew, and of it what has that id. */
export function changed(kind, id) {
    if (!dirty.has(kind)) dirty.set(kind, new Set());
    if (id !== undefined) dirty.get(kind).add(id);
    if (isScheduled) return;
    isScheduled = true;
    if (document.hidden) setTimeout(draw);
    else requestAnimationFrame(draw);
}

function draw() {
    isScheduled = false;
    const kinds = [...dirty];
    dirty.clear();
    for (const [kind, ids] of kinds) {
        for (const listener of listeners.get(kind) ?? []) listener(ids);
    }
}

/** The user's session. */
export const link = new Link(["ui", "controller", "observer"], {
    opened,
    event: happened,
    told,
    asked,
    state(word) {
        store.state = word;
        if (word !== "ready") lostAll();
        changed("state");
    },
});

/** Sends a request of the user. */
export const request = (method, params) => link.request(method, params);

async function opened(hello) {
    store.mayPresent = hello.granted_roles.includes("ui");
    store.hello = hello;
    subscription = undefined;
    early = [];
    const reply = await request("events.subscribe", {
        topics: TOPICS, ...(hello.features?.call_changes && { detail: "changes" }),
    });
    seen = floor = reply.seq;
    store.calls.clear();
    store.host = reply.snapshot.host;
    await readCalls(reply.snapshot);
    subscription = reply.subscription;
    const events = early;
    early = [];
    events.forEach(happened);
    await Promise.all([readProviders(), readPolicy(), countMissed(), claim()]);
    for (const kind of ["calls", "host"]) changed(kind);
}

async function readCalls(page) {
    page.calls.forEach(keep);
    while (page.next !== undefined) {
        page = await request("call.list", { after: page.next });
        page.calls.forEach(keep);
    }
}

function keep(call) {
    const known = store.calls.get(call.call);
    if (known === undefined || call.rev >= known.rev) store.calls.set(call.call, call);
    if (!rings(call)) notifyRequest(call, known);
    changed("calls", call.call);
}

/** Applies what has changed of a call. What it had besides when it was presented is over. */
function keepChanges(id, { set, removed = [] }) {
    const known = store.calls.get(id);
    if (known === undefined) return readAnew();
    const next = { ...known, ...set };
    for (const name of [...removed, "suggested", "actions", "deadline_ms"]) delete next[name];
    keep(next);
}

async function readProviders() {
    const providers = new Map();
    let page = {};
    do {
        page = await request("provider.list", page.next ? { after: page.next } : {});
        for (const each of page.providers) providers.set(each.provider, each);
    } while (page.next !== undefined);
    store.providers = providers;
    changed("providers");
}

async function readPolicy() {
    store.policy = (await request("policy.get")).policy;
    changed("policy");
}

/** Counts the missed calls that the user has not seen. */
export async function countMissed() {
    const page = await request("history.list", { filter: { missed: true }, limit: 50 });
    store.missed = page.entries.filter(entry => !entry.seen).length;
    changed("missed");
}

/** A page that is looked at wants calls before other screens; one in the background after them. */
export async function claim() {
    if (!store.mayPresent) return;
    const canNotify = "Notification" in window && Notification.permission === "granted";
    const isWanted = !document.hidden || canNotify;
    const reply = isWanted ? await request("ui.claim", { priority: document.hidden ? -1 : 10 })
        : await request("ui.release");
    store.isFirst = reply.primary;
    changed("holder");
}

onNotePressed(id => changed("wanted", id));

document.addEventListener("visibilitychange", () => {
    if (store.state === "ready") claim().catch(() => {});
    if (!document.hidden) link.hurry();
});

function lostAll() {
    subscription = undefined;
    for (const id of store.calls.keys()) sendAway(id);
    store.presented.clear();
    store.isFirst = false;
    changed("holder");
    store.questions = [];
    store.calls.clear();
    changed("calls");
    changed("questions");
}

/** Something was missed: a new session reads all of it. */
const readAnew = () => link.socket.close();

function happened(event) {
    if (subscription === undefined) return early.push(event);
    const { topic, data } = event;
    if (event.subscription !== subscription) return;
    if ((event.prev ?? 0) > seen) return readAnew();
    seen = Math.max(seen, event.seq);
    if (event.seq <= floor && !UNNUMBERED.has(topic)) return;
    if (topic === "call.changed" && data.set) keepChanges(event.call, data);
    else if (topic === "call.added" || topic === "call.changed") keep(data);
    else if (topic === "call.removed") removed(data.call);
    else if (topic === "call.allowed_changed") allowed(data);
    else if (topic === "host.changed" || topic === "audio.endpoints_changed") readHost(data);
    else if (topic.startsWith("provider.")) readProviders().catch(() => {});
    else if (topic === "screen.changed") holderChanged(data.screen);
    else if (topic === "policy.changed") readPolicy().catch(() => {});
    else if (topic === "history.changed") missedCalls();
    hearers.get(topic)?.(data);
    changed("event", topic);
}

/** Another page of this screen has the same name: the reply to a claim says which of them is first. */
function holderChanged(screen) {
    store.host = { ...store.host, screen };
    store.isFirst &&= screen === IDENTITY;
    changed("holder");
    if (screen === IDENTITY) claim().catch(() => {});
}

function removed(id) {
    store.calls.delete(id);
    store.presented.delete(id);
    sendAway(id);
    changed("calls", id);
}

function allowed(data) {
    const call = store.calls.get(data.call);
    if (call === undefined) return;
    const next = { ...call, merge_with: undefined, paused_tones: undefined, ...data };
    store.calls.set(data.call, next);
    if (!rings(next)) notifyRequest(next, call);
    changed("calls", data.call);
}

function readHost(data) {
    store.host = { ...store.host, ...data };
    changed("host");
    changed("calls");
}

async function missedCalls() {
    changed("history");
    const before = store.missed;
    await countMissed().catch(() => {});
    if (store.missed > before) notifyMissed(store.missed);
}

function told(method, params) {
    if (method === "events.gap") return readAnew();
    if (method !== "ui.dismiss") return;
    store.presented.delete(params.call);
    sendAway(params.call);
    changed("calls", params.call);
}

function asked(method, params) {
    if (method === "ui.present") return present(params);
    if (method === "ui.ask") return ask(params);
    return undefined;
}

function present(call) {
    store.presented.add(call.call);
    keep(call);
    notifyOf(call);
    return { presented: true };
}

/** What an app would like to be allowed: the answer is that of the button that is pressed. */
function ask(question) {
    return new Promise(resolve => {
        const answer = word => {
            store.questions = store.questions.filter(each => each.question !== question.question);
            changed("questions");
            resolve({ answer: word });
        };
        store.questions = [...store.questions, { ...question, answer }];
        changed("questions");
    });
}
