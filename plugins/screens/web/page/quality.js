// How well the sound of calls is transmitted, as their apps measure it.

import { decimal, text } from "./texts.js";
import { changed, on, onEvent, store } from "./store.js";

/** From where on people notice it: thousandths, and milliseconds. */
const POOR = { loss_permille: 50, jitter_ms: 100, round_trip_ms: 1000 };
/** One report may be a hiccup. */
const REPORTS = 2;
const measured = new Map();

onEvent("call.quality", data => {
    const isPoor = Object.entries(POOR).some(([member, limit]) => (data[member] ?? 0) >= limit);
    const reports = isPoor ? (measured.get(data.call)?.reports ?? 0) + 1 : 0;
    measured.set(data.call, { data, reports });
    changed("calls", data.call);
});
on("calls", ids => {
    for (const id of ids) if (!store.calls.has(id)) measured.delete(id);
});

/** True for a call of whose connection users notice that it is poor. */
export const isPoor = call => (measured.get(call.call)?.reports ?? 0) >= REPORTS;

/** The latest report in words; empty before the first. */
export function qualityOf(call) {
    const data = measured.get(call.call)?.data;
    if (data === undefined) return "";
    return [
        data.loss_permille !== undefined && text("quality.loss", { percent: decimal(data.loss_permille / 10) }),
        data.jitter_ms !== undefined && text("quality.jitter", { milliseconds: data.jitter_ms }),
        data.round_trip_ms !== undefined && text("quality.round_trip", { milliseconds: data.round_trip_ms }),
    ].filter(Boolean).join(" · ");
}
