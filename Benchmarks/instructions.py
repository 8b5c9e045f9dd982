#!/usr/bin/env python3
"""Instructions of the broker for what it does most, counted by callgrind: a yardstick that other load does not touch.

    ./instructions.py --daemon PATH                 # measure, and compare with instructions.json
    ./instructions.py --daemon PATH --write         # measure, and keep the counts in instructions.json

Each kind of work is done one at a time, by clients that wait for every answer, and counted between two
requests: the system calls themselves are not in it. Exit status 1 if one costs over 3 % more than the
counts that are kept; the functions that grew are named then."""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from stalls import Broker, Peer, app

KEPT = Path(__file__).resolve().parent / "instructions.json"
TOLERANCE = 1.03
WARM, COUNTED = 256, 512
# As many calls of as many apps as in the rows of run.py.
APPS, CALLS = 16, 4


class Counted(Broker):
    """A broker under callgrind, which counts when it is told to."""

    def __init__(self, program, folder):
        self.output = f"{folder}/callgrind"
        super().__init__(program, folder, "valgrind", "--tool=callgrind", "--instr-atstart=no",
                         f"--callgrind-out-file={self.output}")

    def control(self, *arguments):
        subprocess.run(["callgrind_control", *arguments, str(self.process.pid)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def ping(user, phones, number):
    user.request("broker.ping", payload="x" * 40)


def mute(user, phones, number):
    """A transaction: the request, the action, its reply, the result."""
    phone = phones[number % APPS]
    call = phone.calls[number // APPS % CALLS]
    request = user.send("call.set_muted", call=call, muted=number // (APPS * CALLS) % 2 == 0, wait="completed")
    while True:
        frame = phone.read()
        if frame.get("method") == "provider.perform":
            break
    phone.reply(frame["id"])
    user.wait(request)


ROWS = {"ping": (ping, 0), "two-hop": (mute, 0), "transaction, 8 observers": (mute, 8)}


def count(program, work, observers):
    """The instructions of one, and those of each function."""
    with tempfile.TemporaryDirectory() as folder:
        with Counted(program, folder) as broker:
            user = Peer(broker.path, "controller")
            phones = [app(broker.path, f"phone{number}", held=CALLS) for number in range(APPS)]
            watchers = [Peer(broker.path, "observer") for _ in range(observers)]
            for watcher in watchers:
                watcher.request("events.subscribe", topics=["call.changed"], snapshot=False)

            def repeat(times):
                for number in range(times):
                    work(user, phones, number)
                    for watcher in watchers:
                        watcher.drop()
            repeat(WARM)
            broker.control("--instr=on")
            repeat(COUNTED)
            broker.control("--instr=off")
            broker.control("--dump")
        return read(folder)


def read(folder):
    functions = collections.Counter()
    for path in Path(folder).glob("callgrind*"):
        text = subprocess.run(["callgrind_annotate", "--threshold=100", "--show=Ir", str(path)],
                              capture_output=True, text=True, check=True).stdout
        for line in text.splitlines():
            found = re.match(r"\s*([\d,]+) \([\d. ]+%\)\s+\S*?:(.+?)(?: \[[^\]]*\])?$", line)
            if found:
                functions[found[2]] += int(found[1].replace(",", ""))
    return {name: round(total / COUNTED) for name, total in functions.items() if total >= COUNTED}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--rows", nargs="*", default=list(ROWS))
    options = parser.parse_args()
    found = {name: count(options.daemon, *ROWS[name]) for name in options.rows}
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    has_grown = [compare(name, functions, kept.get(name)) for name, functions in found.items()]
    if options.write:
        KEPT.write_text(json.dumps({**kept, **{name: dict(sorted(
            functions.items(), key=lambda item: -item[1])[:200]) | {"": sum(functions.values())}
            for name, functions in found.items()}}, indent=1) + "\n")
        return 0
    return 1 if any(has_grown) else 0


def compare(name, functions, kept):
    total = sum(functions.values())
    if not kept:
        print(f"{name:28} {total:10,}")
        return False
    before = kept[""]
    print(f"{name:28} {total:10,}  {before:10,} kept  {total / before:.3f}")
    if total <= before * TOLERANCE:
        return False
    growth = collections.Counter({each: count - kept.get(each, 0) for each, count in functions.items()})
    for each, more in growth.most_common(10):
        print(f"    {more:+8,}  {each[:140]}")
    return True


if __name__ == "__main__":
    sys.exit(main())
