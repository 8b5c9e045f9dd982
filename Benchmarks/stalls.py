#!/usr/bin/env python3
"""What a ringing call waits for: lists of a long history, and a burst of events for many observers.

    ./stalls.py --daemon PATH [PATH ...]      # several builds take turns in each round
    ./stalls.py --daemon PATH --entries 1000000 --rounds 3

Each figure is the median of the rounds. A broker is started for each of them; nothing is pinned."""
import argparse
import json
import os
import random
import select
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

from systems import CallBroker, die_with_parent

OBSERVERS, APPS, CALLS = 1_000, 16, 256
PROBES = 50
TIMEOUT = 60


class Peer:
    """A connection that sends and reads lines of JSON."""

    def __init__(self, path, *roles, **hello):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.number, self.last = 0, None
        self.request("broker.hello", protocol={"min": 1, "max": 1}, roles=list(roles),
                     client={"name": "stalls", "version": "1"}, **hello)

    def send(self, method, **params):
        self.number += 1
        frame = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.socket.sendall(json.dumps(frame).encode() + b"\n")
        return self.number

    def reply(self, number):
        self.socket.sendall(b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % number)

    def drop(self):
        """Drops what has arrived, but for the broker's question whether anybody is there."""
        while select.select([self.socket], [], [], 0)[0]:
            for line in self.socket.recv(1 << 20).splitlines():
                if b'"method":"broker.ping"' in line:
                    self.reply(json.loads(line)["id"])

    def read(self):
        line = self.lines.readline()
        if not line:
            raise SystemExit(f"the broker has closed a connection after: {self.last}")
        self.last = json.loads(line)
        return self.last

    def wait(self, number):
        """The result of a request; what else comes meanwhile is dropped."""
        while True:
            frame = self.read()
            if frame.get("id") == number and "method" not in frame:
                if "error" in frame:
                    raise SystemExit(f"refused: {frame['error']}")
                return frame["result"]

    def close(self):
        self.lines.close()
        self.socket.close()

    def request(self, method, **params):
        return self.wait(self.send(method, **params))


