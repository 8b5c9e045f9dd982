// What people read, from the catalog of messages.

let english = {};
let translated = {};
let plurals = new Intl.PluralRules("en");
let numbersOf = "en";

/** The language of the page, for dates and numbers. */
export let language = "en";

/** Reads the catalog of the first of the user's languages that there is. */
export async function loadTexts() {
    const wanted = new URLSearchParams(location.search).get("lang");
    const names = (wanted ? [wanted] : navigator.languages).map(name => name.split("-")[0]);
    const other = names[0] === "en" ? undefined : names[0];
    const [base, own] = await Promise.all([read("en"), other ? read(other) : {}]);
    english = base;
    translated = own;
    language = Object.keys(own).length > 0 ? other : "en";
    plurals = new Intl.PluralRules(language);
    numbersOf = wanted ?? navigator.language;
    if (numbersOf.split("-")[0] !== language) numbersOf = language;
    document.documentElement.lang = language;
    document.documentElement.dir = text("screen.direction");
}

async function read(name) {
    const reply = await fetch(`/messages/${name}.json`);
    return reply.ok ? reply.json() : {};
}

/** The text of a key with its values; the plural form of `count`. */
export function text(key, values = {}) {
    return filled(translated[key], values) ?? filled(english[key], values) ?? key;
}

/** The text of a key, if there is one. */
export function textIfKnown(key) {
    return filled(translated[key], {}) ?? filled(english[key], {});
}

function filled(message, values) {
    if (message instanceof Object) message = message[plurals.select(values.count)] ?? message.other;
    return message?.replace(/\{([a-z_]+)\}/g, (place, name) => String(values[name] ?? place));
}

/** A number with one decimal. */
export const decimal = number => new Intl.NumberFormat(numbersOf,
    { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(number);

/** When something was, as short as is clear. */
export function when(ms) {
    const date = new Date(ms);
    const today = new Date();
    if (date.toDateString() === today.toDateString()) return clock(ms);
    const isOfWeek = today - date < 6 * 86_400_000;
    const form = isOfWeek ? { weekday: "short", hour: "2-digit", minute: "2-digit" }
        : { day: "numeric", month: "short", year: "numeric" };
    return new Intl.DateTimeFormat(numbersOf, form).format(date);
}

/** The time of a day. */
export function clock(ms, withSeconds = false) {
    const second = withSeconds ? { second: "2-digit" } : {};
    return new Intl.DateTimeFormat(numbersOf, { hour: "2-digit", minute: "2-digit", ...second })
        .format(ms);
}

/** How long a call is connected: 4:05, 1:00:05. */
export function duration(ms) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const shown = parts[0] > 0 ? parts : parts.slice(1);
    return shown.map((part, index) => index === 0 ? part : String(part).padStart(2, "0")).join(":");
}
