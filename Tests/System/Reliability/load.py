#!/usr/bin/env python3
"""Ten thousand connections and a hundred thousand held calls at once: how long replies take, and
how long a broker that was killed needs until it serves again with all of them.

    load.py [--connections N] [--calls N] [OPTION OF SERVE ...]

Exit status 1 if a bound is exceeded, or a call is lost.
"""
import argparse
import json
import os
import resource
import select
import sys
import time
import uuid

import kills
from broker import CEILING
from clients import PROTOCOL
from wire import Link

PROVIDERS = 40
CALLS_PER_FRAME = 200
ASKERS = 10_000
CONFIGURATION = {"policy": {"limits": {
    "ringing": 8, "held_groups": 1_000_000, "calls": 1_000_000, "calls_per_provider": 100_000}}}
# Seconds of the broker's CPU, so that a busy host is no slow broker: everybody's reply when all ask at
# once; one reply while nobody else asks; the first hello after a kill.
ALL_MAX, ONE_MAX, BACK_MAX = 1.0, 0.01, 1.0


def ask_all(links, requests):
    """Each asks, and all have their reply; the replies, and the seconds until the last."""
    poll, by_number, replies = select.epoll(), {}, {}
    start = time.monotonic()
    for link, (method, params) in zip(links, requests):
        by_number[link.fileno()] = link
        poll.register(link, select.EPOLLIN)
        link.send(id=1, method=method, params=params)
    while len(replies) < len(links):
        ready = poll.poll(CEILING)
        if not ready:
            raise TimeoutError(f"{len(links) - len(replies)} of {len(links)} wait for a reply")
        for number, _ in ready:
            link = by_number[number]
            for frame in link.receive():
                if "method" not in frame:
                    replies[link] = frame
            if link.is_over and link not in replies:
                raise ConnectionError("the broker has closed a connection")
    poll.close()
    wrong = [frame for frame in replies.values() if "error" in frame]
    if wrong:
        raise RuntimeError(f"{len(wrong)} errors: {wrong[0]}")
    return [replies[link]["result"] for link in links], time.monotonic() - start


def ask(link, method, params=None):
    results, seconds = ask_all([link], [(method, params or {})])
    return results[0], seconds


def hello(number, roles, resume=None):
    identity = {"identity": f"org.example.p{number}"} if "provider" in roles else {}
    return "broker.hello", {"protocol": PROTOCOL, "roles": roles, **identity,
                            **({"resume": resume} if resume else {}),
                            "client": {"name": "load", "version": "1"}}


def connect(path, count):
    links = [Link(path) for _ in range(count)]
    if any(link.is_over for link in links):
        raise ConnectionError("the broker does not accept")
    return links


class Load:
    """The crowd around one broker."""

    def __init__(self, broker, connections, calls):
        self.broker = broker
        self.calls = [[str(uuid.uuid4()) for _ in range(calls // PROVIDERS)]
                      for _ in range(PROVIDERS)]
        self.askers = connections - PROVIDERS
        self.figures, self.spent = {}, {}

    def run(self):
        self.broker.start()
        self.measure("setting up", self.set_up)
        self.figures["resident, MiB"] = self.broker.resident_kib() / 1024
        others = connect(self.broker.path, self.askers)
        self.measure("all say hello", lambda: ask_all(
            others, [hello(0, ["observer", "controller"])] * len(others)))
        every = [call for calls in self.calls for call in calls]
        self.measure("all ask for a call", lambda: ask_all(others, [
            ("call.get", {"call": every[n * 7 % len(every)]}) for n in range(len(others))]))
        for call in every[:100]:
            self.measure("one asks for a call", lambda call=call: ask(
                others[0], "call.get", {"call": call}))
        self.figures["resident with all, MiB"] = self.broker.resident_kib() / 1024
        for link in others:
            link.close()
        self.come_back()

    def measure(self, name, work):
        """The most that it has taken, by the clock and of the broker's CPU."""
        start, spent = time.monotonic(), self.broker.cpu_seconds()
        work()
        self.note(name, time.monotonic() - start, self.broker.cpu_seconds() - spent)

    def note(self, name, seconds, spent):
        self.figures[name] = max(self.figures.get(name, 0), seconds)
        self.spent[name] = max(self.spent.get(name, 0), spent)

    def set_up(self):
        self.providers = connect(self.broker.path, PROVIDERS)
        greetings, _ = ask_all(
            self.providers, [hello(n, ["provider"]) for n in range(PROVIDERS)])
        self.keys = [{name: greeting["session"][name] for name in ("session", "secret")}
                     for greeting in greetings]
        self.register()

    def register(self):
        """All providers list all their calls, a frame at a time."""
        for first in range(0, len(self.calls[0]), CALLS_PER_FRAME):
            results, _ = ask_all(self.providers, [
                ("provider.register", self.registration(calls, first)) for calls in self.calls])
            if any(result["dropped"] for result in results):
                raise RuntimeError("the broker has no place for a call")

    def registration(self, calls, first):
        last = first + CALLS_PER_FRAME
        return {"display_name": "Load", "handle_types": ["phone"], "max_call_groups": 100_000,
                "more": last < len(calls), "calls": [
                    {"call": call, "direction": "incoming", "state": "held",
                     "remote": {"type": "phone", "value": "+15550100"}}
                    for call in calls[first:last]]}

    def come_back(self):
        """The broker is killed; the first to come says hello, and all calls are there."""
        self.broker.kill()
        for link in self.providers:
            link.close()
        start = time.monotonic()
        self.broker.start()
        first = Link(self.broker.path)
        ask(first, *hello(0, ["observer"]))
        self.note("back after a kill", time.monotonic() - start, self.broker.cpu_seconds())
        self.measure("listing all", lambda: self.check_list(first))
        self.providers = connect(self.broker.path, PROVIDERS)
        greetings, _ = ask_all(self.providers, [
            hello(n, ["provider"], key) for n, key in enumerate(self.keys)])
        if not all(greeting["session"]["resumed"] for greeting in greetings):
            raise RuntimeError("a session was lost")
        self.measure("reconciling all", self.register)
        self.check_list(first)

    def check_list(self, link):
        found, page = set(), {}
        while not found or "next" in page:
            page, _ = ask(link, "call.list", {"after": page["next"]} if page else {})
            found |= {call["call"] for call in page["calls"] if call["state"] == "held"}
        lost = {call for calls in self.calls for call in calls} ^ found
        if lost:
            raise RuntimeError(f"{len(lost)} calls are lost, or invented")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=100_000)
    options, serve = parser.parse_known_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with kills.world(1, *serve, configuration=CONFIGURATION) as world:
        load = Load(world.broker, options.connections, options.calls)
        try:
            load.run()
        finally:
            for name, figure in load.figures.items():
                cpu = f", {load.spent[name]:.3f} of CPU" if name in load.spent else ""
                print(f"load: {name}: {figure:.3f}{cpu}")
    bounds = {"all say hello": ALL_MAX, "all ask for a call": ALL_MAX,
              "one asks for a call": ONE_MAX, "back after a kill": BACK_MAX}
    exceeded = [name for name, most in bounds.items() if load.spent[name] > most]
    if exceeded:
        sys.exit(f"load: too slow: {', '.join(exceeded)}")


if __name__ == "__main__":
    main()
