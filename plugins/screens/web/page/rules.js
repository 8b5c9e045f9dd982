// The rules by which the broker decides, by their numbers.

import { text } from "./texts.js";
import { h } from "./dom.js";
import { attempt } from "./actions.js";
import { openDialog } from "./dialog.js";

const PREFIX = "#rule-";
let rules;

/** The address of a rule: a whole one, since a place alone would be a link that skips something. */
export const addressOfRule = rule => `${location.origin}/${PREFIX}${rule.toLowerCase()}`;

/** The number of a rule, which leads to its text. */
export const ruleLink = rule => h("a", { class: "rule", href: addressOfRule(rule), onclick: followRule },
    text("explain.rule", { rule }));

/** Opens the rule that a link leads to, above what is shown. */
export function followRule(event) {
    event.preventDefault();
    openRule(new URL(event.currentTarget.getAttribute("href")).hash);
}

/** Opens the rule with that address; does nothing for another address. */
export async function openRule(address) {
    if (!address.startsWith(PREFIX)) return;
    const number = address.slice(PREFIX.length);
    rules ??= fetch("/rules.json").then(reply => reply.json());
    const rule = (await attempt(text("explain.rule", { rule: number }), rules))?.[number];
    if (rule === undefined) return;
    const [title, ...paragraphs] = rule;
    openDialog(text("explain.rule", { rule: number }), h("div", { class: "rule-text", lang: "en", dir: "ltr" },
        h("h3", {}, title), paragraphs.map(words => h("p", {}, words))));
}
