// Calls over time, live: those of the last hour, or one with the calls that it was held for or grouped with.

import { text } from "./texts.js";
import { h, say, set } from "./dom.js";
import { on, request, store } from "./store.js";
import { openDialog } from "./dialog.js";
import { makePicture, titleOf } from "./timeline_picture.js";
import { callOf, sceneOf } from "./timeline_scene.js";
import { appOf, fromLeft, nameOf } from "./calls.js";
import { nothing } from "./parts.js";

const HOUR_MS = 3_600_000;
/** The calls of a picture: the latest ones. Each is a request. */
const CALLS_MOST = 200;
const AT_ONCE = 8;
const PERIOD_MS = 1000;

/** Time lines of calls, read again when something has happened to them. */
class Collection {
    constructor() {
        this.timelines = new Map();
        this.names = new Map();
        this.stale = new Set();
    }

    async read(id) {
        const entries = [];
        let page = {};
        do {
            page = await request("call.timeline", { call: id, ...page.next ? { after: page.next } : {} });
            entries.push(...page.entries);
        } while (page.next !== undefined);
        if (entries.length > 0) this.timelines.set(id, { ...page, entries });
    }

    /** Reads what is stale, some at once; a call that the broker has forgotten stays as it was. */
    async refresh() {
        const ids = [...this.stale];
        this.stale.clear();
        const work = async () => {
            while (ids.length > 0) await this.read(ids.pop()).catch(() => {});
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
    }

    keep(call, name) {
        if (name) this.names.set(call, name);
        if (!this.timelines.has(call)) this.stale.add(call);
    }

    /** Finds the calls that had not ended an hour ago: those that are listed, and those of the history. */
    async findHour() {
        const since = Date.now() - HOUR_MS;
        const calls = await pages("call.list", { include_ended: true }, "calls");
        const entries = await pages("history.list", { filter: { since_at_ms: since, hidden: true } }, "entries");
        const found = new Map(entries.map(each =>
            [each.call, { at: each.started_at_ms, name: each.name ?? (each.remote && fromLeft(each.remote.value)) }]));
        for (const call of calls.filter(each => (each.ended_at_ms ?? since) >= since)) {
            found.set(call.call, { at: call.created_at_ms, name: nameOf(call) });
        }
        const latest = [...found].sort((one, other) => one[1].at - other[1].at).slice(-CALLS_MOST);
        for (const [call, { name }] of latest) this.keep(call, name);
    }

    /** The scene of the latest calls that had not ended by a time. */
    sceneSince(since) {
        const now = Date.now();
        const calls = [...this.timelines.values()].map(each => callOf(each, now)).filter(call => {
            if (call.to_ms < since) this.timelines.delete(call.call);
            return call.to_ms >= since;
        });
        return sceneOf(sceneOf(calls).calls.slice(-CALLS_MOST));
    }

    nameOf(id) {
        const call = store.calls.get(id);
        return call ? nameOf(call) : this.names.get(id) ?? id.slice(0, 8);
    }
}

async function pages(method, params, member) {
    const items = [];
    let page = {};
    do {
        page = await request(method, { ...params, ...page.next ? { after: page.next } : {} }).catch(() => ({ [member]: [] }));
        items.push(...page[member]);
    } while (page.next !== undefined && items.length < 5 * CALLS_MOST);
    return items;
}

const appName = provider => appOf({ provider }, store.providers);

/** Draws again when something has happened, and each second while a call lasts. Returns what ends that. */
function keepLive(draw, note) {
    let isDue = true;
    let isBusy = false;
    const wanted = kind => on(kind, ids => {
        isDue = true;
        note(kind, ids);
    });
    const stops = ["calls", "event", "history", "providers", "host", "state"].map(wanted);
    const tick = () => {
        if (isBusy || document.hidden || store.state !== "ready" || !isDue && store.calls.size === 0) return;
        isDue = false;
        isBusy = true;
        draw().catch(() => { isDue = true; }).finally(() => { isBusy = false; });
    };
    const timer = setInterval(tick, PERIOD_MS);
    tick();
    return () => {
        clearInterval(timer);
        stops.forEach(stop => stop());
    };
}

// ---- The last hour

/** Makes the view. */
export function makeTimeline() {
    const collection = new Collection();
    const count = h("p", { class: "details" });
    const none = nothing("timeline", text("screen.timeline.none"));
    const picture = makePicture(text("screen.timeline.hour"));
    const view = h("div", { class: "view" },
        h("header", {}, h("h1", {}, text("screen.view.timeline")), count), none, h("section", { class: "card" }, picture));
    let mustFind = true;
    const draw = async () => {
        if (!view.isConnected) return stop?.();
        const isNew = mustFind;
        mustFind = false;
        if (isNew) await collection.findHour();
        await collection.refresh();
        const scene = collection.sceneSince(Date.now() - HOUR_MS);
        set(none, "hidden", scene.calls.length > 0);
        set(picture.parentNode, "hidden", scene.calls.length === 0);
        say(count, scene.calls.length > 0 ? titleOf(scene.calls.length) : "");
        return scene.calls.length > 0 && picture.draw(scene, id => collection.nameOf(id), appName);
    };
    let stop;
    view.entered = () => {
        stop?.();
        mustFind = true;
        stop = keepLive(draw, (kind, ids) => {
            mustFind ||= kind === "history" || kind === "state" || kind === "event" && ids.has("call.refused");
            noteCalls(collection, kind, ids);
        });
    };
    return view;
}

/** What has happened to calls; who has microphone and speaker is a change of the host. */
function noteCalls(collection, kind, ids) {
    if (kind === "host") for (const [id, call] of store.calls) if (call.state !== "external") collection.stale.add(id);
    if (kind !== "calls") return;
    for (const id of ids) {
        if (store.calls.has(id)) collection.names.set(id, nameOf(store.calls.get(id)));
        collection.stale.add(id);
    }
}

// ---- One call

/** Opens the picture of a call, live while it lasts. */
export function openTimeline(call) {
    const collection = new Collection();
    const name = call.display_name === undefined && !call.remote ? text("screen.unknown_caller") : nameOf(call);
    collection.keep(call.call, name);
    const picture = makePicture(text("screen.timeline.of", { name }));
    const none = h("p", { role: "status" });
    const dialog = openDialog(text("screen.timeline.of", { name }), picture, none);
    dialog.classList.add("wide-dialog");
    const draw = async () => {
        await collection.refresh();
        const own = collection.timelines.get(call.call);
        const others = own ? callOf(own, 0).links.map(link => link.call) : [];
        const held = [...store.calls.values()].filter(each => each.held_because_of === call.call);
        for (const id of [...others, ...held.map(each => each.call)]) collection.keep(id);
        await collection.refresh();
        const scene = collection.sceneSince(0);
        say(none, scene.calls.length === 0 ? text("explain.none") : "");
        return scene.calls.length > 0 && picture.draw(scene, id => collection.nameOf(id), appName);
    };
    const isOf = id => collection.timelines.has(id);
    const stop = keepLive(draw, (kind, ids) => noteCalls(collection, kind, new Set([...ids].filter(isOf))));
    dialog.addEventListener("close", stop);
}
