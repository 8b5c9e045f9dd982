#!/usr/bin/env python3
"""Life under a broker for a long time: every second an app's process dies and another one comes,
every second somebody loses his connection. Looks for what grows, and for what is left over.

    soak.py [--seconds N] [--seed N] [OPTION OF SERVE ...]

The broker remembers the replies to 16,384 transactions, for ten minutes; 1.4 KiB each, with its debug
build. A soak is too short to get there, so one that could take this for a leak, or a leak for this, begins
with a past in which there were that many: from then on nothing may grow but the list of ended calls.
"""
import argparse
import collections
import os
import random
import subprocess
import sys
import time

import kills
from past import Past

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mortal.py")
# An adapter's calls outlive its process for its grace; all others end with it.
MORTALS = ['{}', '{}', '{"app_process":"separate","grace_ms":1000}']
STEP_SECONDS = 0.004
SAMPLE_SECONDS = 1.0
# A soak of so many seconds begins with a past.
LONG = 60
# What a broker may keep of what is over: of a call its id. Without a past also the replies to
# transactions, and the events, up to their bound.
KEPT_KIB_PER_TRANSACTION = 2.0
KEPT_KIB_PER_CALL = 0.25
KEPT_KIB = {"with a past": 2_048, "without": 8_192}

Sample = collections.namedtuple("Sample", "seconds resident descriptors transactions calls")


class Soak:
    """A world in which people die."""

    def __init__(self, world, has_past):
        self.world, self.has_past = world, has_past
        self.mortals = []
        self.buried = []
        self.born = 0
        self.samples = []

    def live(self, seconds):
        start = self.next_second = time.monotonic()
        while time.monotonic() < start + seconds:
            if time.monotonic() >= self.next_second:
                self.next_second += SAMPLE_SECONDS
                self.every_second(time.monotonic() - start)
            if not self.world.step():
                return
            self.world.pump(STEP_SECONDS)
        self.end()

    def every_second(self, now):
        world = self.world
        world.history.fold()
        calls = sum(1 for fact in world.history.facts if fact[0] == "call")
        done = sum(1 for fact in world.history.facts if fact[0] == "completed")
        self.samples.append(Sample(
            now, world.broker.resident_kib(), world.broker.descriptors(), done, calls))
        self.bear()
        if len(self.mortals) > 2:
            self.bury(self.mortals.pop(0))
        world.chance.choice([*world.apps, *world.users, *world.watchers]).leave()

    def bear(self):
        self.born += 1
        identity = f"org.example.mortal{self.born}"
        process = subprocess.Popen(
            [sys.executable, PROGRAM, self.world.broker.path, identity,
             MORTALS[self.born % len(MORTALS)]], stdout=subprocess.DEVNULL)
        self.mortals.append((identity, process))

    def bury(self, mortal):
        identity, process = mortal
        process.kill()
        process.wait()
        self.buried.append(identity)

    def end(self):
        """All leave, and nothing may be left of them."""
        world = self.world
        while self.mortals:
            self.bury(self.mortals.pop())
        immortal = {app.identity for app in world.apps}
        world.until("the dead are gone", lambda: world.history.fold()
                    or immortal.issuperset(world.history.providers))
        world.until("all have come back", lambda: all(c.is_ready for c in world.clients))
        # What was asked for before may begin a call still.
        world.rest()
        for app in world.apps:
            app.hang_up()
        world.rest()
        if world.history.calls:
            world.complain("left over", f"calls {list(world.history.calls)}")
        self.judge()

    def judge(self):
        """Whether the broker keeps more than it may."""
        first, last = self.samples[len(self.samples) // 3], self.samples[-1]
        may = KEPT_KIB_PER_CALL * (last.calls - first.calls)
        if self.has_past:
            may += KEPT_KIB["with a past"]
        else:
            may += KEPT_KIB["without"] + KEPT_KIB_PER_TRANSACTION * (
                last.transactions - first.transactions)
        if last.resident - first.resident > may:
            self.world.complain("memory", f"from {first} to {last}, more than {may:.0f} KiB")
        connections = len(self.world.clients)
        descriptors = self.world.broker.descriptors()
        spare = self.samples[0].descriptors
        if descriptors > spare + connections + len(self.world.apps):
            self.world.complain("descriptors", f"{descriptors} after {spare}")

    def told(self):
        first, third, last = self.samples[0], self.samples[len(self.samples) // 3], self.samples[-1]
        minutes = max(last.seconds - third.seconds, 1) / 60
        slope = (last.resident - third.resident) / minutes
        return (f"soak: {last.seconds:.0f} s, {len(self.buried)} died, {last.calls} calls, "
                f"{last.transactions} transactions, {self.world.history.last} events; resident "
                f"{first.resident}, {third.resident}, {last.resident} KiB, at last {slope:.0f} KiB "
                f"a minute; descriptors {first.descriptors}, {third.descriptors}, "
                f"{last.descriptors}")


def run(seconds, seed, *options):
    """A world that has lived so long, and the soak that tells of it."""
    with kills.world(seed, *options) as world:
        world.broker.start()
        if seconds >= LONG:
            # Nobody of this world was there.
            world.history.folded = world.history.last = Past(world.broker.path).live()
        world.come_back()
        soak = Soak(world, seconds >= LONG)
        try:
            soak.live(seconds)
        finally:
            for _, process in soak.mortals:
                process.kill()
                process.wait()
        return soak


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options, serve = parser.parse_known_args()
    print(f"soak: seed {options.seed}", flush=True)
    soak = run(options.seconds, options.seed, *serve)
    print(soak.told())
    if soak.world.complaints:
        print(f"soak: seed {options.seed} found\n{soak.world.report()}")
        sys.exit(1)


if __name__ == "__main__":
    main()
