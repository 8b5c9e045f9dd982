// Parts that several views have.

import { h, say, set } from "./dom.js";
import { icon } from "./icons.js";
import { avatarOf } from "./calls.js";
import { ruleLink } from "./rules.js";

let lastId = 0;

/** The picture of a party. */
export function avatar(name) {
    const { letters, hue } = avatarOf(name);
    return h("div", { class: "avatar", "data-hue": hue, "aria-hidden": "true" }, letters);
}

/** Changes the picture of a party. */
export function drawAvatar(place, name) {
    const { letters, hue } = avatarOf(name);
    say(place, letters);
    set(place, "data-hue", hue);
}

/** A switch with its words, and the rule that it changes; `change(on)` when the user turns it. */
export function toggle(name, label, hint, rule, change) {
    const id = `switch-${++lastId}`;
    const box = h("input", {
        type: "checkbox", role: "switch", id, "data-switch": name, "aria-describedby": id + "-hint",
        onchange: () => change(box.checked, box),
    });
    const words = h("div", {}, h("label", { for: id }, label), h("p", { class: "details", id: id + "-hint" }, hint));
    const element = h("div", { class: "setting" }, words, rule ? ruleLink(rule) : null, box);
    element.box = box;
    return element;
}

/** A field with its label. */
export function field(label, properties) {
    const id = `field-${++lastId}`;
    const input = h(properties.rows ? "textarea" : "input", { id, autocomplete: "off", ...properties });
    const element = h("div", {}, h("label", { for: id }, label), input);
    element.input = input;
    return element;
}

/** A box to tick. */
export function tick(label, checked, properties = {}) {
    const box = h("input", { type: "checkbox", ...properties });
    box.checked = checked;
    const element = h("label", { class: "tick" }, box, h("span", {}, label));
    element.input = box;
    return element;
}

/** A round button of a row. */
export function rowButton(name, label, press, kind = "plain") {
    return h("button", { class: `round ${kind}`, "aria-label": label, "data-verb": name, onclick: press },
        icon(name));
}

/** What is shown where nothing is. */
export const nothing = (name, words) => h("div", { class: "none" }, icon(name), h("p", {}, words));
