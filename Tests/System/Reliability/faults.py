#!/usr/bin/env python3
"""Lets system calls of the broker fail under load, and looks whether it lives on, or ends with a
stated exit status and a message; and whether anything is lost that it had told somebody.

    faults.py [--samples N] [--seed N] [--call NAME ...]

A fault is a system call, an error, and which of its calls fail: one, several in a row, or all from
one on; strace injects it, so the call itself does not happen. KILL instead of an error ends the
broker at that call. Exit status 1 if anything was found.
"""
import argparse
import collections
import os
import random
import re
import signal
import sys
import tempfile
import time

import kills
from broker import NotServing
from world import WARNING

NO_ROOM = ["ENOSPC", "EIO", "EDQUOT"]
ERRORS = {
    "accept4": ["EMFILE", "ENFILE", "ECONNABORTED", "ENOMEM", "EINTR", "EAGAIN", "EPERM"],
    "recvfrom": ["ECONNRESET", "EINTR", "EIO", "EAGAIN", "ENOMEM"],
    # What the kernel says to a sender while the peer lives.
    "sendto": ["ENOBUFS", "EAGAIN", "EINTR", "ENOMEM"],
    "sendmsg": ["ENOBUFS", "EAGAIN", "EINTR", "ENOMEM"],
    "epoll_wait": ["EINTR"],
    "epoll_ctl": ["ENOMEM", "ENOSPC"],
    "epoll_create1": ["EMFILE", "ENOMEM"],
    "signalfd4": ["EMFILE", "ENOMEM"],
    "getsockopt": ["ENOPROTOOPT", "ENOMEM"],
    "pidfd_open": ["EMFILE", "ENFILE", "ESRCH", "ENOMEM"],
    "getrandom": ["EINTR", "ENOSYS"],
    "bind": ["EADDRINUSE", "EACCES"],
    "listen": ["EADDRINUSE"],
    "flock": ["EAGAIN", "ENOLCK", "EINTR"],
    "mkdir": ["EACCES", "EROFS", "ENOSPC"],
    "openat": ["EMFILE", "ENFILE", "EACCES", "EROFS", "ELOOP", "ENOSPC", "EINTR"],
    "fstat": ["EIO"], "newfstatat": ["EIO", "EACCES"], "lseek": ["EIO"],
    "read": ["EIO", "EINTR"], "pread64": ["EIO", "EINTR"],
    "write": [*NO_ROOM, "EINTR"], "pwrite64": [*NO_ROOM, "EINTR"],
    "writev": [*NO_ROOM, "EINTR"], "pwritev": [*NO_ROOM, "EINTR"],
    "fsync": [*NO_ROOM, "EINTR"], "fdatasync": [*NO_ROOM, "EINTR"],
    "ftruncate": [*NO_ROOM, "EINTR"], "fallocate": [*NO_ROOM, "EOPNOTSUPP"],
    "rename": [*NO_ROOM, "EACCES"], "renameat": [*NO_ROOM, "EACCES"],
    "renameat2": [*NO_ROOM, "EACCES"], "unlink": ["EPERM", "EIO"], "unlinkat": ["EPERM", "EIO"],
}
PAST_FRAMES = 200
FRAMES = 300
STEPS_MAX = 900
# What an end may look like: the exit status of a failure that `serve` reports.
STATED = {1, 3}
# The first writes are those by which two threads wake each other: to an eventfd, which has no disk to
# be full for ever, and strace cannot spare it.
WAKING_WRITES = 2
# How soon it tries to write again.
RETRY_SECONDS = 1.0

Fault = collections.namedtuple("Fault", "call error first last")


def expression(fault):
    """How strace is told."""
    what = f"signal={fault.error}" if fault.error == "KILL" else f"error={fault.error}"
    when = f"{fault.first}+" if fault.last is None else f"{fault.first}..{fault.last}"
    return f"inject={fault.call}:{what}:when={when}"


def strace(folder, *options):
    """It is the parent of nobody, so the broker is our own child."""
    return ["strace", "-D", "-f", "-qq", "-o", os.path.join(folder, "trace"), *options]


def calls(lines):
    """What strace has written down: the thread, the call, and whether that is over. One that another
    thread interrupts is there twice, as it begins and whole."""
    begun = {}
    for line in lines:
        thread, call = line.rstrip("\n").split(None, 1)
        if call.rstrip().endswith("<unfinished ...>"):
            begun[thread] = call[:call.rindex("<unfinished")].rstrip()
            yield thread, begun[thread], False
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", call, re.DOTALL)
        yield thread, begun.pop(thread, "") + resumed[1] if resumed else call, True


def survey(folder):
    """How often the broker calls what, in a life without faults: the numbers of the first call
    after the program was loaded, and of the last."""
    with kills.world(1, apps=3, users=2) as world:
        has_a_past(world)
        world.broker.wrapper = strace(
            folder, "-e", "trace=" + ",".join(f"?{call}" for call in ERRORS))
        world.broker.start()
        world.come_back()
        end = world.meter.count + FRAMES
        while world.meter.count < end and world.step():
            pass
        world.rest()
        world.broker.kill(signal.SIGTERM)
        if world.complaints:
            raise SystemExit(f"faults: without any fault there is\n{world.report()}")
        with open(os.path.join(folder, "trace"), encoding="utf-8", errors="replace") as trace:
            return places(trace, world.broker.folder)


