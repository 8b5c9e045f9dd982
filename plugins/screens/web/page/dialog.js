// Dialogs: a title, a button that closes it, and what it is about.

import { text } from "./texts.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

let lastId = 0;

/** Opens a dialog, which has a button to close it. Returns the element. */
export function openDialog(title, ...content) {
    const id = `dialog-title-${++lastId}`;
    const heading = h("h2", { id }, title);
    const close = h("button", {
        class: "plain round", "aria-label": text("screen.close"), "data-verb": "close", onclick: () => dialog.close(),
    }, icon("close"));
    const dialog = h("dialog", { "aria-labelledby": id },
        h("div", { class: "dialog-head" }, heading, close), h("div", { class: "dialog-body" }, ...content));
    dialog.addEventListener("close", () => dialog.remove());
    dialog.addEventListener("click", event => event.target === dialog && dialog.close());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}
