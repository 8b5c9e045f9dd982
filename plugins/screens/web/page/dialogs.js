// What a call is asked about: tones, targets of transfers, endpoints, why, and what if.

import { clock, text, textIfKnown } from "./texts.js";
import { fill, h } from "./dom.js";
import { icon } from "./icons.js";
import { request, store } from "./store.js";
import { attempt, labelOf, refusalText, requestOf } from "./actions.js";
import { addressOf, handleOf, nameOf, rings } from "./calls.js";
import { openDialog } from "./dialog.js";
import { openConversation } from "./conversation.js";
import { openParticipants } from "./participants.js";
import { ruleLink } from "./rules.js";

const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];
const LETTERS = { 2: "ABC", 3: "DEF", 4: "GHI", 5: "JKL", 6: "MNO", 7: "PQRS", 8: "TUV", 9: "WXYZ", 0: "+" };

/** The twelve keys; `press(key)` for each. */
export function keypad(press) {
    return h("div", { class: "keypad" }, KEYS.map(key =>
        h("button", { class: "key", type: "button", "data-key": key, onclick: () => press(key) },
            h("span", {}, key), h("small", { "aria-hidden": "true" }, LETTERS[key] ?? ""))));
}

/** The dialogs of the verbs that need one. */
export const DIALOGS = {
    play_dtmf: openTones,
    set_endpoint: openEndpoints,
    transfer: call => openTarget("transfer", call),
    deflect: call => openTarget("deflect", call),
    attended_transfer: call => openOthers("attended_transfer", call, others(call)),
    merge: call => openOthers("merge", call, mergeable(call)),
    set_video: openVideo,
    set_text: openConversation,
    participants: openParticipants,
};

function openTones(call) {
    const sent = h("output", { class: "digits", "aria-label": text("screen.tones_sent") });
    openDialog(text("screen.keypad_of", { name: nameOf(call) }), sent, keypad(key => {
        sent.textContent += key;
        attempt(labelOf("play_dtmf"), request("call.play_dtmf", { call: call.call, digits: key }));
    }));
}

/** Where the sound of a call may go: its app's places, else those of the host. */
export const endpointsOf = call => call.endpoints ?? store.host.endpoints ?? [];

function openEndpoints(call) {
    const isOfCall = call.endpoints !== undefined;
    const dialog = openDialog(labelOf("set_endpoint"), h("div", { class: "choices" },
        endpointsOf(call).map(each => h("button", {
            class: "choice", "aria-pressed": each.state === "in_use" ? "true" : "false",
            disabled: each.state === "unavailable",
            onclick: () => {
                const method = isOfCall ? "call.set_endpoint" : "audio.set_endpoint";
                const params = isOfCall ? { call: call.call, endpoint: each.endpoint }
                    : { endpoint: each.endpoint };
                attempt(labelOf("set_endpoint"), request(method, params));
                dialog.close();
            },
        }, icon("sound"), h("span", {}, each.name ?? text("screen.endpoint." + each.kind))))));
}

function openTarget(verb, call) {
    const field = h("input", {
        id: "target", type: "text", inputmode: "tel", autocomplete: "off", required: true,
    });
    const form = h("form", {
        onsubmit: event => {
            event.preventDefault();
            const params = { call: call.call, to: handleOf(field.value), wait: "completed" };
            attempt(labelOf(verb), request("call." + verb, params));
            dialog.close();
        },
    }, h("label", { for: "target" }, text("screen.number_or_address")), field,
    h("button", { class: "primary", type: "submit", "data-verb": verb }, labelOf(verb)));
    const dialog = openDialog(labelOf(verb), form);
    field.focus();
}

const others = call => [...store.calls.values()].filter(other =>
    other.call !== call.call && other.provider === call.provider
    && (other.state === "held" || other.state === "active"));

const mergeable = call => (call.merge_with ?? []).map(id => store.calls.get(id)).filter(Boolean);

function openOthers(verb, call, choices) {
    const send = other => {
        // A held call joins the one that speaks, as apps written for CallKit expect it.
        const joins = verb === "merge" && other.state === "held" && call.state === "active";
        const [one, two] = joins ? [other, call] : [call, other];
        const params = { call: one.call, with: two.call, wait: "completed" };
        return attempt(labelOf(verb), request("call." + verb, params));
    };
    if (choices.length === 1) return send(choices[0]);
    const dialog = openDialog(labelOf(verb), h("div", { class: "choices" }, choices.map(other =>
        h("button", { class: "choice", onclick: () => { send(other); dialog.close(); } },
            h("span", {}, nameOf(other)), h("small", {}, addressOf(other))))));
    return undefined;
}

