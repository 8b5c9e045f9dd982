// Real-time text of calls: what both sides type, as they type it.

import { text } from "./texts.js";
import { h, keyed, say, set } from "./dom.js";
import { changed, on, onEvent, request, store } from "./store.js";
import { attempt, labelOf } from "./actions.js";
import { openDialog } from "./dialog.js";
import { nameOf } from "./calls.js";

const LINES_MOST = 500;
const LINE_MOST = 4000;
/** How long typed characters are collected, as RFC 4103 has it. */
const COLLECTED_MS = 300;
/** The bytes of one request. */
const REQUEST_MOST = 1024;
const ERASE = "\b";
const NEW_LINE = "\u2028";
const spoken = new Map();
let lastKey = 0;

/** The lines of a call, oldest first: each with `from`, `text` and `isOpen`. */
const linesOf = id => spoken.get(id) ?? [];

/** What the other side types right now, or has typed last; empty if it has typed nothing. */
export const lastTyped = id => linesOf(id).findLast(line => line.from === "remote")?.text ?? "";

onEvent("call.text", ({ call, from, text: characters }) => {
    if (!spoken.has(call)) spoken.set(call, []);
    addCharacters(spoken.get(call), from, characters);
    changed("text", call);
    changed("calls", call);
});
on("calls", ids => {
    for (const id of ids) if (!store.calls.has(id)) spoken.delete(id);
});

/** Adds characters as they were typed: an erase takes one back, also the beginning of a line. */
export function addCharacters(lines, from, characters) {
    for (const character of characters) {
        const own = lines.findLast(line => line.from === from);
        if (character === NEW_LINE || character === "\n") {
            if (own) own.isOpen = false;
        } else if (character === ERASE) erase(lines, own);
        else if (own?.isOpen) own.text = (own.text + character).slice(-LINE_MOST);
        else if (character !== "\r") lines.push({ key: ++lastKey, from, text: character, isOpen: true });
    }
    lines.splice(0, lines.length - LINES_MOST);
}

function erase(lines, line) {
    if (line === undefined) return;
    if (line.isOpen) line.text = [...line.text].slice(0, -1).join("");
    line.isOpen = true;
    if (line.text === "") lines.splice(lines.indexOf(line), 1);
}

/** What has to be sent so that a line reads differently: erasures, then characters. */
export function difference(before, after) {
    const [old, next] = [[...before], [...after]];
    let same = 0;
    while (same < old.length && old[same] === next[same]) same += 1;
    return ERASE.repeat(old.length - same) + next.slice(same).join("");
}

/** Parts that fit into a request each. */
function pieces(characters) {
    const parts = [""];
    for (const character of characters) {
        const longer = parts.at(-1) + character;
        if (new TextEncoder().encode(longer).length > REQUEST_MOST) parts.push(character);
        else parts[parts.length - 1] = longer;
    }
    return parts.filter(part => part !== "");
}

/** Sends what is in a field while it is typed, in order; `finish` ends the line. */
class Typing {
    constructor(call, input) {
        this.call = call;
        this.input = input;
        this.sent = "";
        this.queue = Promise.resolve();
    }

    typed() {
        this.timer ??= setTimeout(() => this.flush(), COLLECTED_MS);
    }

    flush(end = "") {
        clearTimeout(this.timer);
        this.timer = undefined;
        const characters = difference(this.sent, this.input.value) + end;
        this.sent = end ? "" : this.input.value;
        for (const part of pieces(characters)) {
            this.queue = this.queue.then(() => attempt(labelOf("set_text"),
                request("call.send_text", { call: this.call, text: part })));
        }
    }

    finish() {
        this.flush(NEW_LINE);
        this.input.value = "";
    }
}

/** Opens the text of a call; asks the other side for it first, where the call has none. */
export async function openConversation(call) {
    if (!call.has_text) {
        const params = { call: call.call, text: true, wait: "completed" };
        if (await attempt(labelOf("set_text"), request("call.set_text", params)) === undefined) return;
    }
    showConversation(call.call);
}

function showConversation(id) {
    const parts = {
        lines: h("div", { class: "conversation", role: "log", tabindex: "0", "aria-label": text("screen.text.log") }),
        hint: h("p", { class: "details", role: "status" }),
        input: h("input", { id: "typed", type: "text", name: "typed", autocomplete: "off", maxlength: 1000 }),
        end: h("button", { type: "button", "data-verb": "end_text", onclick: () => endText(id) }, text("screen.text.end")),
    };
    const typing = new Typing(id, parts.input);
    parts.input.addEventListener("input", event => event.isComposing || typing.typed());
    parts.input.addEventListener("compositionend", () => typing.typed());
    const form = h("form", {
        onsubmit: event => {
            event.preventDefault();
            typing.finish();
        },
    }, h("label", { for: "typed" }, text("screen.text.field")), h("div", { class: "with-button" },
        h("div", {}, parts.input), h("button", { class: "primary", type: "submit", "data-verb": "new_line" },
            text("screen.text.new_line"))), parts.hint, h("div", { class: "chips" }, parts.end));
    const dialog = openDialog(text("screen.text.of", { name: nameOf(store.calls.get(id) ?? { call: id }) }), parts.lines, form);
    parts.form = form;
    const draw = () => drawConversation(dialog, parts, id);
    const stops = [on("text", draw), on("calls", draw)];
    dialog.addEventListener("close", () => {
        if (store.calls.has(id)) typing.flush();
        stops.forEach(stop => stop());
    });
    draw();
    parts.input.focus();
}

function drawConversation(dialog, parts, id) {
    const call = store.calls.get(id);
    const lines = linesOf(id);
    const isAtEnd = parts.lines.scrollTop + parts.lines.clientHeight >= parts.lines.scrollHeight - 24;
    keyed(parts.lines, lines, line => line.key, makeLine, (element, line) => say(element.words, line.text));
    if (isAtEnd) parts.lines.scrollTop = parts.lines.scrollHeight;
    const passes = call?.state === "active" && call.has_text === true;
    set(parts.input, "disabled", !passes);
    set(parts.form.querySelector("[type=submit]"), "disabled", !passes);
    say(parts.hint, passes ? lines.length === 0 ? text("screen.text.none") : "" : text("screen.text.paused"));
    set(parts.end, "hidden", !call?.has_text || !call.allowed.includes("set_text"));
    if (call === undefined && store.state === "ready") dialog.close();
}

function makeLine(line) {
    const words = h("span", { dir: "auto" });
    const who = line.from === "local" ? text("screen.text.you") : text("screen.text.they");
    const element = h("p", { "data-from": line.from }, h("span", { class: "unseen" }, who + ": "), words);
    element.words = words;
    return element;
}

const endText = id => attempt(text("screen.text.end"),
    request("call.set_text", { call: id, text: false, wait: "completed" }));
