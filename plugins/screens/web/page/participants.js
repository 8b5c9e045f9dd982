// Who takes part in a conference that the far end runs.

import { text, textIfKnown } from "./texts.js";
import { h, keyed, say, set } from "./dom.js";
import { icon } from "./icons.js";
import { changed, on, onEvent, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { openDialog } from "./dialog.js";
import { fromLeft, nameOf } from "./calls.js";
import { avatar } from "./parts.js";

/** What can be changed of a participant: the words for what it would be then. */
const CHANGES = {
    muted: { false: "mute", true: "unmute" },
    hand_raised: { false: "raise_hand", true: "lower_hand" },
};
/** By call, the participants by their ids. */
const conferences = new Map();

onEvent("call.participants", data => {
    const people = conferences.get(data.call);
    if (people === undefined) return;
    if (data.replace) people.clear();
    for (const id of data.removed ?? []) people.delete(id);
    for (const each of data.changed ?? []) people.set(each.participant, each);
    told(data.call);
});
on("calls", ids => {
    for (const id of ids) if (!store.calls.has(id)) conferences.delete(id);
});
on("state", () => store.state === "ready" || conferences.clear());

function told(id) {
    changed("participants", id);
    changed("calls", id);
}

/** The number of participants of a call: none while it is not known that it is a conference. */
export function participantsOf(call) {
    const people = conferences.get(call.call);
    if (people === undefined && (call.state === "active" || call.state === "held")) read(call.call);
    return people?.size ?? 0;
}

/** Reads the participants once; what changes from then on comes as events, also between the pages. */
async function read(id) {
    const people = new Map();
    conferences.set(id, people);
    let page = {};
    do {
        page = await request("participant.list", { call: id, ...page.next ? { after: page.next } : {} })
            .catch(() => ({ participants: [] }));
        for (const each of page.participants) people.set(each.participant, each);
    } while (page.next !== undefined);
    if (people.size > 0) told(id);
}

/** Opens the list of a conference. */
export function openParticipants(call) {
    const list = h("ul", { class: "rows plain-rows", "aria-label": text("screen.participants.all") });
    const dialog = openDialog(text("screen.participants.of", { name: nameOf(call) }), list);
    const draw = () => {
        const people = [...conferences.get(call.call)?.values() ?? []];
        keyed(list, people, each => each.participant, each => makeRow(call, each), drawRow);
        if (people.length === 0 && store.state === "ready") dialog.close();
    };
    const stop = on("participants", draw);
    dialog.addEventListener("close", stop);
    draw();
}

const nameOfOne = one => one.name ?? (one.handle ? fromLeft(one.handle.value) : text("screen.unknown_caller"));

function makeRow(call, one) {
    const has = { name: h("strong"), details: h("span", { class: "details" }), buttons: h("div", { class: "row-buttons" }) };
    const row = h("li", { class: "row", "data-participant": one.participant }, avatar(nameOfOne(one)),
        h("span", { class: "who" }, has.name, has.details), has.buttons);
    row.parts = { ...has, call };
    return row;
}

function drawRow(row, one) {
    const has = row.parts;
    const name = nameOfOne(one);
    say(has.name, name);
    say(has.details, [
        one.self && text("participants.self"),
        textIfKnown("participants." + (one.state ?? "joined")) ?? one.state,
        one.muted && text("participants.muted"),
        one.hand_raised && text("participants.hand_raised"),
    ].filter(Boolean).join(" · "));
    const members = Object.keys(CHANGES).filter(member => one.changeable?.includes(member));
    keyed(has.buttons, members.map(member => ({ member, verb: CHANGES[member][one[member] === true] })),
        ({ verb }) => verb, ({ member, verb }) => h("button", {
            class: "round plain", "data-verb": verb, onclick: () => change(has.call, one.participant, member, verb),
        }, icon(verb)), (button, { verb }) => set(button, "aria-label", `${text("screen.button." + verb)}: ${name}`));
}

const change = (call, participant, member, verb) => attempt(text("screen.button." + verb), request(
    "participant.update", { call: call.call, participant, [member]: verb === CHANGES[member].false }));
