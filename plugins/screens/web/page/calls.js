// What is known of a call, in words.

import { text, textIfKnown, duration } from "./texts.js";

const STATES_THAT_RING = new Set(["ringing", "waiting"]);
const STATES_OF_DIALING = new Set(["starting", "dialing", "alerting", "connecting"]);

/** True while the user has to decide about it. */
export const rings = call => STATES_THAT_RING.has(call.state);

/** True while it is being placed. */
export const isDialed = call => STATES_OF_DIALING.has(call.state);

/** A number or address, which is written from left to right in every language. */
export const fromLeft = value => document.documentElement.dir === "rtl" ? `\u2066${value}\u2069` : value;

/** An address as the broker wants it: a phone number, or an address of the app's own kind. */
export function handleOf(value) {
    const address = value.trim();
    // Tones may follow a number, behind a pause.
    const isNumber = /^[+*#\d][\d\s()*#./-]*([,;pw][\dA-D*#,;pw\s]*)?$/.test(address);
    return { type: isNumber ? "phone" : "generic", value: isNumber ? address.replace(/[\s()./-]/g, "") : address };
}

/** The name of the other party: as the user has it, else as the app says, else the number. */
export function nameOf(call) {
    return call.caller?.name ?? call.suggested?.name ?? call.display_name
        ?? (call.remote ? fromLeft(call.remote.value) : text("screen.unknown_caller"));
}

/** The number or address, where the name is not that. */
export function addressOf(call) {
    const address = call.remote ? fromLeft(call.remote.value) : "";
    return address === nameOf(call) ? "" : address;
}

/** The pending change, else the state. */
export function stateOf(call) {
    if (call.pending_action) {
        return textIfKnown("pending." + call.pending_action) ?? call.pending_action;
    }
    return textIfKnown("state." + call.state) ?? call.state;
}

/** Since when it is connected, as a duration; nothing before. */
export function timerOf(call, now) {
    return call.connected_at_ms === undefined ? "" : duration(now - call.connected_at_ms);
}

/** Everything else that people should know, as short sentences. */
export function remarksOf(call, calls, providers) {
    const because = call.held_because_of && calls.get(call.held_because_of);
    const lineOf = providers.get(call.provider)?.lines?.find(line => line.line === call.line);
    return [
        call.label ?? call.caller?.label ?? call.suggested?.label,
        lineOf?.label,
        because && text("screen.held_for", { name: nameOf(because) }),
        call.remote_held && text("screen.remote_held"),
        call.muted && text("call.muted"),
        call.forwarded_from && text("call.forwarded", { party: call.forwarded_from.value }),
        call.verification === "failed" && text("call.not_verified"),
        call.elsewhere && text("screen.on_device", { device: call.elsewhere }),
        !call.provider_connected && text("call.app_not_connected"),
    ].filter(Boolean);
}

/** The app of a call, by its name. */
export function appOf(call, providers) {
    return providers.get(call.provider)?.display_name ?? call.provider;
}

/** Where the page finds the icon of a call's app: a file that the app has left among the user's caches. */
export function iconOf(call, providers) {
    const path = providers.get(call.provider)?.icon ?? "";
    const name = /\/callbroker\/icons\/([\w][\w.-]*\.png)$/.exec(path)?.[1];
    return name === undefined ? "" : `/app-icons/${name}`;
}

/** Calls in the order of their importance: what rings, what talks, what is dialed, what is held. */
export function inOrder(calls) {
    const weight = call => rings(call) ? 0 : call.state === "active" ? 1 : isDialed(call) ? 2
        : call.state === "held" ? 3 : call.state === "external" ? 4 : 5;
    return [...calls].sort((one, other) =>
        weight(one) - weight(other) || one.created_at_ms - other.created_at_ms
        || (one.call < other.call ? -1 : 1));
}

/** Two letters for the picture of a party, and one of eight colors. */
export function avatarOf(name) {
    const words = name.replace(/[^\p{L}\p{N} ]/gu, "").split(" ").filter(Boolean);
    const letters = /^[\d]/.test(words[0] ?? "") ? "#"
        : words.slice(0, 2).map(word => [...word][0]).join("").toUpperCase() || "?";
    let hue = 0;
    for (const letter of name) hue = (hue * 31 + letter.codePointAt(0)) % 8;
    return { letters, hue };
}
