// The calls that there are: the one that is looked at in full, the others as rows.

import { text } from "./texts.js";
import { fill, h, keyed, say, set } from "./dom.js";
import { icon } from "./icons.js";
import { on, store } from "./store.js";
import { answersOf, labelOf, perform } from "./actions.js";
import { DIALOGS, endpointsOf, openWhatIf, openWhy } from "./dialogs.js";
import { drawAvatar } from "./parts.js";
import { lastTyped } from "./conversation.js";
import { participantsOf } from "./participants.js";
import { isPoor, qualityOf } from "./quality.js";
import { addressOf, appOf, inOrder, nameOf, remarksOf, rings, stateOf, timerOf }
    from "./calls.js";

/** Buttons of the call that is looked at, in their order. */
const ROUND = ["mute", "unmute", "play_dtmf", "set_endpoint", "hold", "resume", "swap", "merge",
    "split", "transfer", "attended_transfer", "set_video", "set_text", "participants"];
/** Buttons of a row: one press for what is done most. */
const OF_ROW = ["answer", "hold_and_answer", "decline", "resume", "hold", "pull", "end"];

let chosen;
const parts = {};

/** Makes the view. */
export function makeCalls() {
    parts.panel = h("section", { class: "panel", "aria-label": text("screen.current_call") });
    parts.rows = h("ul", { class: "rows", "aria-label": text("screen.other_calls") });
    parts.none = h("div", { class: "none" }, icon("calls"), h("p", {}, text("screen.no_calls")),
        h("a", { class: "primary", href: "#dial" }, text("screen.view.dial")));
    parts.view = h("div", { class: "view calls" }, h("h1", {}, text("screen.view.calls")),
        parts.none, h("div", { class: "columns" }, parts.panel, parts.rows));
    on("calls", draw);
    on("providers", () => draw(new Set(store.calls.keys())));
    setInterval(tick, 1000);
    draw(new Set());
    return parts.view;
}

/** Looks at a call. */
export function choose(id) {
    chosen = id;
    draw(new Set([id]));
}

function draw(ids) {
    const calls = inOrder(store.calls.values());
    const shown = store.calls.get(chosen) ?? calls.find(call => call.state === "active") ?? calls[0];
    if (shown === undefined || !store.calls.has(chosen)) chosen = undefined;
    set(parts.none, "hidden", calls.length > 0);
    set(parts.panel, "hidden", shown === undefined);
    set(parts.rows, "hidden", calls.length === 0);
    if (shown !== undefined) drawPanel(shown, ids);
    else forgetPanel();
    const others = calls.filter(call => call !== shown);
    keyed(parts.rows, others, call => call.call, makeRow, (row, call) => drawRow(row, call, ids));
}

function tick() {
    if (document.hidden) return;
    const now = Date.now();
    for (const row of [parts.panel, ...parts.rows.children]) {
        const call = store.calls.get(row.call?.call);
        if (call?.connected_at_ms !== undefined) say(row.parts.timer, timerOf(call, now));
    }
}

// ---- In full

function drawPanel(call, ids) {
    const panel = parts.panel;
    if (panel.parts === undefined) makePanel(panel);
    const has = panel.parts;
    if (panel.call === call && !ids.has(call.call)) return;
    panel.call = call;
    set(panel, "data-state", call.state);
    set(panel, "data-call", call.call);
    const name = nameOf(call);
    drawAvatar(has.avatar, name);
    say(has.name, name);
    say(has.address, [addressOf(call), appOf(call, store.providers)].filter(Boolean).join(" · "));
    say(has.state, stateOf(call));
    say(has.timer, timerOf(call, Date.now()));
    say(has.remarks, remarksOf(call, store.calls, store.providers).join(" · "));
    drawQuality(has, call);
    say(has.typed, lastTyped(call.call));
    drawAnswers(has, call);
    drawRound(has, call);
    set(has.end, "hidden", !call.allowed.includes("end"));
    set(has.offer, "hidden", !call.resume_offered);
}

function forgetPanel() {
    parts.panel.call = undefined;
    set(parts.panel, "data-state", undefined);
    set(parts.panel, "data-call", undefined);
}

