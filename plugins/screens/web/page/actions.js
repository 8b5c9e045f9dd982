// What the user may do with a call: the broker's verbs, and the requests that they stand for.

import { text, textIfKnown } from "./texts.js";
import { request } from "./store.js";
import { BrokerError, Gone } from "./link.js";
import { h } from "./dom.js";

const ANSWERS = ["answer", "hold_and_answer", "end_and_answer", "end_held_and_answer"];

/** Verbs that need nothing but the call; the others open a dialog. */
const REQUESTS = {
    decline: id => ["call.end", { call: id }],
    end: id => ["call.end", { call: id }],
    silence: id => ["call.silence", { call: id }],
    hold: id => ["call.set_held", { call: id, held: true }],
    resume: id => ["call.set_held", { call: id, held: false }],
    swap: id => ["call.swap", { call: id }],
    mute: id => ["call.set_muted", { call: id, muted: true }],
    unmute: id => ["call.set_muted", { call: id, muted: false }],
    split: id => ["call.split", { call: id }],
    pull: id => ["call.pull", { call: id }],
};
for (const choice of ANSWERS) REQUESTS[choice] = id => ["call.answer", { call: id, choice }];
REQUESTS.answer = id => ["call.answer", { call: id }];

/** The words on the button of a verb. */
export const labelOf = verb => textIfKnown("screen.button." + verb) ?? verb;

/** The method and the params of a verb; undefined if it needs more than the call. */
export const requestOf = (verb, id) => REQUESTS[verb]?.(id);

/** Sends the request of a verb, and tells the user if it is not done. */
export async function perform(verb, call) {
    const [method, params] = requestOf(verb, call.call);
    const waits = verb === "silence" ? {} : { wait: "completed" };
    return attempt(labelOf(verb), request(method, { ...params, ...waits }));
}

/** Tells the user why something is not done. Returns what the promise gives, or undefined. */
export async function attempt(label, promise) {
    try {
        return await promise;
    } catch (error) {
        note(text("screen.button_not_done", { button: label }), reasonOf(error));
        return undefined;
    }
}

/** Why a request was refused, in the user's language. */
export function reasonOf(error) {
    if (error instanceof Gone) return text("screen.broker_gone");
    if (!(error instanceof BrokerError)) return String(error.message);
    return refusalText(error);
}

/** The sentence for an error of the broker, or for the refusal of a plan; with the app's own words. */
export function refusalText(error) {
    const data = error.data ?? {};
    const said = data.provider_error?.message ?? data.provider_error?.reason?.replaceAll("_", " ");
    const message = textIfKnown("refusal." + data.reason) ?? error.message;
    if (!said || said === "unspecified") return message;
    return data.reason === "provider_failed" ? said
        : text("screen.app_reason", { message, reason: said });
}

/** Shows a note at the edge of the page, until it is closed or some seconds have passed. */
export function note(title, body = "") {
    const place = document.querySelector("#notes");
    const close = h("button", {
        class: "plain small", "aria-label": text("screen.close"), onclick: () => card.remove(),
    }, "×");
    const card = h("div", { class: "note" }, h("div", {}, h("strong", {}, title), h("p", {}, body)), close);
    place.append(card);
    while (place.children.length > 3) place.firstElementChild.remove();
    setTimeout(() => card.remove(), 10_000);
}
