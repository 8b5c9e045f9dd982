// A picture of calls over time, as shapes at their places. The same calls always give the same shapes.

import { scaleOf } from "./timeline_scale.js";
import { timesOf } from "./timeline_scene.js";
import { actionLabel, actionWords, callWords, decisionWords, endWords, isGood, linkWords, spanWords, styleOf, wordOf }
    from "./timeline_words.js";

const FULL = { lane: 54, middle: 24, bar: 18, hasLabels: true };
const SMALL = { lane: 14, middle: 6, bar: 8, hasLabels: false };
/** The number of calls that have a lane of their own, and are drawn with all labels. */
const CALLS_MOST = 24;
const TOP = 34;
const APP_HEIGHT = 28;
const RIGHT = 24;
const SHIFT_MOST = 24;

/** The width of small text, estimated: nothing is measured, so that nothing is laid out twice. */
const widthOf = words => Math.ceil([...words].length * 6.5) + 2;

/** The shapes of a scene: the axis, the apps, a list for each call, and the links between calls. */
export function layoutOf(scene, names, width) {
    const left = width < 700 ? 92 : 150;
    const periods = scene.calls.map(call => ({ from: call.from_ms, to: call.to_ms }));
    const scale = scaleOf(periods, scene.calls.flatMap(timesOf), left, width - left - RIGHT);
    const isOfMany = scene.calls.length > CALLS_MOST;
    const bands = bandsOf(scene, scale, isOfMany);
    const lanes = bands.reduce((sum, band) => sum + band.lanes.length, 0);
    const sizes = lanes > CALLS_MOST ? SMALL : FULL;
    const picture = { scale, sizes, names, left, right: width - RIGHT, isOfMany, apps: [], items: [], lines: new Map(), bottom: TOP };
    for (const band of bands) addBand(picture, band);
    picture.links = linksOf(picture, scene);
    return picture;
}

/** The lanes of each app: one for each call or, of many calls, one for those that do not overlap. */
function bandsOf(scene, scale, isOfMany) {
    const bands = new Map();
    for (const call of scene.calls) {
        if (!bands.has(call.provider)) bands.set(call.provider, { provider: call.provider, lanes: [] });
        const { lanes } = bands.get(call.provider);
        const free = isOfMany && lanes.find(lane => scale.x(lane.at(-1).to_ms) + 6 < scale.x(call.from_ms));
        if (free) free.push(call);
        else lanes.push([call]);
    }
    return [...bands.values()];
}

function addBand(picture, band) {
    const { sizes, scale, names } = picture;
    picture.apps.push({ provider: band.provider, y: picture.bottom + 17 });
    picture.bottom += APP_HEIGHT;
    for (const lane of band.lanes) {
        const isNamed = lane.length === 1 && (!picture.isOfMany || !sizes.hasLabels);
        const rows = { rules: -Infinity, actions: -Infinity };
        lane.forEach((call, index) => {
            const end = index + 1 < lane.length ? scale.x(lane[index + 1].from_ms) - 4 : picture.right + 20;
            picture.items.push(itemOf(picture, call, { rows, isNamed, end, y: picture.bottom }));
            picture.lines.set(call.call, picture.bottom + sizes.middle);
        });
        if (isNamed) picture.items.at(-1).shapes.unshift(nameShape(picture, lane[0], names(lane[0].call)));
        picture.bottom += sizes.lane;
    }
    picture.bottom += 6;
}

function nameShape({ sizes, left, bottom }, call, name) {
    const arrow = call.direction === "outgoing" ? "↗ " : "↙ ";
    const most = Math.floor((left - 20) / 6.8);
    const words = [...name].length > most - 2 ? [...name].slice(0, most - 3).join("") + "…" : name;
    return { name: "text", style: sizes.hasLabels ? "label" : "label small", x: 10, y: bottom + sizes.middle + 4, words: arrow + words, title: name };
}

/** The shapes of a call: above the bars the rules, below them the audio and the actions. */
function itemOf(picture, call, lane) {
    const { sizes, scale, names } = picture;
    const middle = lane.y + sizes.middle;
    const name = names(call.call);
    const at = { ...lane, middle, x: scale.x, sizes };
    const shapes = call.spans.map(span => spanShape(at, span));
    if (lane.isNamed && sizes.hasLabels) shapes.push(...call.spans.map(span => spanLabel(at, span)));
    if (!lane.isNamed) shapes.push(nameOnBar(at, call, name));
    // Of many calls, the ends would hide the calls.
    if (call.end_reason !== undefined && (lane.isNamed || call.end_reason === "failed")) shapes.push(endShape(at, call));
    if (sizes.hasLabels) shapes.push(...call.actions.flatMap(action => actionShapes(at, action, call)));
    const rules = sizes.hasLabels ? call.decisions.map(decision => ruleShapes(at, decision)) : [];
    return { call: call.call, words: callWords(call, name), shapes: shapes.filter(Boolean), rules };
}