def has_a_past(world):
    """The broker lives for a while without a fault, and is killed: there is something to lose."""
    world.begin()
    while world.meter.count < PAST_FRAMES and world.step():
        pass
    world.broker.kill()
    world.mourn()


def places(trace, folder):
    loaded, counts = {}, collections.Counter()
    for line in trace:
        call = re.match(r"\d+ +(\w+)\(", line)
        if not call:
            continue
        if not loaded and folder in line and "execve" not in line:
            loaded = dict(counts)
            # The first datagram says that it is ready: who waits for it would wait for ever.
            loaded["sendto"] = 1
        counts[call[1]] += 1
    return {call: (loaded.get(call, 0) + 1, last) for call, last in counts.items()
            if call in ERRORS and last > loaded.get(call, 0)}


def draw(chance, found):
    """A fault by chance: rare calls are as likely as frequent ones."""
    call = chance.choice(sorted(found))
    first, last = found[call]
    first = chance.randint(first, last)
    error = chance.choice([*ERRORS[call], "KILL"])
    # A signal comes once, and interrupts come to an end.
    rest = {"KILL": [0], "EINTR": [0, 3, 30]}.get(error, [0, 0, 3, 30, None])
    more = chance.choice(rest)
    if call == "write" and more is None:
        first = max(first, WAKING_WRITES + 1)
    return Fault(call, error, first, None if more is None else first + more)


def suffer(fault, seed, folder):
    """A world that has lived with the fault, and a word for what became of the broker."""
    with kills.world(seed, apps=3, users=2) as world:
        has_a_past(world)
        world.broker.wrapper = strace(
            folder, "-e", f"trace={fault.call}", "-e", expression(fault))
        is_passing = fault.last is not None and fault.error != "KILL"
        world.patience = 20.0 if is_passing else 2.0
        outcome = endure(world, fault)
        if not is_passing:
            # As long as the fault lasts nobody need be served.
            world.complaints.pop("stuck", None)
        if outcome == "lives" and world.counts[WARNING] and not is_kept_again(world, fault):
            # It had said that it would lose what it did from then on; so it may.
            return world, "lives without a journal"
        world.patience = 20.0
        heal(world)
        if not world.complaints:
            world.rest()
        return world, outcome


def is_kept_again(world, fault):
    """Waits until the broker has tried often enough to write again; false if that takes long."""
    if fault.last is None or fault.last - fault.first > 3:
        return False
    end = time.monotonic() + RETRY_SECONDS * (fault.last - fault.first + 4)
    return world.until("the broker tries again", lambda: time.monotonic() > end)


def endure(world, fault):
    """The broker lives with the fault for a while, and comes to rest with it."""
    try:
        world.broker.start()
    except NotServing as end:
        return judge(world, fault, *end.args, "does not start")
    alive = world.come_back()
    end = world.meter.count + FRAMES
    for _ in range(STEPS_MAX):
        alive = alive and world.meter.count < end and world.step()
    if world.broker.is_alive and (fault.last is None or world.rest() or world.broker.is_alive):
        return "lives"
    return judge(world, fault, world.broker.process.wait(), world.broker.said(), "ends")


def judge(world, fault, status, words, outcome):
    """Whether an end is one of those that are stated."""
    if fault.error == "KILL" and status == -signal.SIGKILL:
        return "killed"
    if status not in STATED or "callbroker: " not in words:
        world.complain("crash", f"it {outcome} with status {status} and says {words[-500:]!r}")
    return outcome


def heal(world):
    """A broker without the fault takes over."""
    world.broker.kill()
    world.mourn()
    world.broker.wrapper = []
    world.broker.start()
    world.come_back()


def try_all(faults, chance, folder):
    """How often the broker lived, ended, …; and the faults that something was found with."""
    outcomes, found = collections.Counter(), []
    for fault in faults:
        seed = chance.randrange(1 << 32)
        world, outcome = suffer(fault, seed, folder)
        outcomes[outcome] += 1
        if world.complaints:
            found.append(f"{expression(fault)} (load {seed}, {outcome})\n{world.report()}")
    return outcomes, found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--call", action="append", choices=sorted(ERRORS))
    options = parser.parse_args()
    print(f"faults: seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="callbroker-faults-", ignore_cleanup_errors=True) as folder:
        found = survey(folder)
        print(f"faults: {found}", flush=True)
        chosen = {call: found[call] for call in options.call or found if call in found}
        faults = [draw(chance, chosen) for _ in range(options.samples)]
        outcomes, wrong = try_all(faults, chance, folder)
    print("faults: " + ", ".join(f"{n} {what}" for what, n in sorted(outcomes.items())))
    if wrong:
        print(f"faults: {len(wrong)} of {len(faults)} found something\n" + "\n".join(wrong))
        sys.exit(1)


if __name__ == "__main__":
    main()
