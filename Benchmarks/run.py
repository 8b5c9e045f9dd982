#!/usr/bin/env python3
"""Measures CallBroker beside the floor and the D-Bus brokers; prints one table.

    run.py --daemon PATH_TO_CALLBROKER [--rounds N] [--rows NAME ...] [--quick]
           [--raw FILE] [--build DIR] [--milliseconds N] [--core N]
    run.py --table RAW_FILE             the table again, from a run's raw figures

See README.md for what is measured and how to read it.
"""
import sys
sys.dont_write_bytecode = True

import argparse
import json
import os
import platform
import random
import resource
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from rows import CALLBROKER, ROWS, TESTS
from systems import HERE, CallBroker, DBusBroker, DBusDaemon, Failure, Floor, Running, die_with_parent, first_line
from table import Table

RUN_TIMEOUT = 90                # seconds, for one run of the load generator
COMPILE = ["cc", "-O2", "-Wall", "-Wextra"]
SPARE_DESCRIPTORS = 200
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def say(text):
    print(text, file=sys.stderr, flush=True)


# ---- preparation

def build(folder):
    """Compiles the floor and the load generator."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted((HERE / "c").glob("*.c"))
    floor = [s for s in sources if s.name in ("floor.c", "relay.c")]
    for name, files in (("floor", floor), ("load", [s for s in sources if s not in floor])):
        subprocess.run([*COMPILE, "-o", folder / name, *files], check=True)


def raise_descriptor_limit():
    """For this program and all it starts; returns the limit."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def cpu_model():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def describe(systems, rows, rounds, idle):
    missing = {system.name: system.missing() for system in systems}
    versions = {system.name: missing[system.name] or system.version() for system in systems}
    versions["cc"] = (first_line(["cc", "-dumpfullversion"]) or "?") + " -O2"
    return {"cpu": cpu_model(), "cores": os.cpu_count(), "kernel": platform.release(), "load": f"{os.getloadavg()[0]:.2f}",
            "versions": versions, "missing": {k: v for k, v in missing.items() if v},
            "rows": [row.name for row in rows], "rounds": rounds, "idle": idle}


# ---- measuring

class Bench:
    """Everything that runs, and the order it runs in."""

    def __init__(self, options, temporary, floor, systems, idle, record):
        self.options, self.temporary, self.idle, self.record = options, temporary, idle, record
        self.load = options.build / "load"
        self.floor, self.systems = floor, systems
        self.sizes = None                       # of CallBroker's messages, once known
        self.cores = os.sched_getaffinity(0)
        self.running = {}                       # system name -> Running, for the tests that share one
        self.broken = {}                        # system name -> why it will not be tried again

    def close(self):
        """Stops everything; a second Ctrl-C does not get in the way."""
        for number in STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        for instance in self.running.values():
            instance.stop()

    def run_all(self, tests):
        for number in range(1, self.options.rounds + 1):
            say(f"round {number} of {self.options.rounds}")
            due = [test for test in tests if number <= test.max_rounds]
            for test in random.sample(due, len(due)):
                for system in random.sample(self.systems, len(self.systems)):
                    if system.name in test.systems:
                        self.pair(number, test, system)

    def learn_sizes(self):
        """How long CallBroker's messages are: the others carry as many bytes."""
        ours = next(system for system in self.systems if system.name == CALLBROKER)
        found = self.run_load(["sizes"], self.shared(ours), self.cores)
        names = "request", "perform", "pending", "answer", "result", "event"
        self.sizes = ",".join(str(int(found[name])) for name in names)

    def pair(self, number, test, system):
        """The floor, then the system: one record."""
        entry = {"round": number, "test": test.name, "system": system.name}
        try:
            if system.name in self.broken:
                raise Failure(self.broken[system.name])
            floor = self.one(test, self.floor) if test.floor else {}
            entry |= {"floor": floor, "result": self.one(test, system)}
        except Failure as failure:
            if system.name not in self.broken:
                say(f"{system.name}, {test.name}: {failure}")
            entry["error"] = str(failure)
        self.record(entry)

    def one(self, test, system):
        """One run of a test against a system: {figure: value}."""
        if test.fresh:
            instance = Running(system, self.temporary, self.load)
            try:
                return self.measure(test, instance)
            finally:
                instance.stop()
        return self.measure(test, self.shared(system))

    def shared(self, system):
        if system.name not in self.running:
            try:
                self.running[system.name] = Running(system, self.temporary, self.load)
            except Failure as failure:
                self.broken[system.name] = str(failure)
                raise
        instance = self.running[system.name]
        try:
            instance.check_alive()
        except Failure as failure:
            self.broken[system.name] = str(failure)
            raise
        return instance

    def measure(self, test, instance):
        arguments = [argument.format(idle=self.idle) for argument in test.arguments]
        if test.timed:
            arguments += ["-t", str(self.options.milliseconds)]
        if not test.pinned:
            return self.run_load(arguments, instance, self.cores)
        core = {self.options.core if self.options.core is not None else min(self.cores)}
        instance.set_cores(core)
        try:
            return self.run_load(arguments, instance, core)
        finally:
            instance.set_cores(self.cores)

    def run_load(self, arguments, instance, cores):
        command = [self.load, *arguments, "-p", instance.system.wire, "-a", instance.socket, "-b", str(instance.pid)]
        if self.sizes:
            command += ["-s", self.sizes]

        def prepare():
            die_with_parent()
            os.sched_setaffinity(0, cores)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=RUN_TIMEOUT, preexec_fn=prepare,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise Failure("the run took too long") from None
        if done.returncode:
            raise Failure(f"{done.stderr.strip() or done.returncode}")
        return {key: float(value) for key, value in (pair.split("=") for pair in done.stdout.split())}


