// The axis of a picture of calls over time: places of times. Long times in which nothing happens are folded.

const FOLD_WIDTH = 40;
const FOLDS_MOST = 24;
const IDLE_MS = 2000;
const QUIET_MS = 60_000;
const TICK_WIDTH = 90;
const STEPS = [[1, [1, 2, 5, 10, 20, 50, 100, 200, 500]], [1000, [1, 2, 5, 10, 15, 30]],
    [60_000, [1, 2, 5, 10, 15, 30]], [3_600_000, [1, 2, 3, 6, 12]], [86_400_000, [1, 2, 5, 10]]]
    .flatMap(([unit, counts]) => counts.map(count => unit * count));
const lengthOf = period => period.to - period.from;

/** The axis of periods `{from, to}` and moments, from a place on, so many pixels wide. */
export function scaleOf(periods, moments, left, width) {
    const stretches = stretchesOf(periods, moments, width);
    const total = Math.max(1, stretches.reduce((sum, each) => sum + lengthOf(each), 0));
    const room = width - (stretches.length - 1) * FOLD_WIDTH;
    let place = left;
    for (const stretch of stretches) {
        stretch.x = place;
        stretch.width = Math.floor(lengthOf(stretch) * room / total);
        place += stretch.width + FOLD_WIDTH;
    }
    const step = STEPS.find(each => each * room >= total * TICK_WIDTH) ?? STEPS.at(-1);
    const x = at => placeOf(stretches, at, left + width);
    return { x, folds: foldsOf(stretches), ticks: ticksOf(stretches, step, x) };
}

function placeOf(stretches, at, right) {
    const stretch = stretches.findLast(each => each.from <= at) ?? stretches[0];
    if (stretch === undefined) return right;
    const length = Math.max(1, lengthOf(stretch));
    return stretch.x + Math.floor(Math.min(Math.max(at - stretch.from, 0), length) * stretch.width / length);
}

const foldsOf = stretches => stretches.slice(1).map((after, index) => ({
    x: stretches[index].x + stretches[index].width + 8, width: FOLD_WIDTH - 16, ms: after.from - stretches[index].to,
}));

/** Where a stretch begins, and at whole steps since the first beginning. */
function ticksOf(stretches, step, x) {
    const start = stretches[0]?.from ?? 0;
    return stretches.flatMap(stretch => {
        const times = [stretch.from];
        for (let at = start + (Math.floor((stretch.from - start) / step) + 1) * step; at <= stretch.to; at += step) times.push(at);
        return times.map(at => ({ x: x(at), ms: at - start }));
    });
}

/** The times that are drawn. */
function stretchesOf(periods, moments, width) {
    const busy = joined(periods);
    if (busy.length === 0) return [];
    const whole = { from: busy[0].from, to: busy.at(-1).to };
    const folds = idleFolds(busy, lengthOf(whole), width);
    quietFolds(folds, busy, [...new Set(moments)].sort((one, other) => one - other), lengthOf(whole));
    folds.sort((one, other) => one.from - other.from);
    const ends = [...folds.map(fold => fold.from), whole.to];
    return [whole.from, ...folds.map(fold => fold.to)].map((from, index) => ({ from, to: ends[index] }));
}

/** As many of the longest times without a call as give the rest the most room, if that is half as much again. */
function idleFolds(busy, wholeMS, width) {
    const long = longest(busy.slice(1).map((next, index) => ({ from: busy[index].to, to: next.from })), IDLE_MS)
        .slice(0, FOLDS_MOST);
    let [rest, best, bestScale] = [wholeMS, 0, 1.5 * width / Math.max(1, wholeMS)];
    long.forEach((gap, index) => {
        rest -= lengthOf(gap);
        const scale = (width - (index + 1) * FOLD_WIDTH) / Math.max(1, rest);
        if (scale > bestScale) [best, bestScale] = [index + 1, scale];
    });
    return long.slice(0, best);
}

/** Folds each long time in which nothing happens to any call, and which is longer than twice all that is left. */
function quietFolds(folds, busy, times, wholeMS) {
    const gaps = [];
    let at = 0;
    for (let index = 1; index < times.length; index += 1) {
        const gap = { from: times[index - 1], to: times[index] };
        while (at < busy.length && busy[at].to < gap.to) at += 1;
        if (at < busy.length && busy[at].from <= gap.from) gaps.push(gap);
    }
    let rest = wholeMS - folds.reduce((sum, fold) => sum + lengthOf(fold), 0);
    for (const gap of longest(gaps, QUIET_MS)) {
        const other = rest - lengthOf(gap);
        if (folds.length >= FOLDS_MOST || other < 1000 || lengthOf(gap) <= 2 * other) return;
        folds.push(gap);
        rest = other;
    }
}

const longest = (gaps, least) => gaps.filter(gap => lengthOf(gap) >= least)
    .sort((one, other) => lengthOf(other) - lengthOf(one) || one.from - other.from);

function joined(periods) {
    const result = [];
    for (const { from, to } of [...periods].sort((one, other) => one.from - other.from || one.to - other.to)) {
        const last = result.at(-1);
        if (last && from <= last.to) last.to = Math.max(last.to, to);
        else result.push({ from, to });
    }
    return result;
}