function openVideo(call) {
    const dialog = openDialog(labelOf("set_video"), h("div", { class: "choices" },
        ["off", "send", "receive", "both"].map(video => h("button", {
            class: "choice", "aria-pressed": String((call.video ?? "off") === video),
            onclick: () => {
                attempt(labelOf("set_video"), request("call.set_video", { call: call.call, video }));
                dialog.close();
            },
        }, icon("video"), h("span", {}, text("screen.video." + video))))));
}

// ---- Why

/** Shows what was decided about a call, and by which rule. */
export async function openWhy(call) {
    const list = h("ol", { class: "steps" });
    openDialog(text("screen.why_of", { name: nameOf(call) }), list);
    const reply = await attempt(text("screen.why"), request("call.explain", { call: call.call }));
    if (reply === undefined) return;
    fill(list, reply.steps.map(step => stepRow(step, call.call)));
    if (reply.steps.length === 0) list.replaceWith(h("p", {}, text("explain.none")));
}

function stepRow(step, id) {
    const nameOfOther = other => other && other !== id && store.calls.has(other) && nameOf(store.calls.get(other));
    const decision = textIfKnown("decision." + step.decision) ?? step.decision;
    const blocking = (step.blocking ?? []).map(each => store.calls.get(each.call)).filter(Boolean);
    const details = [
        step.reason && textIfKnown("refusal." + step.reason),
        step.end_reason && textIfKnown("end." + step.end_reason),
        step.end_detail?.text ?? step.failure?.message,
        step.explanation?.text,
        blocking.length > 0 && text("explain.in_the_way", { calls: blocking.map(nameOf).join(", ") }),
        text("explain.by", { origin: textIfKnown("origin." + step.cause.origin) ?? step.cause.origin }),
        nameOfOther(step.cause.because_of) && text("explain.because_of", { call: nameOfOther(step.cause.because_of) }),
    ].filter(Boolean);
    return h("li", {},
        h("time", {}, clock(step.at_ms, true)),
        h("div", {}, h("strong", {}, [nameOfOther(step.call), decision].filter(Boolean).join(": ")),
            h("p", {}, details.join(" · "))),
        step.rule ? ruleLink(step.rule) : null);
}

// ---- What if

const ASKED_OF = {
    ringing: ["answer", "hold_and_answer", "end_and_answer", "end_held_and_answer", "decline"],
    other: ["hold", "resume", "swap", "mute", "split", "end"],
};

/** What would change nothing, whatever the broker allows. */
const IDLE = {
    hold: call => call.state === "held", resume: call => call.state !== "held",
    mute: call => call.muted, split: call => !call.allowed.includes("split"),
};

/** Lets the broker say what a verb would do, without doing it. */
export function openWhatIf(call) {
    const verbs = (rings(call) ? ASKED_OF.ringing : ASKED_OF.other).filter(verb => !IDLE[verb]?.(call));
    const answer = h("div", { class: "plan", role: "status" }, text("screen.what_if_hint"));
    const ask = async (verb, button) => {
        for (const each of buttons.children) each.setAttribute("aria-pressed", String(each === button));
        const [method, params] = requestOf(verb, call);
        try {
            fill(answer, planOf(await request(method, { ...params, dry_run: true }), verb));
        } catch (error) {
            fill(answer, refusalOf(error));
        }
    };
    const buttons = h("div", { class: "chips" }, verbs.map(verb => h("button", {
        class: "chip", "data-verb": verb, "aria-pressed": "false", onclick: event => ask(verb, event.currentTarget),
    }, labelOf(verb))));
    openDialog(text("screen.what_if_of", { name: nameOf(call) }), buttons, answer);
}

function planOf(plan, verb) {
    if (plan.refusal) return refusalOf(plan.refusal);
    const name = id => store.calls.has(id) ? nameOf(store.calls.get(id)) : id;
    const lines = [
        ...plan.actions.filter(action => !action.implied)
            .map(action => `${labelOf(verb)}: ${name(action.call)}`),
        ...(plan.would_start ?? []).map(app => text("outcome.would_start", { app })),
        ...(plan.would_hold ?? []).map(id => text("outcome.would_hold", { call: name(id) })),
        ...(plan.would_end ?? []).map(id => text("outcome.would_end", { call: name(id) })),
        ...(plan.would_activate ?? []).map(id => text("outcome.would_speak", { call: name(id) })),
    ];
    return [h("p", { class: "verdict yes" }, text("outcome.would_be_done")),
        h("ul", {}, (lines.length > 0 ? lines : [text("outcome.nothing")]).map(line => h("li", {}, line)))];
}

function refusalOf(error) {
    const rule = error.data?.rule;
    return [h("p", { class: "verdict no" }, text("outcome.would_be_refused")),
        h("p", {}, refusalText(error)),
        rule ? ruleLink(rule) : null];
}
