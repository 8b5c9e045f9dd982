// The broker's plugins, in a session with the rights that this takes.

import { clock, text, textIfKnown } from "./texts.js";
import { h, keyed, set, say } from "./dom.js";
import { icon } from "./icons.js";
import { Link } from "./link.js";
import { attempt } from "./actions.js";
import { openDialog } from "./dialog.js";
import { nothing } from "./parts.js";

const parts = {};
let admin;
let isDenied = false;

/** Makes the view. */
export function makePlugins() {
    parts.rows = h("ul", { class: "rows", "aria-label": text("screen.view.plugins") });
    parts.none = nothing("plugins", text("screen.no_plugins"));
    const view = h("div", { class: "view" }, h("h1", {}, text("screen.view.plugins")), parts.none, parts.rows);
    view.entered = () => admin ? read() : open();
    return view;
}

function open() {
    admin = new Link(["admin", "observer"], {
        async opened(hello) {
            isDenied = !hello.granted_roles.includes("admin");
            if (isDenied) return say(parts.none.lastChild, text("screen.plugins_denied"));
            await admin.request("events.subscribe", { topics: ["plugin.state"], snapshot: false });
            return read();
        },
        event: read,
        state() {},
    });
    admin.open();
}

async function read() {
    if (isDenied) return;
    const plugins = [];
    let page = {};
    do {
        page = await admin.request("plugin.list", page.next ? { after: page.next } : {})
            .catch(() => ({ plugins: [] }));
        plugins.push(...page.plugins);
    } while (page.next !== undefined);
    set(parts.none, "hidden", plugins.length > 0);
    // A row stays, and may be pressed, while its plugin is the same.
    keyed(parts.rows, plugins, JSON.stringify, makeRow);
}

const isUp = plugin => ["ready", "starting", "unresponsive", "backoff"].includes(plugin.state);

function makeRow(plugin) {
    const verb = plugin.enabled ? "disable" : "enable";
    const send = word => async () => {
        await attempt(text("screen.plugin." + word), admin.request("plugin." + word, { plugin: plugin.plugin }));
        read();
    };
    const details = [plugin.description, plugin.failure_message ?? plugin.fault?.message].filter(Boolean);
    return h("li", { class: "row plugin", "data-plugin": plugin.plugin },
        h("span", { class: "disc" }, icon("plugins")),
        h("span", { class: "who tall" }, h("strong", {}, plugin.name), details.map(line =>
            h("span", { class: "details" }, line)),
        h("span", { class: "state", "data-word": plugin.state }, textIfKnown("screen.plugin_state." + plugin.state) ?? plugin.state)),
        h("div", { class: "chips" },
            isUp(plugin) ? chip("restart", plugin, send("restart")) : null,
            chip("logs", plugin, () => openLog(plugin)), chip(verb, plugin, send(verb))));
}

const chip = (word, plugin, press) => h("button", {
    class: "chip", "data-verb": word, "aria-label": `${text("screen.plugin." + word)}: ${plugin.name}`, onclick: press,
}, text("screen.plugin." + word));

async function openLog(plugin) {
    const reply = await attempt(text("screen.plugin.logs"),
        admin.request("plugin.logs", { plugin: plugin.plugin, limit: 200 }));
    if (reply === undefined) return;
    openDialog(plugin.name, reply.lines.length === 0 ? h("p", {}, text("screen.no_log"))
        : h("ol", { class: "log", tabindex: "0", "aria-label": text("screen.plugin.logs") }, reply.lines.map(line =>
            h("li", {}, h("time", {}, clock(line.at_ms, true)), " ", line.text))));
}
