#!/usr/bin/env python3
"""Kills the broker under load, again and again, and looks whether anything is lost that it had told
somebody.

    kills.py [--kills N] [--seed N] [OPTION OF SERVE ...]

A kill comes when so many frames have passed; the seed says how many. Exit status 1 if anything was
found; the seed is printed, and gives the same load again.
"""
import argparse
import contextlib
import json
import os
import random
import shutil
import sys
import tempfile

from broker import Broker
from world import World

FRAMES_MAX = 1_000
# How often it hangs before it dies, and how often all have to agree at once when it is back.
HANGS = RESTS = 0.5
# More calls than a host has by default, so that there is something to lose.
CONFIGURATION = {"policy": {"limits": {"ringing": 8, "held_groups": 8}}}


def nothing(broker):
    """What befalls the state between two lives of the broker."""


def live(world, kills, meddle):
    """The world goes on until the broker has been killed so often, then it comes to rest; or until
    something is wrong."""
    alive = world.begin()
    for _ in range(kills):
        # Now and then at once: those who come back are hit, too.
        frames = world.chance.choice([FRAMES_MAX, FRAMES_MAX, FRAMES_MAX // 16])
        end = world.broker.hang if world.chance.random() < HANGS else world.broker.kill
        world.meter.set(world.chance.randint(1, frames), end)
        while alive and world.step():
            pass
        if world.broker.hangs:
            world.talk_on()
        world.broker.kill()
        world.mourn()
        meddle(world.broker)
        world.broker.start()
        alive = world.come_back()
        if alive and world.chance.random() < RESTS:
            # What is wrong now would be hidden by what happens next.
            alive = world.rest()
        if world.complaints:
            return
    end = world.meter.count + FRAMES_MAX
    while alive and world.meter.count < end:
        alive = world.step()
    world.rest()


@contextlib.contextmanager
def world(seed, *options, wrapper=(), configuration=CONFIGURATION, **crowd):
    """A world in a folder that goes away with it."""
    folder = tempfile.mkdtemp(prefix="callbroker-")
    path = os.path.join(folder, "configuration.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump(configuration, file)
    broker = Broker(folder, "--config", path, *options, wrapper=wrapper)
    world = World(broker, seed, **crowd)
    try:
        yield world
    finally:
        world.close()
        broker.stop()
        shutil.rmtree(folder, ignore_errors=True)


def run(kills, seed, *options, meddle=nothing):
    """A world that has lived through it."""
    with world(seed, *options) as lived:
        live(lived, kills, meddle)
        return lived


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options, serve = parser.parse_known_args()
    print(f"kills: seed {options.seed}", flush=True)
    lived = run(options.kills, options.seed, *serve)
    print(f"kills: {options.kills} kills, {lived.meter.count} frames, {lived.history.last} events, "
          f"{len(lived.acknowledged)} acknowledged")
    print("kills: " + ", ".join(f"{n} {what}" for what, n in sorted(lived.counts.items())))
    if lived.complaints:
        print(f"kills: seed {options.seed} found\n{lived.report()}")
        sys.exit(1)


if __name__ == "__main__":
    main()
