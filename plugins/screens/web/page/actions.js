// What the user may do with a call: the broker's verbs, and the requests that they stand for.

import { text, textIfKnown } from "./texts.js";
import { request } from "./store.js";
import { BrokerError, Gone } from "./link.js";
import { h } from "./dom.js";
import { fromLeft } from "./calls.js";

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
    accept_video: (id, call) => ["call.set_video", { call: id, video: call.video_request }],
    // To decline is to keep what there is.
    decline_video: (id, call) => ["call.set_video", { call: id, video: call.video ?? "off" }],
    accept_text: id => ["call.set_text", { call: id, text: true }],
    decline_text: (id, call) => ["call.set_text", { call: id, text: call.has_text === true }],
    answer_without_video: id => ["call.answer", { call: id, video: "off" }],
    continue_tones: id => ["call.continue_tones", { call: id }],
    drop_tones: id => ["call.continue_tones", { call: id, send: false }],
};
/** Verbs whose requests are done with their replies. */
const AT_ONCE = new Set(["silence", "continue_tones", "drop_tones"]);
for (const choice of ANSWERS) REQUESTS[choice] = id => ["call.answer", { call: id, choice }];
REQUESTS.answer = id => ["call.answer", { call: id }];

/** The words on the button of a verb. */
export const labelOf = verb => textIfKnown("screen.button." + verb) ?? verb;

/** The method and the params of a verb; undefined if it needs more than the call. */
export const requestOf = (verb, call) => REQUESTS[verb]?.(call.call, call);

const MAY_VIDEO = call => call.allowed.includes("set_video") && call.pending_action !== "changing_video";
const MAY_TEXT = call => call.allowed.includes("set_text") && call.pending_action !== "changing_text";

/** The tones that wait behind a pause, and what ends that. */
const wordsOfTones = ({ digits, until }) =>
    text(until === "time" ? "screen.tones.time" : "screen.tones.user", { digits: fromLeft(digits) });

/** What a call asks the user for, with the verbs that decide it: the other side, or tones that wait. */
export const requestsOf = call => [
    call.video_request && MAY_VIDEO(call) && {
        words: text(call.video_request === "receive" ? "screen.video_offer" : "screen.video_request"),
        verbs: ["accept_video", "decline_video"],
    },
    call.text_request && MAY_TEXT(call) && { words: text("screen.text_request"), verbs: ["accept_text", "decline_text"] },
    call.paused_tones && { words: wordsOfTones(call.paused_tones), verbs: ["continue_tones", "drop_tones"] },
].filter(Boolean);

/** The answers to a call: what the broker allows, and one without the camera for a call with video. */
export function answersOf(call) {
    const verbs = ANSWERS.filter(verb => call.allowed.includes(verb));
    // A plain answer holds too: beside the choice that says so it would be the same button twice.
    const shown = verbs.includes("hold_and_answer") ? verbs.filter(verb => verb !== "answer") : verbs;
    const hasChoice = call.has_video && call.video !== "off" && verbs.includes("answer") && MAY_VIDEO(call);
    return hasChoice ? [...shown, "answer_without_video"] : shown;
}

/** Sends the request of a verb, and tells the user if it is not done. */
export async function perform(verb, call) {
    const [method, params] = requestOf(verb, call);
    const waits = AT_ONCE.has(verb) ? {} : { wait: "completed" };
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
        class: "plain small", "aria-label": text("screen.close"), "data-verb": "close", onclick: () => card.remove(),
    }, "×");
    const card = h("div", { class: "note" }, h("div", {}, h("strong", {}, title), h("p", {}, body)), close);
    place.append(card);
    while (place.children.length > 3) place.firstElementChild.remove();
    setTimeout(() => card.remove(), 10_000);
}
