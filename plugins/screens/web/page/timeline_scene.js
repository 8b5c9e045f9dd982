// Calls over time, as a picture shows them: what `call.timeline` has, as periods. The same scene as that of
// `callbroker timeline --json`.

/** The call of a time line with its spans, actions, decisions and links; what has not ended lasts until `now`. */
export function callOf(timeline, now) {
    const call = {
        call: timeline.call, provider: timeline.provider ?? "", direction: timeline.direction ?? "",
        from_ms: 0, to_ms: 0, spans: [], actions: [], decisions: [], links: [],
    };
    const open = { spans: new Map(), actions: new Map(), state: undefined };
    let isEmpty = true;
    for (const entry of timeline.entries) {
        for (const moment of momentsOf(entry, call.call)) {
            if (isEmpty) call.from_ms = entry.at_ms;
            isEmpty = false;
            // A clock that was set back must not turn a period round.
            call.to_ms = Math.max(call.to_ms, entry.at_ms);
            moment(call, open, call.to_ms);
        }
    }
    return open.state === "ended" ? call : untilNow(call, open, now);
}

function untilNow(call, open, now) {
    call.to_ms = Math.max(call.to_ms, now);
    for (const period of [...open.spans.values(), ...open.actions.values()]) period.to_ms = call.to_ms;
    return call;
}

function momentsOf(entry, id) {
    if (entry.change) return momentsOfChange(entry.change, id);
    if (entry.decision) return momentsOfDecision(entry.decision, id);
    if (entry.audio) return [(call, open, at) => span(call, open, "audio", entry.audio.active, at)];
    return entry.action ? [(call, open, at) => action(call, open, entry.action, at)] : [];
}

const momentsOfChange = (change, id) => [
    change.state !== undefined && ((call, open, at) => state(call, open, change.state, at)),
    change.muted !== undefined && ((call, open, at) => span(call, open, "muted", change.muted, at)),
    link("held", change.held_because_of, id),
    link("joined", change.group, id),
].filter(Boolean);

const link = (kind, other, id) => other !== undefined
    && ((call, _, at) => other !== id && call.links.push({ kind, call: other, at_ms: at }));

/** A decision about this call; others only name it. */
function momentsOfDecision(decision, id) {
    if ((decision.call ?? id) !== id) return [];
    return [
        decision.rule && ((call, _, at) => call.decisions.push({ rule: decision.rule, decision: decision.decision, at_ms: at })),
        decision.end_reason && (call => { call.end_reason = decision.end_reason; }),
    ].filter(Boolean);
}

function state(call, open, next, at) {
    if (next === open.state) return;
    if (open.state !== undefined) span(call, open, open.state, false, at);
    open.state = next;
    if (next !== "ended") return span(call, open, next, true, at);
    call.end_reason ??= "";
    return [...open.spans.keys()].forEach(kind => span(call, open, kind, false, at));
}

function span(call, open, kind, isOn, at) {
    const before = open.spans.get(kind);
    if (!isOn) {
        if (before) before.to_ms = at;
        open.spans.delete(kind);
    } else if (before === undefined && open.state !== "ended") {
        const made = { kind, from_ms: at, to_ms: at };
        open.spans.set(kind, made);
        call.spans.push(made);
    }
}

function action(call, open, { action: id, kind, state: word }, at) {
    const before = open.actions.get(id);
    if (before) {
        Object.assign(before, { to_ms: at, state: word });
        open.actions.delete(id);
        return;
    }
    const made = { kind, state: word, from_ms: at, to_ms: at };
    if (word === "dispatched") open.actions.set(id, made);
    call.actions.push(made);
}

/** The scene of calls, in the order of their beginnings. */
export function sceneOf(calls) {
    const sorted = [...calls].sort((one, other) => one.from_ms - other.from_ms || (one.call < other.call ? -1 : 1));
    return {
        from_ms: Math.min(...sorted.map(call => call.from_ms)), to_ms: Math.max(...sorted.map(call => call.to_ms)),
        calls: sorted,
    };
}

/** The times at which something happens to a call. */
export const timesOf = call => [call.from_ms, call.to_ms,
    ...[...call.spans, ...call.actions].flatMap(period => [period.from_ms, period.to_ms]),
    ...[...call.decisions, ...call.links].map(moment => moment.at_ms)];