function makePanel(panel) {
    const current = () => store.calls.get(panel.call.call);
    const has = {
        avatar: h("div", { class: "avatar large", "aria-hidden": "true" }),
        name: h("h2", {}), address: h("p", { class: "address" }),
        state: h("span", { class: "state" }), timer: h("span", { class: "timer" }),
        remarks: h("p", { class: "remarks" }), quality: h("p", { class: "quality" }),
        typed: h("p", { class: "typed", dir: "auto", role: "log", "aria-label": text("screen.text.they") }),
        answers: h("div", { class: "answers" }), round: h("div", { class: "round-buttons" }),
        offer: h("p", { class: "offer" }, text("screen.resume_offered")),
        end: h("button", { class: "stop wide", "data-verb": "end", onclick: () => perform("end", current()) },
            icon("end"), labelOf("end")),
    };
    const links = h("p", { class: "links" },
        h("button", { class: "link", "data-verb": "why", onclick: () => openWhy(current()) },
            icon("why"), text("screen.why")),
        h("button", { class: "link", "data-verb": "whatif", onclick: () => openWhatIf(current()) },
            icon("whatif"), text("screen.what_if")),
        h("button", { class: "link", "data-verb": "timeline", onclick: () => showTimeline(current()) },
            icon("timeline"), text("screen.view.timeline")));
    fill(panel, has.avatar, has.name, has.address,
        h("p", { class: "line" }, has.state, " ", has.timer), has.remarks, has.quality, has.typed, has.offer, has.answers,
        has.round, has.end, links);
    panel.parts = has;
}

function drawQuality(has, call) {
    set(has.quality, "data-poor", isPoor(call));
    say(has.quality, [isPoor(call) && text("screen.poor_quality"), qualityOf(call)].filter(Boolean).join(" · "));
}

/** Opens the picture of a call, whose module is loaded when it is wanted. */
export const showTimeline = async call => (await import("./view_timeline.js")).openTimeline(call);

function drawAnswers(has, call) {
    const others = ["pull", "silence", "deflect", "decline"].filter(verb => call.allowed.includes(verb));
    const verbs = rings(call) || call.allowed.includes("pull") ? [...answersOf(call), ...others] : [];
    set(has.answers, "hidden", verbs.length === 0);
    keyed(has.answers, verbs, verb => verb, verb => wideButton(verb, () => parts.panel.call));
}

/** A button over the whole width. */
export function wideButton(verb, current) {
    const kind = verb === "decline" ? "stop" : verb.includes("answer") || verb === "pull" ? "go" : "";
    return h("button", { class: `wide ${kind}`, "data-verb": verb, onclick: () => act(verb, current()) },
        icon(verb), labelOf(verb));
}

function act(verb, call) {
    if (DIALOGS[verb]) DIALOGS[verb](store.calls.get(call.call) ?? call);
    else perform(verb, call);
}

function drawRound(has, call) {
    const isPossible = verb => call.allowed.includes(verb)
        || (verb === "set_endpoint" && endpointsOf(call).length > 0 && call.state === "active")
        || (verb === "set_text" && call.has_text)
        || (verb === "participants" && participantsOf(call) > 0);
    const verbs = rings(call) ? [] : ROUND.filter(isPossible);
    set(has.round, "hidden", verbs.length === 0);
    keyed(has.round, verbs, verb => verb, verb => h("button", {
        class: "round-button", "data-verb": verb, onclick: () => act(verb, parts.panel.call),
    }, h("span", { class: "disc" }, icon(verb)), h("span", {}, labelOf(verb))),
    (button, verb) => set(button, "data-on", verb === "unmute" || verb === "resume"));
}

// ---- As a row

function makeRow(call) {
    const id = call.call;
    const has = {
        avatar: h("div", { class: "avatar", "aria-hidden": "true" }),
        name: h("strong", {}), details: h("span", { class: "details" }),
        state: h("span", { class: "state" }), timer: h("span", { class: "timer" }),
        buttons: h("div", { class: "row-buttons" }),
    };
    const open = h("button", { class: "open", onclick: () => choose(id) }, has.avatar,
        h("span", { class: "who" }, has.name, has.details),
        h("span", { class: "line" }, has.state, has.timer));
    const row = h("li", { class: "row", "data-call": id }, open, has.buttons);
    row.parts = has;
    return row;
}

function drawRow(row, call, ids) {
    if (row.call === call && !ids.has(call.call)) return;
    row.call = call;
    const has = row.parts;
    const name = nameOf(call);
    set(row, "data-state", call.state);
    drawAvatar(has.avatar, name);
    say(has.name, name);
    const details = [...remarksOf(call, store.calls, store.providers), addressOf(call),
        appOf(call, store.providers)];
    say(has.details, details.filter(Boolean).join(" · "));
    say(has.state, stateOf(call));
    say(has.timer, timerOf(call, Date.now()));
    const isShown = verb => verb === "answer" ? answersOf(call).includes(verb) : call.allowed.includes(verb);
    const verbs = OF_ROW.filter(isShown);
    keyed(has.buttons, verbs, verb => verb, verb => h("button", {
        class: "round " + (verb === "end" || verb === "decline" ? "stop" : verb.includes("answer") ? "go" : "plain"),
        "data-verb": verb, onclick: () => perform(verb, row.call),
    }, icon(verb)), (button, verb) => set(button, "aria-label", `${labelOf(verb)}: ${name}`));
}
