// What a picture of calls over time says.

import { text, textIfKnown } from "./texts.js";
import { fromLeft } from "./calls.js";

/** The words of the actions of apps: those of the buttons that stand for them. */
const ACTIONS = {
    start: "screen.call", answer: "screen.button.answer", end: "screen.button.end",
    set_held: "screen.button.hold", set_muted: "screen.button.mute", set_group: "screen.button.merge",
    play_dtmf: "screen.button.play_dtmf", set_endpoint: "screen.button.set_endpoint",
    set_video: "screen.button.set_video", set_text: "screen.button.set_text",
    transfer: "screen.button.transfer", attended_transfer: "screen.button.attended_transfer",
    deflect: "screen.button.deflect",
};
const STATES = ["starting", "dialing", "alerting", "ringing", "waiting", "connecting", "active", "held", "ending", "external"];

/** The time since the beginning: 0.34 s, 1:05. */
export function offset(ms) {
    const seconds = Math.floor(ms / 1000);
    const tail = ms % 1000 ? "." + String(ms % 1000).padStart(3, "0").replace(/0+$/, "") : "";
    if (seconds < 60) return `${seconds}${tail} s`;
    const two = number => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}${tail}`;
}

/** A duration, whose milliseconds are shown while they matter. */
export function length(ms) {
    if (ms < 1000) return fromLeft(`${ms} ms`);
    return fromLeft(offset(ms < 10_000 ? Math.floor(ms / 100) * 100 : Math.floor(ms / 1000) * 1000));
}

/** A kind of span: a state, muted, or with microphone and speaker. */
export const wordOf = kind => textIfKnown("timeline." + kind) ?? textIfKnown("state." + kind) ?? kind;

/** The class of a span; one of a newer broker looks like any other. */
export const styleOf = kind => STATES.includes(kind) ? "s-" + kind : kind === "audio" || kind === "muted" ? kind : "s-other";

/** A span with its duration. */
export const spanWords = span => `${wordOf(span.kind)}, ${length(span.to_ms - span.from_ms)}`;

/** Why a call is over. */
export const endWords = reason => [textIfKnown("state.ended"), textIfKnown("end." + reason) ?? reason]
    .filter(Boolean).join(": ");

/** A decision with its rule. */
export const decisionWords = decision => `${text("explain.rule", { rule: decision.rule })}: `
    + (textIfKnown("decision." + decision.decision) ?? decision.decision);

/** True for an action that was done, or still may be. */
export const isGood = action => action.state === "fulfilled" || action.state === "dispatched";

/** What a switch does depends on what there was before. */
const BACK = { set_held: ["held", "screen.button.resume"], set_muted: ["muted", "screen.button.unmute"] };

function nameOfAction(action, call) {
    const [kind, word] = BACK[action.kind] ?? [];
    const isBack = call.spans.some(span => span.kind === kind && span.from_ms < action.from_ms && span.to_ms >= action.from_ms);
    return isBack ? text(word) : ACTIONS[action.kind] ? text(ACTIONS[action.kind]) : action.kind;
}

const stateOfAction = action => textIfKnown(action.state === "late" ? "timeline.late" : "action." + action.state) ?? action.state;

/** An action with its latency or, if it was never sent, with its state. */
export const actionLabel = (action, call) => `${nameOfAction(action, call)} ` + (action.from_ms < action.to_ms || isGood(action)
    ? length(action.to_ms - action.from_ms) : stateOfAction(action));

/** An action with its latency and its result. */
export const actionWords = (action, call) =>
    `${nameOfAction(action, call)} ${length(action.to_ms - action.from_ms)}, ${stateOfAction(action)}`;

/** A relation of two calls. */
export const linkWords = (link, call, other) => text(link.kind === "held" ? "timeline.held_for" : "timeline.joined", { call, other });

/** A call in words, for those who do not see it. */
export const callWords = (call, name) => [name, ...call.spans.map(spanWords),
    call.end_reason !== undefined && endWords(call.end_reason)].filter(Boolean).join("; ");

/** The samples that a picture needs: classes and words. */
export function legendOf(scene, hasLabels) {
    const kinds = new Set(scene.calls.flatMap(call => call.spans.map(span => span.kind)));
    const has = kind => scene.calls.some(call => call.links.some(link => link.kind === kind));
    return [
        ...STATES.filter(state => kinds.has(state)).map(state => [styleOf(state), wordOf(state)]),
        kinds.has("muted") && ["muted", wordOf("muted")],
        kinds.has("audio") && ["audio", wordOf("audio")],
        has("held") && ["link-held", text("timeline.legend_held")],
        has("joined") && ["link-joined", text("timeline.legend_joined")],
        hasLabels && scene.calls.some(call => call.actions.length > 0) && ["action", text("timeline.legend_action")],
    ].filter(Boolean);
}
