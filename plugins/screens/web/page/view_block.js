// Who must not ring, and when nobody may.

import { text, when } from "./texts.js";
import { fill, h, set } from "./dom.js";
import { icon } from "./icons.js";
import { on, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { field, rowButton, tick, toggle } from "./parts.js";
import { fromLeft, handleOf } from "./calls.js";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const parts = {};

/** Makes the view. */
export function makeBlock() {
    const view = h("div", { class: "view narrow" }, h("h1", {}, text("screen.view.block")),
        makeDoNotDisturb(), makeList());
    view.entered = readBlocks;
    on("policy", drawDoNotDisturb);
    on("state", () => store.state === "ready" && view.isConnected && readBlocks());
    drawDoNotDisturb();
    return view;
}

// ---- Do not disturb

/** The rest stays as it is at the broker, which may know more than this page. */
const change = members => attempt(text("screen.do_not_disturb"), request("policy.set",
    { do_not_disturb: members })).then(drawDoNotDisturb);

function makeDoNotDisturb() {
    parts.on = toggle("dnd", text("screen.do_not_disturb"), text("screen.do_not_disturb_hint"), "40",
        value => change({ on: value, until_at_ms: null }));
    parts.hour = h("button", { class: "chip", "data-verb": "hour",
        onclick: () => change({ on: true, until_at_ms: Date.now() + 3_600_000 }) }, text("screen.for_an_hour"));
    parts.until = h("p", { class: "details", role: "status" });
    parts.repeated = toggle("repeated", text("screen.repeated_pass"), text("screen.repeated_pass_hint"), "32",
        value => change({ repeated_calls_pass: value }));
    parts.priority = toggle("priority", text("screen.priority_pass"), text("screen.priority_pass_hint"), "43",
        value => change({ priority_callers_pass: value }));
    parts.schedule = h("ul", { class: "rows plain-rows", "aria-label": text("screen.schedule") });
    return h("section", { class: "card" }, parts.on,
        h("div", { class: "chips" }, parts.hour, parts.until), parts.repeated, parts.priority,
        h("h2", {}, text("screen.schedule")), parts.schedule, makePeriod());
}

function makePeriod() {
    const names = text("time.weekdays").split(" ");
    const days = DAYS.map((day, index) => {
        const chip = h("button", {
            type: "button", class: "chip day", "data-day": day, "aria-pressed": "false",
            onclick: () => set(chip, "aria-pressed", String(chip.getAttribute("aria-pressed") === "false")),
        }, names[index]);
        return chip;
    });
    const from = field(text("screen.from"), { type: "time", name: "from", required: true, value: "22:00" });
    const to = field(text("screen.to"), { type: "time", name: "to", required: true, value: "07:00" });
    const add = event => {
        event.preventDefault();
        const chosen = DAYS.filter((_, index) => days[index].getAttribute("aria-pressed") === "true");
        const period = { ...chosen.length > 0 ? { days: chosen } : {}, from: from.input.value, to: to.input.value };
        change({ schedule: [...store.policy.do_not_disturb.schedule, period] });
    };
    return h("form", { class: "period", onsubmit: add }, h("div", { class: "chips", role: "group", "aria-label": text("screen.days") }, days),
        h("div", { class: "side-by-side" }, from, to,
            h("button", { type: "submit", "data-verb": "add-period" }, icon("plus"), text("screen.add"))));
}

function drawDoNotDisturb() {
    const state = store.policy?.do_not_disturb;
    if (state === undefined) return;
    parts.on.box.checked = state.on;
    parts.repeated.box.checked = state.repeated_calls_pass;
    parts.priority.box.checked = state.priority_callers_pass;
    const until = state.on && state.until_at_ms ? text("dnd.on_until", { when: when(state.until_at_ms) }) : "";
    fill(parts.until, until);
    const names = text("time.weekdays").split(" ");
    fill(parts.schedule, state.schedule.map((period, index) => {
        const days = period.days ? period.days.map(day => names[DAYS.indexOf(day)]).join(" ") : text("screen.every_day");
        return h("li", { class: "row" }, h("span", { class: "who" }, h("strong", {}, `${period.from} – ${period.to}`),
            h("span", { class: "details" }, days)),
        rowButton("close", `${text("screen.button.remove")}: ${period.from}`, () => change(
            { schedule: state.schedule.filter((_, other) => other !== index) })));
    }));
}

// ---- Blocked numbers

function makeList() {
    const number = field(text("screen.number_or_address"), { type: "text", name: "blocked", required: true, inputmode: "tel" });
    const prefix = tick(text("screen.all_beginning"), false, { name: "prefix" });
    parts.blocks = h("ul", { class: "rows plain-rows", "aria-label": text("screen.blocked_numbers") });
    parts.none = h("p", { class: "details" }, text("screen.no_blocks"));
    const add = async event => {
        event.preventDefault();
        const handle = handleOf(number.input.value);
        const done = await attempt(text("screen.button.block"),
            request("block.add", prefix.input.checked ? { prefix: handle } : { handle }));
        if (done !== undefined) number.input.value = "";
        readBlocks();
    };
    return h("section", { class: "card" }, h("h2", {}, text("screen.blocked_numbers")),
        h("form", { onsubmit: add }, h("div", { class: "side-by-side" }, number,
            h("button", { type: "submit", "data-verb": "block" }, icon("block"), text("screen.button.block"))), prefix),
        parts.none, parts.blocks);
}

async function readBlocks() {
    const reply = await request("block.list").catch(() => undefined);
    if (reply === undefined) return;
    set(parts.none, "hidden", reply.blocks.length > 0);
    fill(parts.blocks, reply.blocks.map(block => {
        const value = fromLeft(block.handle?.value ?? `${block.prefix.value}…`);
        const remove = async () => {
            await attempt(text("screen.button.unblock"), request("block.remove",
                block.handle ? { handle: block.handle } : { prefix: block.prefix }));
            readBlocks();
        };
        return h("li", { class: "row" }, h("span", { class: "who" }, h("strong", {}, value),
            h("span", { class: "details" }, [block.reason, when(block.added_at_ms)].filter(Boolean).join(" · "))),
        rowButton("close", `${text("screen.button.unblock")}: ${value}`, remove));
    }));
}
