// The calls of the past: all, or those that were missed.

import { duration, text, textIfKnown, when } from "./texts.js";
import { h, keyed, set } from "./dom.js";
import { icon } from "./icons.js";
import { countMissed, on, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { openWhy } from "./dialogs.js";
import { openDialog } from "./dialog.js";
import { fromLeft } from "./calls.js";
import { avatar, nothing, rowButton } from "./parts.js";
import { place } from "./view_dial.js";
import { openContact } from "./view_contacts.js";
import { showTimeline } from "./view_calls.js";

const PAGE = 50;
const parts = {};
let onlyMissed = false;
let entries = [];
let next;

/** Makes the view. */
export function makeHistory() {
    parts.rows = h("ul", { class: "rows", "aria-label": text("screen.view.history") });
    parts.more = h("button", { hidden: true, "data-verb": "more", onclick: () => read(next) }, text("screen.more"));
    parts.none = nothing("history", text("screen.no_history"));
    parts.all = filterChip("screen.all", false);
    parts.missed = filterChip("screen.only_missed", true);
    const view = h("div", { class: "view" },
        h("header", {}, h("h1", {}, text("screen.view.history")), h("div", { class: "chips" }, parts.all, parts.missed,
            h("a", { class: "chip primary-link", href: "#timeline", "data-verb": "timeline" }, icon("timeline"), text("screen.view.timeline")))),
        parts.none, parts.rows, parts.more);
    view.entered = () => read();
    on("history", () => view.isConnected && read());
    on("state", () => store.state === "ready" && view.isConnected && read());
    return view;
}

function filterChip(key, missed) {
    return h("button", {
        class: "chip", "data-filter": missed ? "missed" : "all",
        onclick: () => { onlyMissed = missed; read(); },
    }, text(key));
}

async function read(after) {
    set(parts.all, "aria-pressed", String(!onlyMissed));
    set(parts.missed, "aria-pressed", String(onlyMissed));
    const filter = onlyMissed ? { filter: { missed: true } } : {};
    const page = await request("history.list", { ...filter, ...after ? { after } : {}, limit: PAGE })
        .catch(() => undefined);
    if (page === undefined) return;
    next = page.next;
    entries = after ? [...entries, ...page.entries] : page.entries;
    keyed(parts.rows, entries, looksOf, makeRow);
    set(parts.none, "hidden", parts.rows.children.length > 0);
    set(parts.more, "hidden", next === undefined);
    if (store.missed > 0 && !document.hidden) {
        await request("history.mark_seen").catch(() => {});
        await countMissed().catch(() => {});
    }
}

const addressOf = entry => entry.remote && fromLeft(entry.remote.value);
const nameOf = entry => entry.name ?? addressOf(entry) ?? text("screen.unknown_caller");
const isMissed = entry => (entry.missed_reasons ?? []).length > 0;
const kindOf = entry => isMissed(entry) ? "missed" : entry.direction;

/** What became of it: how long it was, or why it was not. */
function outcomeOf(entry) {
    if (entry.connected_at_ms !== undefined) return duration(entry.ended_at_ms - entry.connected_at_ms);
    const reasons = (entry.missed_reasons ?? []).map(reason => textIfKnown("missed." + reason) ?? reason);
    return reasons[0] ?? entry.end_detail?.text ?? textIfKnown("end." + entry.end_reason) ?? "";
}

/** A row stays, and may be pressed, while what it shows is the same. */
const looksOf = entry => JSON.stringify({ ...entry, seen: undefined, when: when(entry.started_at_ms) });

function makeRow(entry) {
    const name = nameOf(entry);
    const details = [addressOf(entry) !== name && addressOf(entry), entry.label,
        entry.provider_name ?? entry.provider, outcomeOf(entry)].filter(Boolean).join(" · ");
    const open = h("button", { class: "open", onclick: () => openEntry(entry) },
        h("span", { class: "kind-mark" }, icon(kindOf(entry)),
            h("span", { class: "unseen" }, text("screen.kind." + kindOf(entry)))),
        h("span", { class: "who" }, h("strong", {}, name), h("span", { class: "details" }, details)),
        h("span", { class: "line" }, h("time", { class: "details" }, when(entry.started_at_ms))));
    return h("li", { class: "row", "data-kind": kindOf(entry) }, open,
        entry.remote ? rowButton("answer", `${text("screen.button.call_back")}: ${name}`,
            () => place(entry.remote, entry.provider)) : null);
}

function openEntry(entry) {
    const name = nameOf(entry);
    const closing = action => () => { dialog.close(); action(); };
    const facts = [
        [text("screen.number_or_address"), addressOf(entry)],
        [text("screen.app"), [entry.provider_name ?? entry.provider, entry.line_label].filter(Boolean).join(" · ")],
        [text("screen.when"), when(entry.started_at_ms)],
        [text("screen.outcome"), outcomeOf(entry)],
    ].filter(fact => fact[1]);
    const dialog = openDialog(name,
        h("div", { class: "fact-head" }, avatar(name), h("strong", {}, text("screen.kind." + kindOf(entry)))),
        h("dl", { class: "facts" }, facts.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)]).flat()),
        h("div", { class: "chips" },
            entry.remote && chip("call_back", () => place(entry.remote, entry.provider), closing),
            entry.remote && chip("add_contact", () => openContact({ name: entry.name ?? "", handles: [entry.remote] }), closing),
            entry.remote && chip("block", () => attempt(text("screen.button.block"),
                request("block.add", { handle: entry.remote })), closing),
            chip("why", () => openWhy({ call: entry.call, remote: entry.remote, display_name: entry.name }), closing),
            chip("timeline", () => showTimeline({ call: entry.call, remote: entry.remote, display_name: entry.name }), closing),
            chip("remove", () => attempt(text("screen.button.remove"),
                request("history.remove", { entries: [entry.entry] })).then(() => read()), closing)));
}

const chip = (word, action, closing) => h("button", {
    class: "chip", "data-verb": word, onclick: closing(action),
}, text(word === "timeline" ? "screen.view.timeline" : "screen.button." + word));
