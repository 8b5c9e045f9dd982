// The people whom the user knows.

import { text } from "./texts.js";
import { h, keyed, set } from "./dom.js";
import { icon } from "./icons.js";
import { on, request, store } from "./store.js";
import { attempt } from "./actions.js";
import { openDialog } from "./dialog.js";
import { avatar, field, nothing, rowButton, tick } from "./parts.js";
import { fromLeft, handleOf } from "./calls.js";
import { place } from "./view_dial.js";

const parts = {};
let timer;

/** Makes the view. */
export function makeContacts() {
    parts.search = field(text("screen.search"), {
        type: "search", name: "search",
        oninput: () => { clearTimeout(timer); timer = setTimeout(read, 120); },
    });
    parts.rows = h("ul", { class: "rows", "aria-label": text("screen.view.contacts") });
    parts.none = nothing("contacts", text("screen.no_contacts"));
    const add = h("button", { class: "primary", "data-verb": "add", onclick: () => openContact({ name: "", handles: [] }) },
        icon("plus"), text("screen.add_contact"));
    const view = h("div", { class: "view" }, h("header", {}, h("h1", {}, text("screen.view.contacts")), add),
        parts.search, parts.none, parts.rows);
    view.entered = read;
    on("state", () => store.state === "ready" && view.isConnected && read());
    return view;
}

async function read() {
    if (parts.rows === undefined) return;
    const words = parts.search.input.value.trim();
    const contacts = [];
    let page = {};
    do {
        page = await request("contact.list", { ...words ? { text: words } : {}, ...page.next ? { after: page.next } : {} })
            .catch(() => ({ contacts: [] }));
        contacts.push(...page.contacts);
    } while (page.next !== undefined && contacts.length < 1000);
    contacts.sort((one, other) => Boolean(other.favorite) - Boolean(one.favorite)
        || one.name.localeCompare(other.name));
    // A row stays, and may be pressed, while its contact is the same.
    keyed(parts.rows, contacts, JSON.stringify, makeRow);
    set(parts.none, "hidden", contacts.length > 0);
}

function makeRow(contact) {
    const open = h("button", { class: "open", onclick: () => openContact(contact) }, avatar(contact.name),
        h("span", { class: "who" }, h("strong", {}, contact.name),
            h("span", { class: "details" }, contact.handles.map(handle => fromLeft(handle.value)).join(" · "))),
        contact.favorite ? h("span", { class: "line favorite" }, icon("star"),
            h("span", { class: "unseen" }, text("screen.favorite"))) : null);
    return h("li", { class: "row", "data-contact": contact.contact }, open,
        contact.handles.length > 0 ? rowButton("answer", `${text("screen.call")}: ${contact.name}`,
            () => place(contact.handles[0], contact.provider)) : null);
}

/** A dialog to change a contact, or to add one. */
export function openContact(contact) {
    const name = field(text("screen.name"), { type: "text", name: "name", required: true, maxlength: 128 });
    const handles = field(text("screen.handles"), { rows: 3, name: "handles", required: true });
    const favorite = tick(text("screen.favorite"), contact.favorite === true, { name: "favorite" });
    const breakthrough = tick(text("screen.breakthrough"), contact.breakthrough === true, { name: "breakthrough" });
    name.input.value = contact.name;
    handles.input.value = contact.handles.map(handle => handle.value).join("\n");
    const save = async event => {
        event.preventDefault();
        const known = new Map(contact.handles.map(handle => [handle.value, handle]));
        const lines = handles.input.value.split("\n").map(line => line.trim()).filter(Boolean);
        const done = await attempt(text("screen.save"), request("contact.put", {
            ...contact.contact ? { contact: contact.contact } : {},
            ...contact.provider ? { provider: contact.provider } : {},
            name: name.input.value.trim(), handles: lines.map(line => known.get(line) ?? handleOf(line)),
            favorite: favorite.input.checked, breakthrough: breakthrough.input.checked,
        }));
        if (done === undefined) return;
        dialog.close();
        read();
    };
    const remove = async () => {
        await attempt(text("screen.button.remove"), request("contact.remove", { contact: contact.contact }));
        dialog.close();
        read();
    };
    const form = h("form", { onsubmit: save }, name, handles, favorite, breakthrough,
        h("div", { class: "chips" },
            h("button", { class: "primary", type: "submit", "data-verb": "save" }, text("screen.save")),
            contact.contact ? h("button", { type: "button", "data-verb": "remove", onclick: remove },
                text("screen.button.remove")) : null));
    const dialog = openDialog(text(contact.contact ? "screen.edit_contact" : "screen.add_contact"), form);
    name.input.focus();
}