/** The height of a bar: the state is not only a color. */
const heightOf = (bar, kind) => kind === "active" ? bar : kind === "held" || kind === "external" ? bar / 2 : bar * 3 / 4;

function spanShape({ x, middle, sizes }, span) {
    const from = x(span.from_ms);
    const isThin = span.kind === "audio" || span.kind === "muted";
    const height = isThin ? 3 : heightOf(sizes.bar, span.kind);
    const y = span.kind === "audio" ? middle + sizes.bar / 2 + 1 : span.kind === "muted" ? middle + sizes.bar / 2 - 3 : middle - height / 2;
    return { name: "rect", style: styleOf(span.kind), x: from, y, width: Math.max(1, x(span.to_ms) - from), height, title: spanWords(span) };
}

function spanLabel({ x, middle }, span) {
    const words = wordOf(span.kind);
    const from = x(span.from_ms);
    if (span.kind === "audio" || span.kind === "muted" || from + 4 + widthOf(words) > x(span.to_ms)) return undefined;
    return { name: "text", style: "on-bar", x: from + 4, y: middle + 4, words };
}

function nameOnBar({ x, middle, end, sizes }, call, name) {
    const from = x(call.from_ms);
    if (!sizes.hasLabels || from + 4 + widthOf(name) > Math.min(x(call.to_ms), end)) return undefined;
    return { name: "text", style: "on-bar", x: from + 4, y: middle + 4, words: name };
}

function endShape({ x, middle, sizes }, call) {
    const half = sizes.bar / 2 + (sizes.hasLabels ? 2 : 0);
    return { name: "path", style: call.end_reason === "failed" ? "end failed" : "end",
        d: `M${x(call.to_ms)} ${middle - half}V${middle + half}`, title: endWords(call.end_reason) };
}

/** The place of a label in a row, from left to right: it moves a little, or is left out. */
function placeIn(rows, row, x, width, end) {
    const place = Math.max(x, rows[row]);
    if (place - x > SHIFT_MOST || place + width > end) return undefined;
    rows[row] = place + width + 4;
    return place;
}

function ruleShapes({ x, middle, sizes, rows, end }, decision) {
    const at = x(decision.at_ms);
    const upper = middle - sizes.bar / 2;
    const place = placeIn(rows, "rules", at, widthOf(decision.rule), end);
    const shapes = [{ name: "path", style: "mark", d: `M${at} ${upper - 4}V${upper}` },
        place !== undefined && { name: "text", style: "rule-number", x: place, y: upper - 6, words: decision.rule }];
    return { rule: decision.rule, title: decisionWords(decision), shapes: shapes.filter(Boolean) };
}

function actionShapes({ x, middle, sizes, rows, end }, action, call) {
    const from = x(action.from_ms);
    const y = middle + sizes.bar / 2 + 6;
    const failed = isGood(action) ? "" : " failed";
    const title = actionWords(action, call);
    const bar = { name: "rect", style: "action" + failed, x: from, y, width: Math.max(2, x(action.to_ms) - from), height: 3, title };
    const words = actionLabel(action, call);
    const place = placeIn(rows, "actions", from, widthOf(words), end);
    return place === undefined ? [bar] : [bar, { name: "text", style: "note-text" + failed, x: place, y: y + 13, words, title }];
}

/** An arrow from a call to each that is held for it, and a line between the members of a group. */
function linksOf({ lines, scale, sizes, isOfMany, names }, scene) {
    return scene.calls.flatMap(call => call.links.map(link => {
        const [from, to] = [lines.get(link.call), lines.get(call.call)];
        if (from === undefined || to === undefined) return undefined;
        const x = scale.x(link.at_ms);
        const edge = link.kind === "held" ? (to > from ? -1 : 1) * (sizes.bar / 2 + 2) : 0;
        return { name: "path", style: `link-${link.kind}${isOfMany ? " faint" : ""}`, d: `M${x} ${from}L${x} ${to + edge}`,
            arrow: link.kind === "held", title: linkWords(link, names(call.call), names(link.call)) };
    }).filter(Boolean));
}
