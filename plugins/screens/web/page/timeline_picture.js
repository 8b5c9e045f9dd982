// The picture of calls over time: shapes as elements, of which only what is different is changed.

import { text } from "./texts.js";
import { h, keyed, say, set } from "./dom.js";
import { addressOfRule, followRule } from "./rules.js";
import { layoutOf } from "./timeline_layout.js";
import { length, legendOf, offset } from "./timeline_words.js";

const SPACE = "http://www.w3.org/2000/svg";
/** The calls that are drawn in one frame: the page stays quick with hundreds of them. */
const CALLS_OF_FRAME = 20;
const WIDTH_LEAST = 560;

function s(name, attributes = {}, ...children) {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(attributes)) set(element, key, value);
    element.append(...children);
    return element;
}

/** Makes an empty picture; `draw(scene, names, appNames)` draws it, and again. */
export function makePicture(label) {
    const parts = { axis: s("g", { "aria-hidden": "true" }), apps: s("g"), links: s("g", { "aria-hidden": "true" }), calls: s("g") };
    const head = s("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
        s("path", { class: "head", d: "M0 0L8 4L0 8z" }));
    const picture = s("svg", { class: "picture", role: "group", "aria-label": label }, s("defs", {}, head),
        parts.axis, parts.apps, parts.links, parts.calls);
    const frame = h("div", { class: "picture-frame", tabindex: "0", role: "region", "aria-label": label }, picture);
    const legend = h("ul", { class: "legend", "aria-hidden": "true" });
    const element = h("div", { class: "timeline" }, frame, legend);
    let isDrawing = false;
    element.draw = async (scene, names, appNames) => {
        if (isDrawing || !element.isConnected) return;
        isDrawing = true;
        const width = Math.max(WIDTH_LEAST, frame.clientWidth);
        // What happens now is at the right, and stays in sight.
        const isAtEnd = frame.scrollLeft + frame.clientWidth >= frame.scrollWidth - 8;
        await drawPicture({ ...parts, picture, legend }, layoutOf(scene, names, width), scene, appNames)
            .finally(() => { isDrawing = false; });
        if (isAtEnd) frame.scrollLeft = frame.scrollWidth;
    };
    return element;
}

async function drawPicture(parts, layout, scene, appNames) {
    set(parts.picture, "width", layout.right + 24);
    set(parts.picture, "height", layout.bottom + 4);
    drawAxis(parts.axis, layout);
    drawApps(parts.apps, layout, appNames);
    keyed(parts.links, numbered(layout.links), shape => shape.key, makeShape, drawShape);
    keyed(parts.legend, legendOf(scene, layout.sizes.hasLabels), ([style]) => style, makeSample);
    await drawCalls(parts.calls, layout.items);
}

/** Draws some calls in each frame; a slice of them has a group of its own. */
async function drawCalls(place, items) {
    const slices = [];
    for (let index = 0; index < items.length; index += CALLS_OF_FRAME) slices.push(items.slice(index, index + CALLS_OF_FRAME));
    keyed(place, slices.map((_, index) => index), index => index, () => s("g"));
    for (const [index, slice] of slices.entries()) {
        if (index > 0) await new Promise(resolve => setTimeout(resolve));
        keyed(place.children[index], slice, item => item.call, () => s("g", {}, s("g", { role: "img" }), s("g")), drawCall);
    }
}

function drawCall(group, item) {
    const [shapes, rules] = group.children;
    set(group, "data-call", item.call);
    set(shapes, "aria-label", item.words);
    keyed(shapes, numbered(item.shapes), shape => shape.key, makeShape, drawShape);
    keyed(rules, numbered(item.rules), rule => rule.key, makeRule, drawRule);
}

/** Shapes keep their elements, and with them the focus: each is the nth of its kind. */
function numbered(shapes) {
    const counts = {};
    return shapes.map(shape => {
        const kind = shape.rule ?? `${shape.name} ${shape.style}`;
        counts[kind] = (counts[kind] ?? 0) + 1;
        return { ...shape, key: `${kind} ${counts[kind]}` };
    });
}

/** A picture of its own has no links inside for a screen reader, so the rules are beside it. */
const makeRule = rule => s("a", { href: addressOfRule(rule.rule) });

function drawRule(element, rule) {
    if (element.heading === undefined) {
        element.heading = s("title");
        element.append(element.heading);
        element.addEventListener("click", followRule);
    }
    say(element.heading, rule.title);
    set(element, "aria-label", rule.title);
    const shapes = numbered(rule.shapes);
    const kept = element.shapes ??= s("g");
    if (kept.parentNode === null) element.append(kept);
    keyed(kept, shapes, shape => shape.key, makeShape, drawShape);
}

function makeShape(shape) {
    const element = s(shape.name);
    if (shape.words !== undefined) element.append("");
    if (shape.title !== undefined) element.append(s("title"));
    if (shape.arrow) set(element, "marker-end", "url(#head)");
    return element;
}

function drawShape(element, shape) {
    set(element, "class", shape.style);
    for (const name of ["x", "y", "width", "height", "d"]) if (shape[name] !== undefined) set(element, name, shape[name]);
    if (shape.words !== undefined && element.firstChild.data !== shape.words) element.firstChild.data = shape.words;
    if (shape.title !== undefined) say(element.lastElementChild, shape.title);
}

// ---- The frame

function drawAxis(place, { scale, bottom, right }) {
    let end = -Infinity;
    const shapes = scale.ticks.flatMap(tick => {
        const words = offset(tick.ms);
        const width = words.length * 6.5 + 12;
        const line = { name: "path", style: "grid", d: `M${tick.x} 24V${bottom}` };
        if (tick.x < end || tick.x + width > right + 20) return [line];
        end = tick.x + width;
        return [line, { name: "text", style: "tick", x: tick.x + 3, y: 18, words }];
    });
    const folds = scale.folds.flatMap(fold => [
        { name: "rect", style: "fold", x: fold.x, y: 24, width: fold.width, height: bottom - 24, title: length(fold.ms) },
        { name: "text", style: "fold-note", x: fold.x - 4, y: 18, words: length(fold.ms) }]);
    keyed(place, numbered([...folds, ...shapes]), shape => shape.key, makeShape, drawShape);
}

function drawApps(place, { apps, right }, appNames) {
    const shapes = apps.flatMap(app => [{ name: "path", style: "app-line", d: `M10 ${app.y + 5}H${right}` },
        { name: "text", style: "app", x: 10, y: app.y, words: appNames(app.provider) || "?" }]);
    keyed(place, numbered(shapes), shape => shape.key, makeShape, drawShape);
}

function makeSample([style, words]) {
    const sample = s("svg", { width: 24, height: 12, "aria-hidden": "true" });
    sample.append(style.startsWith("link") ? s("path", { class: style, d: "M1 6H23" })
        : s("rect", { class: style, x: 1, y: style.startsWith("s-") ? 1 : 5, width: 22, height: style.startsWith("s-") ? 10 : 3 }));
    return h("li", {}, sample, h("span", {}, words));
}

/** The words for a picture with that many calls. */
export const titleOf = count => text("timeline.title", { count });