class Broker:
    def __init__(self, program, folder, *prefix):
        self.folder = Path(folder)
        self.path = self.folder / "socket"
        self.process = subprocess.Popen(
            [*prefix, *CallBroker(program).command(self.folder, self.path)], preexec_fn=die_with_parent,
            stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + TIMEOUT
        while not self.listens():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{program} did not start")
            time.sleep(0.01)

    def listens(self):
        """Whether the socket is there and open: it has its name a moment before it listens."""
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(str(self.path)) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def memory(self, name):
        """A figure of /proc/PID/status, in MiB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) / 1024
        return None


def app(path, name, held=0):
    """An app with so many held calls."""
    peer = Peer(path, "provider", identity=f"org.example.{name}")
    ids = random.Random(name)                   # the same in each run, for counts of instructions
    peer.calls = [str(uuid.UUID(int=ids.getrandbits(128), version=4)) for _ in range(held)]
    peer.request("provider.register", display_name=name, handle_types=["phone"],
                 max_calls_per_group=1_000, max_call_groups=1_000,
                 calls=[{"call": call, "state": "held", "direction": "incoming", "remote": {"type": "phone", "value": "+15550100"}}
                        for call in peer.calls])
    return peer


def fill(program, folder, entries):
    """A history of so many calls, a tenth of them missed, half of those not seen."""
    with Broker(program, folder) as broker:
        peer = Peer(broker.path, "controller", "admin")
        peer.request("contact.put", name="Ada", handles=[{"type": "phone", "value": "+15550100"}])
    database = sqlite3.connect(Path(folder) / "state" / "store.sqlite")
    names = [row[1] for row in database.execute("PRAGMA table_info(history)") if row[1] != "id"]
    known = dict(provider_name="App", direction="incoming", kind="phone", video=0, reason="remote_ended",
                 origin="remote", recent=1, verification="none")
    now = int(time.time() * 1000)

    def row(number):
        own = dict(known, call=str(uuid.UUID(int=number)), provider=f"org.example.app{number % 8}",
                   value=f"+1555{number % 9999:07}", key=f"+1555{number % 9999:07}",
                   started_at=now - number * 60_000 - 5_000, ended_at=now - number * 60_000,
                   missed=number % 10 == 0, seen=number % 20 == 0)
        return [own.get(name) for name in names]

    with database:
        database.executemany(f"INSERT INTO history({','.join(names)}) VALUES ({','.join('?' * len(names))})",
                             (row(number) for number in range(entries)))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def lists(program, folder):
    """Milliseconds of a list, and of a ring, alone and behind sums and lists."""
    with Broker(program, folder) as broker:
        user, phone = Peer(broker.path, "controller"), app(broker.path, "probe")
        watcher = Peer(broker.path, "observer")
        watcher.request("events.subscribe", topics=["call.changed", "call.added"], snapshot=False)
        user.request("history.list", limit=32)
        figures = {"history.list of 32": repeat(lambda: user.request("history.list", limit=32))}
        figures["history.list of an app without calls"] = repeat(
            lambda: user.request("history.list", limit=32, filter={"provider": "org.example.none"}))
        figures["ring"] = repeat(lambda: ring(phone, watcher))
        for name, method, params in (("list", "history.list", {"limit": 500}), ("sum", "history.sum", {"by": "handle"})):
            def behind():
                numbers = [user.send(method, **params) for _ in range(4)]
                time.sleep(0.002)
                took = ring(phone, watcher)
                for number in numbers:
                    user.wait(number)
                return took
            figures[f"ring behind four of {method}"] = repeat(behind, 15, timed=False)
        return figures


def repeat(work, count=PROBES, timed=True):
    def once():
        start = time.perf_counter()
        took = work()
        return took if not timed else (time.perf_counter() - start) * 1000
    return statistics.median(once() for _ in range(count))


def ring(phone, watcher):
    """Milliseconds from the report of a call until it rings at an observer. The call is ended then."""
    call = str(uuid.uuid4())
    start = time.perf_counter()
    number = phone.send("call.report_incoming", call=call, remote={"type": "phone", "value": "+15550100"})
    while True:
        data = watcher.read().get("params", {}).get("data", {})
        if data.get("call") == call and data.get("state") == "ringing":
            break
    took = (time.perf_counter() - start) * 1000
    phone.wait(number)
    phone.request("call.report_ended", call=call, reason="remote_ended")
    return took


def burst(program, folder):
    """All apps are lost at once, with 256 calls, before 1,000 observers of everything."""
    with Broker(program, folder) as broker:
        apps = [app(broker.path, f"burst{number}", CALLS // APPS) for number in range(APPS)]
        crowd = [Peer(broker.path, "observer") for _ in range(OBSERVERS)]
        for peer in crowd:
            peer.request("events.subscribe", topics=["*"], snapshot=False)
        before = broker.memory("VmRSS")
        start = time.perf_counter()
        for each in apps:
            each.close()
        # The others read only when the first has everything.
        drain(crowd[:1], CALLS)
        drain(crowd[1:], CALLS)
        took = (time.perf_counter() - start) * 1000
        return {"burst: ms until all have it": took, "burst: MiB at its peak": broker.memory("VmHWM") - before,
                "burst: MiB kept": broker.memory("VmRSS") - before}


def drain(crowd, count):
    """Reads until each peer has been told that so many calls have changed."""
    poll = select.poll()
    left = {}
    for peer in crowd:
        peer.socket.setblocking(False)
        left[peer.socket.fileno()] = [peer.socket, count]
        poll.register(peer.socket, select.POLLIN)
    tails = dict.fromkeys(left, b"")
    while left:
        ready = poll.poll(TIMEOUT * 1000)
        if not ready:
            raise SystemExit(f"{len(left)} observers have not got everything")
        for descriptor, _ in ready:
            entry = left[descriptor]
            received = entry[0].recv(1 << 20)
            if not received:
                raise SystemExit(f"an observer was closed before it had {entry[1]} of {count} changes")
            data = tails[descriptor] + received
            whole, _, tails[descriptor] = data.rpartition(b"\n")
            entry[1] -= whole.count(b'"topic":"call.changed"')
            if entry[1] <= 0:
                poll.unregister(descriptor)
                del left[descriptor]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", nargs="+", required=True)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    figures = {program: {} for program in options.daemon}
    with tempfile.TemporaryDirectory() as temporary:
        for index, program in enumerate(options.daemon):
            os.makedirs(f"{temporary}/{index}")
            fill(program, f"{temporary}/{index}", options.entries)
        for _ in range(options.rounds):
            for index, program in enumerate(options.daemon):
                found = lists(program, f"{temporary}/{index}")
                with tempfile.TemporaryDirectory() as empty:
                    found.update(burst(program, empty))
                for name, value in found.items():
                    figures[program].setdefault(name, []).append(value)
    report(figures, options)


def report(figures, options):
    print(f"{options.entries:,} entries of history; medians of {options.rounds} rounds; load {os.getloadavg()[0]:.1f}")
    for name in next(iter(figures.values())):
        values = (f"{statistics.median(figures[program][name]):10.2f}" for program in options.daemon)
        print(f"{name:44}", *values)


if __name__ == "__main__":
    sys.exit(main())
