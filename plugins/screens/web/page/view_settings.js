// The policy of the host, as switches; each says which rule of calls it changes.

import { text } from "./texts.js";
import { h, set } from "./dom.js";
import { on, claim, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { canAskForNotes } from "./notices.js";
import { field, toggle } from "./parts.js";
import { makeLines } from "./lines.js";
import { ruleLink } from "./rules.js";
import { place } from "./view_dial.js";

/** Name, rule, and the values for off and on. */
const SWITCHES = [
    ["on_cannot_hold", "6", "refuse", "end"],
    ["on_hold_failure", "5a", "keep", "end"],
    ["busy_in_call", "2", false, true],
    ["dial_while_ringing", "11", "refuse", "allow"],
    ["resume_after_user_end", "16", false, true],
    ["resume_after_remote_end", "17", false, true],
    ["unknown_callers", "32", "ring", "silence"],
    ["video_fallback", "21", "refuse", "audio"],
    ["button_active", "38", "end", "mute"],
    ["allows_emergency", "20", false, true],
];
const parts = new Map();
let region;
let notes;

/** Makes the view. */
export function makeSettings() {
    const switches = SWITCHES.map(([name, rule, off, value]) => {
        const element = toggle(name, text("screen.policy." + name), text("screen.policy_hint." + name), rule,
            isOn => change(name, isOn ? value : off));
        parts.set(name, element);
        return element;
    });
    notes = h("div", { class: "setting" },
        h("div", {}, h("strong", {}, text("screen.notes")), h("p", { class: "details" }, text("screen.notes_hint"))),
        h("button", { class: "chip", "data-verb": "notes", onclick: askForNotes }, text("screen.button.allow")));
    on("policy", draw);
    const view = h("div", { class: "view narrow" }, h("h1", {}, text("screen.view.settings")),
        h("section", { class: "card" }, notes, switches, makeRegion()), makeLines(place));
    view.entered = draw;
    return view;
}

function makeRegion() {
    region = field(text("screen.policy.region"), {
        type: "text", name: "region", maxlength: 2, class: "short",
        onchange: () => change("region", region.input.value.trim().toUpperCase()),
    });
    return h("div", { class: "setting" }, h("div", {}, region,
        h("p", { class: "details" }, text("screen.policy_hint.region"))), ruleLink("20"), ruleLink("32"));
}

async function change(name, value) {
    await attempt(text("screen.policy." + name), request("policy.set", { [name]: value }));
    draw();
}

function draw() {
    set(notes, "hidden", !canAskForNotes());
    if (store.policy === undefined) return;
    for (const [name, , off] of SWITCHES) parts.get(name).box.checked = store.policy[name] !== off;
    if (document.activeElement !== region.input) region.input.value = store.policy.region;
}

async function askForNotes() {
    await Notification.requestPermission();
    draw();
    claim().catch(() => {});
}
