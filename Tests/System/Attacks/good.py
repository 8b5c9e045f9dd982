#!/usr/bin/env python3
"""A good client in a process of its own, with a pulse: good.py SOCKET PID.

It pings, and mutes a call of its own app, at fixed times, whether or not it has had the replies to
what it sent before: so a broker that stands still for a second costs hundreds of samples, not one.
It says `ready` when the call talks, goes on until its standard input ends, and writes what it has
measured as one line of JSON: for each sample the seconds by the clock, and without those in which the
broker or this process was ready to run and had no processor.
"""
import gc
import json
import os
import select
import sys
import time
import uuid

import roads  # noqa: F401
from clients import PROTOCOL
from machine import Waits
from wire import Link

IDENTITY = "org.example.good"
REMOTE = {"type": "phone", "value": "+15550100"}
PULSE_SECONDS = 0.004
# Of so many pulses one is a mute, and one a report, too.
MUTES = REPORTS = 5
# For the last replies.
PATIENCE_SECONDS = 10.0


class Sample:
    """A request on its way."""

    def __init__(self, broker_waited):
        self.start = time.monotonic()
        self.broker_waited = broker_waited
        self.own = 0.0


class Good:
    """A user and an app, on two connections."""

    def __init__(self, path, broker):
        self.broker, self.self = Waits(broker), Waits(os.getpid())
        self.looked = self.self.seconds
        self.call = str(uuid.uuid4())
        self.user, self.app = Link(path), Link(path)
        self.open = {}
        self.last_id = self.pulses = 0
        self.samples, self.wrong = [], []
        self.is_muted = False
        self.ready_to_mute = False

    def come(self):
        for link, roles, more in ((self.user, ["controller"], {}),
                                  (self.app, ["provider"], {"identity": IDENTITY})):
            self.ask(link, "broker.hello", protocol=PROTOCOL, roles=roles,
                     client={"name": "good", "version": "1"}, **more)
        self.ask(self.app, "provider.register", display_name="Good", handle_types=["phone"], calls=[
            {"call": self.call, "direction": "incoming", "state": "active", "remote": REMOTE}])
        while self.open and not self.wrong:
            self.wait(None)
        self.samples.clear()

    def ask(self, link, method, **params):
        self.last_id += 1
        waited = self.broker.seconds
        link.send(id=self.last_id, method=method, params=params)
        self.open[self.last_id] = method, Sample(waited)

    # One turn.

    def wait(self, seconds, *others):
        """Takes what comes within so many seconds; whether one of the others has something."""
        poll = select.poll()
        for file in (self.user, self.app, *others):
            poll.register(file, select.POLLIN)
        ready = {number for number, _ in poll.poll(seconds and max(0, seconds * 1_000))}
        # Whatever is here now has come since it was looked the last time, and may have had to wait
        # until this process had a processor.
        looked, self.looked = self.looked, self.self.seconds
        woken = self.looked - looked
        for link in (self.app, self.user):
            if link.fileno() in ready:
                for frame in link.receive():
                    self.take(link, frame, woken)
                if link.is_over:
                    self.wrong.append("the connection was closed")
        return any(file.fileno() in ready for file in others)

    def take(self, link, frame, woken):
        if frame.get("method") == "provider.perform":
            for method, sample in self.open.values():
                if method == "call.set_muted":
                    sample.own += woken
            return link.send(id=frame["id"], result={})
        if "method" in frame:
            if frame["method"] == "broker.ping":
                link.send(id=frame["id"], result={})
            return None
        method, sample = self.open.pop(frame["id"])
        if "error" in frame:
            self.wrong.append(f"{method} is answered {frame['error']['data']['reason']}")
        wall = time.monotonic() - sample.start
        machine = self.broker.seconds - sample.broker_waited + sample.own + woken
        self.samples.append((wall, max(0.0, wall - machine)))
        if method == "call.set_muted":
            self.ready_to_mute = True
        return None

    def pulse(self):
        self.pulses += 1
        self.ask(self.user, "broker.ping")
        if self.pulses % MUTES == 0 and self.ready_to_mute:
            self.ready_to_mute, self.is_muted = False, not self.is_muted
            self.ask(self.user, "call.set_muted", call=self.call, muted=self.is_muted,
                     wait="completed")
        if self.pulses % REPORTS == 2:
            self.ask(self.app, "call.report_update", call=self.call,
                     display_name=f"Ann {self.pulses % 2}")

    def live(self, end):
        """Until the other end of `end` is closed."""
        self.ready_to_mute = True
        due = time.monotonic()
        while not self.wrong:
            if self.wait(due - time.monotonic(), end):
                break
            if time.monotonic() >= due:
                self.pulse()
                # One that comes late itself does not hurry afterwards.
                due = max(due + PULSE_SECONDS, time.monotonic() + PULSE_SECONDS / 2)
        until = time.monotonic() + PATIENCE_SECONDS
        while self.open and not self.wrong and time.monotonic() < until:
            self.wait(until - time.monotonic())

    def told(self):
        return json.dumps({"samples": self.samples, "wrong": self.wrong[:3],
                           "unanswered": sorted({method for method, _ in self.open.values()})})


def main():
    gc.disable()
    path, broker = sys.argv[1:]
    good = Good(path, int(broker))
    good.come()
    print("ready", flush=True)
    good.live(sys.stdin)
    print(good.told(), flush=True)


if __name__ == "__main__":
    main()
