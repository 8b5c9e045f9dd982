// The lines of the apps: their state, their messages, and what their networks keep for them.

import { text, textIfKnown } from "./texts.js";
import { h, keyed, say, set } from "./dom.js";
import { icon } from "./icons.js";
import { on, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { openDialog } from "./dialog.js";
import { fromLeft, handleOf } from "./calls.js";
import { field, rowButton, toggle } from "./parts.js";

const FORWARDS = ["forward_always", "forward_busy", "forward_no_reply", "forward_unreachable"];
const AFTER_MS = { min: 1000, max: 120_000 };

/** All lines, each with the app that has it. */
const allLines = () => [...store.providers.values()].flatMap(app =>
    (app.lines ?? []).map(line => ({ app, line, key: `${app.provider} ${line.line}` })));

/** The state of a line in words, with the network's own. */
export function stateOfLine(line) {
    const state = textIfKnown("line." + (line.state ?? "registered")) ?? line.state;
    return line.reason ? text("line.state_reason", { state, reason: line.reason }) : state;
}

/** Makes the list of all lines, which is hidden while there are none; `dial(handle, provider, line)` calls. */
export function makeLines(dial) {
    const list = h("ul", { class: "rows plain-rows", "aria-label": text("screen.lines") });
    const element = h("section", { class: "card lines" }, h("h2", {}, text("screen.lines")), list);
    const draw = () => {
        const lines = allLines();
        set(element, "hidden", lines.length === 0);
        keyed(list, lines, each => each.key, () => makeRow(dial), drawRow);
    };
    on("providers", draw);
    draw();
    return element;
}

function makeRow(dial) {
    const has = { name: h("strong"), details: h("span", { class: "details" }), state: h("span", { class: "state" }) };
    const row = h("li", { class: "row" }, h("span", { class: "who" }, has.name, has.details, has.state));
    has.voicemail = rowButton("voicemail", "", () => dial(row.item.line.voicemail, row.item.app.provider, row.item.line.line));
    has.settings = rowButton("settings", "", () => openSettings(row.item));
    row.append(h("div", { class: "row-buttons" }, has.voicemail, has.settings));
    row.parts = has;
    return row;
}

function drawRow(row, item) {
    row.item = item;
    const { app, line } = item;
    const has = row.parts;
    set(row, "data-line", line.line);
    set(row, "data-state", line.state ?? "registered");
    say(has.name, line.label);
    say(has.details, [line.handle && fromLeft(line.handle.value), app.display_name, line.default && text("line.default")]
        .filter(Boolean).join(" · "));
    const messages = line.messages_waiting ? text("line.messages", { count: line.messages_waiting }) : "";
    say(has.state, [stateOfLine(line), messages, ...settingsOn(line)].filter(Boolean).join(" · "));
    set(has.voicemail, "hidden", line.voicemail === undefined);
    set(has.voicemail, "aria-label", `${text("screen.button.voicemail")}: ${line.label}`);
    set(has.settings, "hidden", (line.settings ?? []).length === 0);
    set(has.settings, "aria-label", `${text("screen.line_settings")}: ${line.label}`);
}

/** What the network does now, in words. */
const settingsOn = line => (line.settings ?? []).filter(each => each.on).map(each => [
    textIfKnown("screen.setting." + each.setting), each.to && text("line.setting_to", { address: fromLeft(each.to.value) }),
].filter(Boolean).join(" "));

// ---- What the network keeps

function openSettings({ app, line }) {
    const place = h("div", { class: "choices" });
    const settingsNow = () => store.providers.get(app.provider)?.lines?.find(each => each.line === line.line)?.settings ?? [];
    const change = (name, members) => attempt(text("screen.setting." + name), request("line.set_setting",
        { provider: app.provider, line: line.line, setting: name, ...members }));
    const draw = () => keyed(place, settingsNow().filter(each => textIfKnown("screen.setting." + each.setting)),
        each => each.setting, each => makeSetting(each, change), drawSetting);
    const dialog = openDialog(`${text("screen.line_settings")}: ${line.label}`, place);
    const stop = on("providers", draw);
    dialog.addEventListener("close", stop);
    draw();
}

/** A switch; that of a forwarding has the address, without which it cannot be turned on. */
function makeSetting(setting, change) {
    const name = setting.setting;
    const has = {};
    const send = async isOn => {
        await change(name, isOn ? { on: true, ...forwardOf(has) } : { on: false });
        drawSetting(element, element.setting);
    };
    has.turn = toggle(name, text("screen.setting." + name), text("screen.setting_hint." + name), undefined, send);
    const element = h("div", { "data-setting": name }, has.turn);
    if (FORWARDS.includes(name)) {
        has.to = field(text("screen.setting.to"), { type: "text", inputmode: "tel", name: `${name}-to` });
        has.after = name === "forward_no_reply" ? field(text("screen.setting.after"), {
            type: "number", name: `${name}-after`, min: AFTER_MS.min / 1000, max: AFTER_MS.max / 1000,
        }) : undefined;
        const save = h("button", { type: "submit", "data-verb": "save" }, text("screen.save"));
        element.append(h("form", {
            class: "side-by-side", onsubmit: event => {
                event.preventDefault();
                send(true);
            },
        }, has.to, has.after, save));
    }
    element.parts = has;
    return element;
}

function forwardOf({ to, after }) {
    if (to === undefined) return {};
    const seconds = Number(after?.input.value);
    return { ...to.input.value.trim() ? { to: handleOf(to.input.value) } : {}, ...seconds ? { after_ms: seconds * 1000 } : {} };
}

function drawSetting(element, setting) {
    const { turn, to, after } = element.parts;
    // What the user types stays while something else is changed.
    const isNew = JSON.stringify(element.setting) !== JSON.stringify(setting);
    element.setting = setting;
    turn.box.checked = setting.on;
    if (isNew && to && document.activeElement !== to.input) to.input.value = setting.to?.value ?? to.input.value;
    if (isNew && after && document.activeElement !== after.input) after.input.value = setting.after_ms ? setting.after_ms / 1000 : "";
}