# ---- command line

def chosen_rows(names):
    """The rows whose names begin with one of those given."""
    rows = [row for row in ROWS if not names or any(row.name.startswith(name) for name in names)]
    unknown = [name for name in names if not any(row.name.startswith(name) for row in ROWS)]
    if unknown:
        raise SystemExit(f"no such row: {', '.join(unknown)}; there are {', '.join(row.name for row in ROWS)}")
    return rows


def parse():
    parser = argparse.ArgumentParser(description="Measures CallBroker beside the floor and the D-Bus brokers.")
    parser.add_argument("--daemon", help="the callbroker executable")
    parser.add_argument("--rounds", type=int, help="how often everything is measured (default 15; 3 with --quick)")
    parser.add_argument("--rows", nargs="+", default=[], metavar="NAME",
                        help="only rows whose name begins so: " + " ".join(row.name for row in ROWS))
    parser.add_argument("--quick", action="store_true", help="shorter runs, fewer rounds, 1,000 idle connections")
    parser.add_argument("--milliseconds", type=int, help="length of a run (default 250; 80 with --quick)")
    parser.add_argument("--core", type=int, help="the core for pinned runs (default: the first one)")
    parser.add_argument("--raw", type=Path, help="write the raw figures here, one JSON text per line")
    parser.add_argument("--build", type=Path, help="build here and keep it (default: a temporary folder)")
    parser.add_argument("--table", type=Path, metavar="RAW_FILE", help="measure nothing, print the table of that file")
    options = parser.parse_args()
    if not options.table and not options.daemon:
        parser.error("--daemon is needed")
    options.rounds = options.rounds or (3 if options.quick else 15)
    options.milliseconds = options.milliseconds or (80 if options.quick else 250)
    return options


def show(meta, records):
    for line in Table(meta, records).lines():
        print(line)


class Records:
    """What was measured; also written to the raw file as it comes."""

    def __init__(self, path, meta):
        self.entries = []
        self.file = open(path or os.devnull, "w", encoding="utf-8")
        self.write(meta)

    def write(self, item):
        print(json.dumps(item, ensure_ascii=False), file=self.file, flush=True)

    def add(self, entry):
        self.entries.append(entry)
        self.write(entry)

    def failed(self):
        return any("error" in entry for entry in self.entries)


def run(options, temporary):
    rows = chosen_rows(options.rows)
    tests = [test for test in TESTS.values() if any(row.test == test.name for row in rows)]
    idle = min(1000 if options.quick else 10000, raise_descriptor_limit() - SPARE_DESCRIPTORS)
    systems = [CallBroker(options.daemon), DBusBroker(), DBusDaemon()]
    if systems[0].missing():
        raise SystemExit(systems[0].missing())
    options.build = (options.build or temporary / "build").resolve()
    build(options.build)
    meta = describe(systems, rows, options.rounds, idle)
    records = Records(options.raw, meta)
    present = [system for system in systems if system.name not in meta["missing"]]
    bench = Bench(options, temporary, Floor(options.build), present, idle, records.add)
    try:
        bench.learn_sizes()
        meta["sizes"] = bench.sizes
        bench.run_all(tests)
    finally:
        bench.close()
    show(meta, records.entries)
    return 1 if records.failed() else 0


def main():
    options = parse()
    if options.table:
        meta, *records = map(json.loads, options.table.read_text(encoding="utf-8").splitlines())
        show(meta, records)
        return 0
    for number in STOP_SIGNALS:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    temporary = Path(tempfile.mkdtemp(prefix="callbroker-bench-"))
    try:
        return run(options, temporary)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
