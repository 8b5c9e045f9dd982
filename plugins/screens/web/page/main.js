// The page: its parts, and which of them is seen.

import { loadTexts, text, textIfKnown } from "./texts.js";
import { fill, h, say, set } from "./dom.js";
import { icon } from "./icons.js";
import { link, on, store } from "./store.js";
import { makeCalls } from "./view_calls.js";
import { makeIncoming, makeQuestions } from "./incoming.js";
import { openRule } from "./rules.js";
import { fromLeft } from "./calls.js";
import { keepForLater } from "./offline.js";

/** The views, by the names of their addresses; those that load their module when they are wanted. */
const VIEWS = [
    ["calls", async () => makeCalls()],
    ["dial", async () => (await import("./view_dial.js")).makeDial()],
    ["history", async () => (await import("./view_history.js")).makeHistory()],
    ["timeline", async () => (await import("./view_timeline.js")).makeTimeline()],
    ["contacts", async () => (await import("./view_contacts.js")).makeContacts()],
    ["block", async () => (await import("./view_block.js")).makeBlock()],
    ["settings", async () => (await import("./view_settings.js")).makeSettings()],
    ["plugins", async () => (await import("./view_plugins.js")).makePlugins()],
];
/** How the names of the screens begin that come with the broker. */
const OWN = "org.callbroker.";
const made = new Map();
const main = document.querySelector("#main");
const links = new Map();
let wantedNow;

function makeNavigation() {
    const navigation = document.querySelector("#navigation");
    set(navigation, "aria-label", text("screen.views"));
    fill(navigation, VIEWS.map(([name]) => {
        const item = h("a", { href: "#" + name }, icon(name), h("span", {}, text("screen.view." + name)));
        links.set(name, item);
        return item;
    }));
    const badge = h("span", { class: "badge", hidden: true });
    links.get("history")?.append(badge);
    on("missed", () => {
        set(badge, "hidden", store.missed === 0);
        say(badge, String(store.missed));
        set(badge, "aria-label", text("screen.missed", { count: store.missed }));
    });
}

/** Shows the view of the address; a rule is shown above the view that there is. */
async function route() {
    if (location.hash.startsWith("#rule-") && made.size > 0) return openRule(location.hash);
    const wanted = location.hash.slice(1).split("?")[0];
    const [name, make] = VIEWS.find(([each]) => each === wanted) ?? VIEWS[0];
    if (!made.has(name)) made.set(name, make());
    wantedNow = name;
    const view = await made.get(name);
    // The user has gone on while the module was loaded.
    if (wantedNow !== name) return undefined;
    for (const [each, item] of links) set(item, "aria-current", each === name ? "page" : undefined);
    document.title = `${text("screen.view." + name)} · CallBroker`;
    fill(main, view);
    view.entered?.();
    return openRule(location.hash);
}

/** Which screen the broker offers calls first, while it is not this page. */
function drawHolder() {
    const place = document.querySelector("#holder");
    const holder = store.host.screen;
    const own = holder?.startsWith(OWN) ? textIfKnown("screen.holder." + holder.slice(OWN.length)) : undefined;
    const name = own ?? fromLeft(holder ?? "");
    const isElsewhere = store.state === "ready" && store.mayPresent && !store.isFirst;
    const sentence = !isElsewhere ? "" : holder ? text("screen.holder", { screen: name }) : text("screen.holder.none");
    say(place, sentence);
    set(place, "hidden", sentence === "");
}

function drawState() {
    const banner = document.querySelector("#state");
    const sentence = store.state === "ready" ? "" : text("screen.connection." + store.state);
    say(banner, sentence);
    set(banner, "hidden", sentence === "");
    set(document.body, "data-state", store.state);
}

async function start() {
    await loadTexts();
    say(document.querySelector("#skip"), text("screen.skip"));
    makeNavigation();
    document.body.append(makeIncoming());
    document.querySelector("#questions").append(makeQuestions());
    on("state", drawState);
    on("holder", drawHolder);
    on("state", drawHolder);
    addEventListener("hashchange", route);
    await route();
    link.open();
    keepForLater();
}

start();
