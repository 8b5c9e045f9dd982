// A call that comes in, over the whole page.

import { text } from "./texts.js";
import { h, keyed, say, set } from "./dom.js";
import { on, store } from "./store.js";
import { addressOf, appOf, avatarOf, iconOf, inOrder, nameOf, remarksOf, rings } from "./calls.js";
import { answersOf, labelOf, perform, requestsOf } from "./actions.js";
import { choose, wideButton } from "./view_calls.js";
import { openWhatIf, openWhy } from "./dialogs.js";
import { icon } from "./icons.js";

const OTHERS = ["decline", "silence", "deflect"];
let page;
let parts;
let putAside = new Set();

/** Makes the page, which is hidden while nothing comes in. */
export function makeIncoming() {
    parts = {
        kind: h("p", { class: "kind", id: "incoming-kind" }), avatar: h("div", { class: "avatar huge", "aria-hidden": "true" }),
        name: h("h2", { id: "incoming-name" }), address: h("p", { class: "address" }),
        remarks: h("p", { class: "remarks" }), meanwhile: h("p", { class: "meanwhile" }),
        buttons: h("div", { class: "answers" }), more: h("p", { class: "more" }),
        icon: h("img", { class: "app-icon", alt: "", hidden: true }),
    };
    const links = h("p", { class: "links" },
        h("button", { class: "link", "data-verb": "why", onclick: () => openWhy(page.call) }, icon("why"), text("screen.why")),
        h("button", { class: "link", "data-verb": "whatif", onclick: () => openWhatIf(page.call) }, icon("whatif"), text("screen.what_if")),
        h("button", { class: "link", "data-verb": "aside", onclick: aside }, icon("close"), text("screen.put_aside")));
    page = h("dialog", {
        class: "incoming", "aria-labelledby": "incoming-kind incoming-name",
    }, h("div", { class: "incoming-body" }, parts.kind, parts.avatar, parts.name, parts.icon,
        parts.address, parts.remarks, parts.meanwhile, parts.buttons, links, parts.more));
    page.addEventListener("cancel", event => {
        event.preventDefault();
        aside();
    });
    on("calls", draw);
    on("providers", () => page.open && show(page.call));
    on("wanted", bringUp);
    return page;
}

/** The call rings on, and is answered from the list. */
function aside() {
    putAside.add(page.call.call);
    draw();
}

/** The note of a call was pressed: it is shown, also if it was put aside; without one, what was missed. */
function bringUp(ids) {
    const [id] = ids;
    location.hash = id === undefined ? "history" : "calls";
    if (id === undefined) return;
    putAside.delete(id);
    choose(id);
    draw();
}

/** Calls that are this page's to show; all that ring, where it may not present calls. */
const isShown = call => rings(call) && !call.pending_action && !putAside.has(call.call)
    && (store.presented.has(call.call) || !store.mayPresent);

function draw() {
    putAside = new Set([...putAside].filter(id => store.calls.has(id)));
    const waiting = inOrder(store.calls.values()).filter(isShown);
    if (waiting.length === 0) return page.open && page.close();
    const call = waiting.find(each => each.call === page.call?.call) ?? waiting[0];
    if (page.call !== call) show(call);
    say(parts.more, waiting.length > 1 ? text("screen.more_ring", { count: waiting.length - 1 }) : "");
    drawMeanwhile();
    if (!page.open) open();
    return undefined;
}

function open() {
    page.showModal();
    page.querySelector(".go")?.focus();
}

function drawMeanwhile() {
    const live = [...store.calls.values()].find(call => call.state === "active");
    say(parts.meanwhile, live ? text("screen.meanwhile", { name: nameOf(live) }) : "");
}

function show(call) {
    page.call = call;
    set(page, "data-call", call.call);
    const name = nameOf(call);
    const { letters, hue } = avatarOf(name);
    const kind = call.priority === "emergency" ? "screen.emergency" : call.has_video
        ? "screen.incoming_video" : call.state === "waiting" ? "screen.another" : "screen.incoming";
    say(parts.kind, text(kind));
    say(parts.avatar, letters);
    set(parts.avatar, "data-hue", hue);
    say(parts.name, name);
    const source = iconOf(call, store.providers);
    set(parts.icon, "src", source || undefined);
    set(parts.icon, "hidden", source === "");
    say(parts.address, [addressOf(call), appOf(call, store.providers)].filter(Boolean).join(" · "));
    say(parts.remarks, remarksOf(call, store.calls, store.providers).join(" · "));
    const verbs = [...answersOf(call), ...OTHERS.filter(verb => call.allowed.includes(verb))];
    keyed(parts.buttons, verbs, verb => verb, verb => wideButton(verb, () => page.call));
}

/** What apps would like to be allowed, and what calls ask the user for, at the top of the page. */
export function makeQuestions() {
    const [apps, calls] = [h("div", { class: "questions" }), h("div", { class: "questions" })];
    on("questions", () => keyed(apps, store.questions, each => each.question, makeQuestion));
    on("calls", () => keyed(calls, requestsOfCalls(), each => `${each.call.call} ${each.verbs[0]}`, makeRequest, drawRequest));
    return h("div", {}, apps, calls);
}

const makeQuestion = question => h("section", { class: "question", "data-provider": question.provider },
    h("p", {}, text("screen.ask." + question.subject, { app: question.display_name ?? question.provider })),
    h("p", { class: "details" }, [question.provider, question.app ?? question.executable].filter(Boolean).join(" · ")),
    h("div", { class: "chips" }, ["allow", "deny", "later"].map(word => h("button", {
        class: "chip", "data-answer": word, onclick: () => question.answer(word),
    }, text("screen.button." + word)))));

const asks = call => call.video_request || call.text_request || call.paused_tones;

const requestsOfCalls = () => inOrder([...store.calls.values()].filter(asks))
    .flatMap(call => requestsOf(call).map(request => ({ ...request, call })));

function makeRequest(request) {
    const words = h("p");
    const element = h("section", { class: "question request", role: "alert", "data-call": request.call.call }, words,
        h("div", { class: "chips" }, request.verbs.map(verb => h("button", {
            class: "chip", "data-verb": verb, onclick: () => perform(verb, store.calls.get(request.call.call)),
        }, labelOf(verb)))));
    element.words = words;
    return element;
}

const drawRequest = (element, { call, words }) => say(element.words, `${nameOf(call)}: ${words}`);
