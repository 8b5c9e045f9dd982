#!/usr/bin/env python3
"""Instructions of the broker for what it does most, and of a start of the tool, counted by callgrind: a
yardstick that other load does not touch.

    ./instructions.py --daemon PATH                 # measure, and compare with instructions.json
    ./instructions.py --daemon PATH --accept        # measure, and keep the counts in instructions.json

The work of the broker is done one at a time, by clients that wait for every answer, and counted between
two requests: the system calls themselves are not in it. Exit status 1 if a row costs over 3 % more than
the counts that are kept; the functions that grew are named then. Counts are those of one compiler, of
the libraries and of a kind of processor: with others nothing is compared, and a line says so."""
import argparse
import collections
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from stalls import Broker, Peer, app

KEPT = Path(__file__).resolve().parent / "instructions.json"
TOLERANCE, NAMED = 1.03, 0.001
WARM = 256
# The least of so many parts counts: on a busy machine some have pings in them, or turns of the loop that
# find half of what the clients send.
PARTS = 16
FUNCTIONS = 200                                 # of each row are kept, those that cost most
# Or the places of keys in tables differ from run to run.
DETERMINISTIC = "SWIFT_DETERMINISTIC_HASHING=1"
# As many calls of as many apps as in the rows of run.py.
APPS, CALLS = 16, 4


class Counted(Broker):
    """A broker under callgrind, which counts when it is told to."""

    def __init__(self, program, folder):
        self.output = f"{folder}/callgrind"
        super().__init__(program, folder, "env", DETERMINISTIC, "valgrind", "--tool=callgrind", "--instr-atstart=no",
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


def served(work, counted, observers, program):
    """The instructions of each function of the broker, for one piece of work."""
    with tempfile.TemporaryDirectory() as folder:
        with Counted(program, folder) as broker:
            user = Peer(broker.path, "controller")
            phones = [app(broker.path, f"phone{number}", held=CALLS) for number in range(APPS)]
            watchers = [Peer(broker.path, "observer") for _ in range(observers)]
            for watcher in watchers:
                watcher.request("events.subscribe", topics=["call.changed"], snapshot=False)

            def repeat(times):
                for number in times:
                    work(user, phones, number)
                    for watcher in watchers:
                        watcher.drop()
            repeat(range(WARM))
            broker.control("--instr=on")
            for part in range(PARTS):
                repeat(range(part * counted, (part + 1) * counted))
                broker.control("--dump")
        # What follows the last part is the end of the broker.
        return read(min((Path(f"{folder}/callgrind.{part + 1}") for part in range(PARTS)), key=total), counted)


def started(command, program):
    """The instructions of each function of the tool, from the loader's first to the last."""
    with tempfile.TemporaryDirectory() as folder, Broker(program, folder) as broker:
        environment = {"PATH": os.environ["PATH"], "BROKER_SOCKET": broker.path}
        subprocess.run(["env", DETERMINISTIC, "valgrind", "--tool=callgrind",
                        f"--callgrind-out-file={folder}/callgrind", program, *command.split()], check=True,
                       env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return read(f"{folder}/callgrind", 1)


ROWS = {"ping": partial(served, ping, 512, 0), "two-hop": partial(served, mute, 128, 0),
        "transaction, 8 observers": partial(served, mute, 64, 8),
        "callbroker --version": partial(started, "--version"),
        "callbroker calls": partial(started, "calls --json")}


def total(path):
    return int(re.search(r"^totals: (\d+)", path.read_text(encoding="utf-8"), re.MULTILINE)[1])


def read(path, times):
    functions = collections.Counter()
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--show=Ir", path],
                          capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        found = re.match(r"\s*([\d,]+) \([\d. ]+%\)\s+\S*?:(.+?)(?: \[[^\]]*\])?$", line)
        if found:
            functions[found[2]] += int(found[1].replace(",", ""))
    return {name: round(count / times) for name, count in functions.items() if count >= times}


def toolchain(program):
    """What the counts depend on beside the sources."""
    comment = output("readelf", "-p", ".comment", program)
    made = {"compiler": re.search(r"clang version [^)]*\)", comment)[0]}
    for name, path in re.findall(r"(\S+) => (\S+)", output("ldd", program)):
        identity = re.search(r"Build ID: (\w+)", output("readelf", "-n", path))
        made[name] = identity[1] if identity else "unknown"
    # By it the C library chooses its functions.
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    made["processor"] = f"{platform.machine()}{' avx2' * ('avx2' in flags)}"
    return made


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          env={**os.environ, "LC_ALL": "C"}).stdout


def without_debug_information(program, folder):
    """A copy: callgrind cannot read the format."""
    copy = f"{folder}/callbroker"
    subprocess.run(["strip", "--strip-debug", "-o", copy, program], check=True)
    return copy


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True, help="a program of `make static`")
    parser.add_argument("--accept", action="store_true", help="keep the counts")
    parser.add_argument("--rows", nargs="*", default=list(ROWS))
    options = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        program = without_debug_information(options.daemon, folder)
        found = {name: ROWS[name](program) for name in options.rows}
        made_with = toolchain(program)
    others = sorted(name for name in {*made_with, *kept["toolchain"]}
                    if made_with.get(name) != kept["toolchain"].get(name))
    counts = {} if others else kept["counts"]
    has_grown = [compare(name, functions, counts.get(name)) for name, functions in found.items()]
    if options.accept:
        accept({**counts, **found}, made_with)
        return 0
    if others:
        print(f"instructions: NOT COMPARED: {KEPT.name} is of another toolchain ({', '.join(others)}); keep the counts"
              " of this one with: make instructions ACCEPT=1")
    return 1 if any(has_grown) else 0


def accept(counts, made_with):
    rows = {name: dict(sorted(functions.items(), key=lambda item: -item[1])[:FUNCTIONS])
            | {"": functions.get("", sum(functions.values()))} for name, functions in counts.items()}
    KEPT.write_text(json.dumps({"toolchain": made_with, "counts": rows}, indent=1) + "\n", encoding="utf-8")


def compare(name, functions, kept):
    now = sum(functions.values())
    if not kept:
        print(f"{name:28} {now:10,}")
        return False
    before = kept[""]
    print(f"{name:28} {now:10,}  {before:10,} kept  {now / before:.3f}")
    if now <= before * TOLERANCE:
        return False
    # Of those that are not kept, each cost no more than this.
    least = min(kept.values())
    growth = collections.Counter({each: count - kept.get(each, least) for each, count in functions.items()})
    for each, more in growth.most_common(10):
        if more > before * NAMED:
            print(f"    {more:+8,}  {each[:140]}")
    return True


if __name__ == "__main__":
    sys.exit(main())
