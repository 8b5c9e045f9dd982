// Notes of the browser, for when the page is not looked at.

import { text } from "./texts.js";
import { nameOf, addressOf } from "./calls.js";

const shown = new Map();

function show(tag, title, body) {
    if (!document.hidden || !("Notification" in window)) return undefined;
    if (Notification.permission !== "granted") return undefined;
    const note = new Notification(title, { tag, body, icon: "/icon-192.png", lang: document.documentElement.lang });
    note.onclick = () => {
        window.focus();
        note.close();
    };
    return note;
}

/** Shows that a call comes in. */
export function notifyOf(call) {
    if (call.state !== "ringing" && call.state !== "waiting") return;
    const note = show(call.call, nameOf(call), `${text("screen.incoming")} · ${addressOf(call)}`);
    if (note) shown.set(call.call, note);
}

/** Removes the note of a call. */
export function sendAway(id) {
    shown.get(id)?.close();
    shown.delete(id);
}

/** Shows how many calls were missed. */
export function notifyMissed(count) {
    show("missed", text("screen.missed", { count }), "");
}

/** True if the user can still be asked for notes. */
export const canAskForNotes = () => "Notification" in window && Notification.permission === "default";
