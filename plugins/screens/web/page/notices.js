// Notes of the browser, for when the page is not looked at.

import { text } from "./texts.js";
import { addressOf, fromLeft, nameOf, rings } from "./calls.js";

const shown = new Map();
let pressed = () => {};

/** Calls a function with the id of the call whose note is pressed; undefined for that of missed calls. */
export const onNotePressed = listener => { pressed = listener; };

function show(tag, title, body, call) {
    if (!document.hidden || !("Notification" in window)) return;
    if (Notification.permission !== "granted") return;
    const note = new Notification(title, {
        tag, body, icon: "/icon-192.png", lang: document.documentElement.lang,
        dir: document.documentElement.dir, requireInteraction: call !== undefined,
    });
    note.onclick = () => {
        window.focus();
        note.close();
        pressed(call);
    };
    shown.set(tag, note);
}

/** Shows that a call comes in. */
export function notifyOf(call) {
    if (!rings(call)) return;
    show(call.call, nameOf(call), [text("screen.incoming"), addressOf(call)].filter(Boolean).join(" · "), call.call);
}

const waitsForUser = call => call?.paused_tones !== undefined && call.paused_tones.until !== "time";

/** Shows that a call asks the user for something, if it did not before; removes the note if it asks for nothing. */
export function notifyRequest(call, before) {
    const [word] = [
        call.video_request && !before?.video_request
            && (call.video_request === "receive" ? "screen.video_offer" : "screen.video_request"),
        call.text_request && !before?.text_request && "screen.text_request",
        waitsForUser(call) && !waitsForUser(before) && "screen.tones.user",
    ].filter(Boolean);
    const digits = fromLeft(call.paused_tones?.digits ?? "");
    if (word) show(call.call, nameOf(call), text(word, { digits }), call.call);
    else if (!call.video_request && !call.text_request && !waitsForUser(call)) sendAway(call.call);
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

// What is looked at needs no note.
document.addEventListener("visibilitychange", () => {
    if (!document.hidden) [...shown.keys()].forEach(sendAway);
});
