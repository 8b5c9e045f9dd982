// Elements, without a framework: made once, and changed only where something is different.

/** An element with properties, attributes, listeners (`onclick`) and children. */
export function h(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else set(element, key, value);
    }
    element.append(...children.flat().filter(child => child !== undefined && child !== null));
    return element;
}

/** Sets an attribute, or removes it for false and undefined; touches nothing that is equal. */
export function set(element, name, value) {
    if (value === undefined || value === null || value === false) {
        if (element.hasAttribute(name)) element.removeAttribute(name);
        return;
    }
    const text = value === true ? "" : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets the text of an element, if it has another. */
export function say(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

/**
 * Makes the children of a container be those of the items, in their order. An element is made once
 * for each key (`create(item)`), and brought up to date each time (`update(element, item)`).
 */
export function keyed(container, items, keyOf, create, update) {
    const known = container.known ??= new Map();
    const wanted = new Map();
    for (const item of items) wanted.set(keyOf(item), item);
    // What goes, goes first: the others need not move then, with which they would lose the focus, and a press.
    for (const [key, element] of known) {
        if (wanted.has(key)) continue;
        known.delete(key);
        element.remove();
    }
    let place = container.firstElementChild;
    for (const [key, item] of wanted) {
        let element = known.get(key);
        if (element === undefined) {
            element = create(item);
            known.set(key, element);
        }
        update?.(element, item);
        if (element === place) place = place.nextElementSibling;
        else container.insertBefore(element, place);
    }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.known?.clear();
    element.replaceChildren(...children.flat().filter(child => child !== undefined && child !== null));
}
