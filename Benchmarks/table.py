"""Turns records into the table.

A record is one run of a system together with the floor's run just before it:
{"round", "test", "system", "floor": {figures}, "result": {figures}}, or
{"round", "test", "system", "error": text}.
"""
from statistics import median, quantiles

from rows import CALLBROKER as OURS, DBUS_BROKER, DBUS_DAEMON, FLOOR, ROWS, TESTS

PEERS = (DBUS_BROKER, DBUS_DAEMON)


def number(value):
    decimals = 0 if abs(value) >= 1000 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{decimals}f}"


def spread(values):
    """Median and quartiles: "1.35 (1.31–1.40)"."""
    if len(values) < 3:
        return f"{median(values):.2f}"
    low, _, high = quantiles(values, n=4, method="inclusive")
    return f"{median(values):.2f} ({low:.2f}–{high:.2f})"


class Table:
    def __init__(self, meta, records):
        self.meta = meta
        self.runs = {}                          # (test, system) -> {round: record}
        self.errors = {}                        # (test, system) -> text
        for record in records:
            key = record["test"], record["system"]
            if "error" in record:
                self.errors[key] = record["error"]
            else:
                self.runs.setdefault(key, {})[record["round"]] = record

    def lines(self):
        yield self.heading()
        yield ""
        columns = ["row", "floor", OURS, f"{OURS} / floor"] + [f"{OURS} / {peer}" for peer in PEERS] + \
                  ["targets: must, stretch", f"broker CPU per operation: {OURS}, µs"]
        yield "| " + " | ".join(columns) + " |"
        yield "|" + "---|" * len(columns)
        for row in ROWS:
            if row.name in self.meta["rows"]:
                yield "| " + " | ".join(self.cells(row)) + " |"

    def heading(self):
        m = self.meta
        versions = ", ".join(f"{name} {text}" for name, text in m["versions"].items())
        failed = "".join(f"; FAILED: {system}, {test}: {text}" for (test, system), text in self.errors.items())
        return (f"{m['cpu']}, {m['cores']} cores, Linux {m['kernel']}, load {m['load']} at the start; {versions}; "
                f"rounds: {m['rounds']}; medians, ratios with quartiles{failed}")

    def cells(self, row):
        return [row.title.format(idle=self.meta["idle"]), self.floor(row), self.absolute(row), self.floor_ratio(row)] + \
               [self.peer_ratio(row, peer) for peer in PEERS] + [self.targets(row), self.cpu(row)]

    # ---- values, by round

    def values(self, row, system, figure, of="result"):
        return {r: record[of][figure] for r, record in self.runs.get((row.test, system), {}).items()
                if figure in record[of]}

    def to_base(self, row):
        base = self.values(row, OURS, row.base)
        return [value / base[r] for r, value in self.values(row, OURS, row.figure).items()] if row.base else []

    def to_floor(self, row, system, figure):
        floor = self.values(row, system, figure, "floor")
        return {r: value / floor[r] for r, value in self.values(row, system, figure).items() if floor.get(r)}

    def to_peer(self, row, peer, figure):
        pick = self.to_floor if row.by_floor else self.values
        ours, theirs = pick(row, OURS, figure), pick(row, peer, figure)
        return [ours[r] / theirs[r] for r in ours if theirs.get(r)]

    # ---- cells

    def why_none(self, row, system):
        """What to say instead of a figure."""
        return self.meta["missing"].get(system) or ("failed" if (row.test, system) in self.errors else "no run")

    def best(self, row, values):
        return max(values) if row.higher_is_better else min(values)

    def shown(self, row, values):
        values = [value * row.scale for value in values]
        return f"{number(median(values))} (best {number(self.best(row, values))})"

    def floor(self, row):
        values = [record["floor"][row.figure] for (test, _), runs in self.runs.items() if test == row.test
                  for record in runs.values() if row.figure in record["floor"]]
        return self.shown(row, values) if values else "" if not TESTS[row.test].floor else "no run"

    def absolute(self, row):
        values = self.values(row, OURS, row.figure).values()
        if not values:
            return self.why_none(row, OURS)
        base = self.to_base(row)
        return self.shown(row, values) + (f", {spread(base)} ×" if base else "")

    def floor_ratio(self, row):
        ratios = list(self.to_floor(row, OURS, row.figure).values())
        if not TESTS[row.test].floor:
            return ""
        if not ratios:
            return self.why_none(row, OURS)
        floor = self.values(row, OURS, row.figure, "floor").values()
        return self.with_best(row, ratios, floor)

    def peer_ratio(self, row, peer):
        ratios = self.to_peer(row, peer, row.figure)
        if peer not in TESTS[row.test].systems:
            return ""
        if not ratios:
            return self.why_none(row, peer if not self.values(row, peer, row.figure) else OURS)
        return self.with_best(row, ratios, self.values(row, peer, row.figure).values())

    def with_best(self, row, ratios, others):
        """Adds the best run of ours over the best of as many runs of the other."""
        ours = self.best(row, self.values(row, OURS, row.figure).values())
        return f"{spread(ratios)}, best {ours / self.best(row, others):.2f}" if self.best(row, others) else spread(ratios)

    def cpu(self, row):
        ours = self.values(row, OURS, "cpu").values() if row.cpu else ()
        if not ours:
            return ""
        floor = self.to_floor(row, OURS, "cpu").values()
        parts = [f"{median(floor):.2f} × floor"] if floor else []
        for peer in PEERS:
            ratios = self.to_peer(row, peer, "cpu")
            parts += [f"{median(ratios):.2f} × {peer}"] if ratios else []
        return " = ".join(filter(None, (number(median(ours)), ", ".join(parts))))

    # ---- targets

    def targets(self, row):
        return "; ".join(self.target(row, target) for target in row.targets)

    def target(self, row, target):
        """Beside whom, the two marks, and which of them the median reaches."""
        values = self.measured(row, target)
        sign = "≥" if row.higher_is_better else "≤"
        text = f"{target.to} {sign} {target.must:g}, {target.stretch:g}".removeprefix("base ").strip()
        if not values:
            return f"{text}: not measured"
        value = median(values)
        reaches = [value >= mark if row.higher_is_better else value <= mark for mark in (target.must, target.stretch)]
        return f"{text}: " + ("**missed**" if not reaches[0] else "both met" if reaches[1] else "must met")

    def measured(self, row, target):
        if target.to in PEERS:
            return self.to_peer(row, target.to, row.figure)
        if target.to == FLOOR:
            return list(self.to_floor(row, OURS, row.figure).values())
        if target.to == "base":
            return self.to_base(row)
        return [value * row.scale for value in self.values(row, OURS, row.figure).values()]
