// Records which buttons the page shows, and which of them a user presses: by their place and what they stand for.
(() => {
    const CONTROLS = "button, a[href], select, input[type=checkbox]";
    const PLACES = ["dialog.incoming", "dialog", "#notes", "#questions", "#navigation", ".panel", ".calls .row"];
    const record = window.recorded = { shown: {}, pressed: {} };

    const viewNow = () => document.querySelector("#navigation [aria-current]")?.hash;

    function placeOf(control) {
        const place = PLACES.find(each => control.closest(each));
        return place ?? (control.closest("#main") ? "view " + viewNow() : "page");
    }

    function nameOf(control) {
        if (control.matches("[href*='#rule-']")) return "rule";
        for (const name of ["verb", "answer", "key", "switch", "filter", "day"]) {
            if (control.dataset[name]) return `${name} ${control.dataset[name]}`;
        }
        for (const name of ["open", "choice", "skip"]) if (control.classList.contains(name)) return name;
        return (control.getAttribute("href") ?? control.name)
            || (control.getAttribute("aria-label") ?? control.textContent).split(":")[0].trim();
    }

    const keyOf = control => `${placeOf(control)} > ${nameOf(control)}`;
    const isShown = control => control.checkVisibility() && !control.disabled && !control.matches(".skip:not(:focus)");

    function look() {
        for (const control of document.querySelectorAll(CONTROLS)) {
            if (isShown(control)) record.shown[keyOf(control)] ??= control.outerHTML.slice(0, 160);
        }
        requestAnimationFrame(look);
    }

    for (const kind of ["click", "change"]) {
        addEventListener(kind, event => {
            const control = event.target.closest?.(CONTROLS);
            if (event.isTrusted && control) record.pressed[keyOf(control)] = true;
        }, true);
    }
    addEventListener("DOMContentLoaded", look);

    // A frame of the broker that never arrives: the page has to read what there is anew.
    const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
    Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(receive) {
            set.call(this, message => {
                const isLost = record.loses !== undefined && message.data.includes(record.loses);
                if (!isLost) return receive(message);
                record.loses = undefined;
                return undefined;
            });
        },
    });
})();
