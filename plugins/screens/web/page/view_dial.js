// The keypad: a number or address, whom it may mean, and the app that places the call.

import { text } from "./texts.js";
import { fill, h, set } from "./dom.js";
import { icon } from "./icons.js";
import { on, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { keypad } from "./dialogs.js";
import { avatar, field } from "./parts.js";
import { makeLines, stateOfLine } from "./lines.js";
import { fromLeft, handleOf } from "./calls.js";

const parts = {};
let timer;

/** Makes the view. */
export function makeDial() {
    parts.number = field(text("screen.number_or_address"),
        { type: "text", inputmode: "tel", name: "number", class: "number", oninput: suggest });
    parts.number.input.addEventListener("keydown", event => event.key === "Escape" && clear());
    parts.app = h("select", { id: "dial-app", name: "app", onchange: drawLines });
    parts.line = h("select", { id: "dial-line", name: "line" });
    parts.lineField = h("div", {}, h("label", { for: "dial-line" }, text("screen.line")), parts.line);
    parts.found = h("ul", { class: "rows found", "aria-label": text("screen.found") });
    const erase = h("button", {
        type: "button", class: "plain round", "aria-label": text("screen.erase"), "data-verb": "erase",
        onclick: () => type(parts.number.input.value.slice(0, -1)),
    }, icon("erase"));
    const form = h("form", { class: "dial", onsubmit: submit },
        h("div", { class: "with-button" }, parts.number, erase),
        keypad(key => type(parts.number.input.value + key)),
        h("div", {}, h("label", { for: "dial-app" }, text("screen.app")), parts.app), parts.lineField,
        h("button", { class: "go wide", type: "submit", "data-verb": "call" }, icon("answer"), text("screen.call")));
    on("providers", drawApps);
    drawApps();
    return h("div", { class: "view" }, h("h1", {}, text("screen.view.dial")),
        h("div", { class: "columns" }, form, h("div", { class: "beside" }, parts.found, makeLines(place))));
}

function drawApps() {
    const chosen = parts.app.value;
    fill(parts.app, h("option", { value: "" }, text("screen.any_app")),
        [...store.providers.values()].map(each => h("option", { value: each.provider }, each.display_name)));
    if (store.providers.has(chosen)) parts.app.value = chosen;
    drawLines();
}

/** The lines of the chosen app, where it has told several apart. */
function drawLines() {
    const lines = store.providers.get(parts.app.value)?.lines ?? [];
    const chosen = parts.line.value;
    fill(parts.line, h("option", { value: "" }, text("screen.any_line")), lines.map(each =>
        h("option", { value: each.line }, `${each.label} (${stateOfLine(each)})`)));
    parts.line.value = lines.some(each => each.line === chosen) ? chosen : "";
    set(parts.lineField, "hidden", lines.length < 2);
}

function type(value) {
    parts.number.input.value = value;
    suggest();
}

function clear() {
    type("");
}

function submit(event) {
    event.preventDefault();
    const value = parts.number.input.value;
    if (value.trim() !== "") place(handleOf(value), parts.app.value || undefined, parts.line.value || undefined);
}

/** Calls somebody, and shows the call. */
export async function place(remote, provider, line) {
    const params = { remote, wait: "completed", ...provider ? { provider } : {}, ...line ? { line } : {} };
    if (parts.number) clear();
    location.hash = "calls";
    await attempt(text("screen.call"), request("call.start", params));
}

function suggest() {
    clearTimeout(timer);
    timer = setTimeout(find, 120);
}

async function find() {
    const words = parts.number.input.value.trim();
    if (words === "") return fill(parts.found);
    const reply = await request("contact.list", { text: words, limit: 6 }).catch(() => ({ contacts: [] }));
    return fill(parts.found, reply.contacts.flatMap(contact => contact.handles.map(handle =>
        h("li", { class: "row" }, h("button", {
            class: "open", onclick: () => place(handle, contact.provider),
        }, avatar(contact.name), h("span", { class: "who" }, h("strong", {}, contact.name),
            h("span", { class: "details" }, fromLeft(handle.value))))))));
}
