#!/usr/bin/env python3
"""Looks whether anything that the broker does costs more, the more there is of something else.

    costs.py [--count N] [--times N] [--methods PREFIX] [--all] [CROWD ...]

`CostMeter` plays every method, and the life of a connection, beside N, 2 N and 4 N of a crowd, and
callgrind counts the instructions: they are the same in every run, however busy the machine is. `all`,
which is the default, has every crowd at once; `--all` has each by itself, and names the one at fault.
Exit status 1 if something grows that may not.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
PROGRAM = os.path.join(ROOT, ".build", "debug", "CostMeter")
CROWDS = re.findall(
    r"\w+", " ".join(re.findall(r"^    case ([a-z, A-Z]+)$", open(os.path.join(
        ROOT, "Tests", "System", "CostMeter", "Crowd.swift"), encoding="ascii").read(), re.MULTILINE)))
# So many instructions for each of a crowd are a walk past all of it: a debug build needs some hundreds
# to look at one. What costs less is memory that is moved, and the depth of a table.
WALK = 100
# What grows with the logarithm grows as much again when the crowd doubles again; what grows with the
# crowd, twice as much.
BEND = 1.5
# What then grows more than with the cube of the crowd is a table that was made larger just there.
STEP = 8

# What may grow with a crowd, and why: none of it more than the crowd.
ACCEPTED = {
    "block.add/a number": "the copy of the blocks that the journal holds is one list, and bounded",
    "broker.dump/a call is being answered": "it shows open transactions, timers and connections",
    "broker.metrics/a call is active": "it counts plugins, and orders the apps that have calls",
    "call.dial/a number": "every app is asked whether it can place it",
    "call.explain/why a call was held": "it tells of every decision about the call",
    "call.timeline/a ringing call": "it tells of everything about the call",
    "call.list/the next page": "it shows what came after the 64th call, ten at most",
    "call.list/ringing calls": "it shows all that ring, as far as they fit into a page",
    "call.press_button/nothing to do": "the calls that ring are looked at, of which a host has few",
    "call.report_ended/busy": "each call that rings may sound another way from now on",
    "call.report_ended/on another device": "the same",
    "call.report_ended/the remote party hung up": "the same",
    "call.report_held/held": "the same",
    "call.start/a number": "every app is asked whether it can place it",
    "grace is over": "each call of the app ends",
    "grant.issue/a softphone in a container, for a day": "it counts the connections of each grant",
    "grant.list/one for another user": "the same",
    "plugin.doctor/all": "it looks at every plugin",
    "plugin.rescan/any time": "it reads every manifest",
    "plugin.set_option/a number": "the choices for all plugins are one file",
    "provider is lost": "each call of the app is waited for",
    "provider.unregister/any time": "each call of the app ends",
    "recovery": "it reads every call",
    "transaction.list/a call was answered": "it lists the latest, 1,000 at most",
    "ui.claim/the only screen": "each call that nobody presents is given to the screen",
    "ui.release/done": "each call that it presents is given to the next screen",
}
# What grows on purpose, to see whether that is noticed.
PLANTED = "planted walk"

Cost = collections.namedtuple("Cost", "crowd what")
Growth = collections.namedtuple("Growth", "crowd what each costs")


def run(crowds, count, times, methods="", program=PROGRAM):
    """The log of callgrind, and how the examples were answered."""
    with tempfile.TemporaryDirectory(prefix="callbroker-costs-") as folder:
        # Its reader of debugging information does not know that of current compilers.
        plain, log = os.path.join(folder, "CostMeter"), os.path.join(folder, "log")
        subprocess.run(["strip", "-g", "-o", plain, program], check=True)
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--log-file=" + log,
             "--callgrind-out-file=/dev/null", plain, str(count), str(times), methods, *crowds],
            env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1",
                 "SWIFT_BACKTRACE": "enable=no"}, stdout=subprocess.PIPE, text=True, check=False)
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
    if result.returncode != 0:
        raise SystemExit(f"costs: CostMeter ended with {result.returncode}\n{text[-2_000:]}")
    return text, result.stdout


def costs(log):
    """For each thing in each crowd: the size of the crowd, and the least that one of it cost."""
    least = collections.defaultdict(dict)
    mark = start = None
    for line in log.splitlines():
        words = re.match(r"\*\*\d+\*\* mark (.*)", line)
        total = re.match(r"events-1: (\d+)", line)
        if words:
            mark, begun = words[1], mark
        elif total and mark == "end" and start is not None:
            crowd, count, units, what = begun.split(" ", 3)
            cost = (int(total[1]) - start) // int(units)
            known = least[Cost(crowd, what)]
            known[int(count)] = min(cost, known.get(int(count), cost))
        elif total:
            start = int(total[1])
    return least


def grows(sizes):
    """Whether costs at n, 2 n and 4 n are those of a walk."""
    (n, first), (_, second), (_, third) = sorted(sizes.items())
    early, late = second - first, third - second
    return early > WALK * n and late > WALK * 2 * n and STEP * early > late > BEND * early


def judge(least):
    """What grows, with how many instructions for each of the crowd."""
    found = []
    for (crowd, what), sizes in sorted(least.items()):
        if grows(sizes):
            n, top = min(sizes), max(sizes)
            each = (sizes[top] - sizes[n]) // (top - n)
            found.append(Growth(crowd, what, each, [sizes[size] for size in sorted(sizes)]))
    return found


def is_wrong(growth):
    """Whether nobody knows of it."""
    return growth.what not in {*ACCEPTED, PLANTED}


def refusals(answers):
    """The examples that were answered with an error the first time, and with which."""
    outcomes = {}
    for line in answers.splitlines():
        what, outcome = line.split(" ", 2)[2].rsplit(": ", 1)
        outcomes.setdefault(what, outcome)
    return {what: outcome for what, outcome in outcomes.items() if outcome != "ok"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--times", type=int, default=2)
    parser.add_argument("--methods", default="", help="only those whose names begin like this")
    parser.add_argument("--all", action="store_true", help="each crowd by itself")
    parser.add_argument("crowd", nargs="*", default=["all"])
    options = parser.parse_args()
    found = []
    for crowd in CROWDS if options.all else options.crowd:
        log, _ = run([crowd], options.count, options.times, options.methods)
        for growth in judge(costs(log)):
            if growth.what == PLANTED:
                continue
            word = "" if is_wrong(growth) else " (as it may)"
            print(f"costs: {crowd}: {growth.what}: {growth.each} for each, {growth.costs}{word}",
                  flush=True)
            found.append(growth)
    sys.exit(1 if any(map(is_wrong, found)) else 0)


if __name__ == "__main__":
    main()
