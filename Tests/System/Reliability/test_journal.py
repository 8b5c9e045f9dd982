"""The broker is killed at each call with which another thread makes a new journal; its disk is full; and
its journal is cut short by somebody else. Nothing that was acknowledged is lost, or that is said.

Kinds of file systems: in memory, where a process may mount that, and those that a user who may mount
files has programs for. KINDS chooses them."""
import contextlib
import os
import select
import shutil
import subprocess
import tempfile
import time
import unittest

import faults
from broker import CEILING, Broker
from test_blocking import REMOTE, Client

CALL = "5a3c1b60-0000-4000-8000-000000000001"
# Updates that are under way at once, and how many make a journal so long that a new one is begun.
BATCH, BATCHES_MAX = 50, 400
MIB = 1 << 20
# What makes a file system in a file, and how large it must be.
MAKERS = {"tmpfs": (None, 8), "ext4": (["mkfs.ext4", "-q"], 32), "xfs": (["mkfs.xfs", "-q"], 320),
          "btrfs": (["mkfs.btrfs", "-q"], 128)}
# The calls about a new journal, in their order; the last is about the folder.
POINTS = ["openat", "pwritev", "fallocate", "mmap", "fdatasync", "rename", "fsync"]


class App(Client):
    """An app with one call, whose name it changes."""

    def __init__(self, broker):
        super().__init__(broker.path, "provider", "controller", "observer", identity="org.example.app")
        self.last, self.acknowledged, self.warnings = 0, 0, 0

    def begin(self):
        self.result("provider.register", display_name="App", handle_types=["phone"])
        self.result("call.report_incoming", call=CALL, remote=REMOTE)

    def update(self):
        """A batch of names; False if the broker is gone."""
        first = self.last + 1
        for number in range(first, first + BATCH):
            self.send(id=number + (1 << 20), method="call.report_update", params={
                "call": CALL, "display_name": f"{number} " + "x" * 100})
        self.last += BATCH
        while self.acknowledged < self.last and not self.is_over:
            try:
                select.select([self], [self] if self.backlog else [], [], CEILING)
                self.flush()
                self.take(self.receive())
            except ConnectionError:
                return False
        return self.acknowledged == self.last

    def take(self, frames):
        for frame in frames:
            if frame.get("method") == "broker.warning":
                self.warnings += frame["params"]["reason"] == "journal_failed"
            elif isinstance(frame.get("id"), int) and frame["id"] > 1 << 20 and "result" in frame:
                self.acknowledged = frame["id"] - (1 << 20)


def name_of_call(broker):
    user = Client(broker.path, "controller", "observer")
    try:
        calls = user.result("call.list")["calls"]
    finally:
        user.close()
    return int(calls[0]["display_name"].split()[0])


class JournalTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="callbroker-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.broker = Broker(self.folder)
        self.addCleanup(self.broker.stop)

    def app(self):
        app = App(self.broker)
        self.addCleanup(app.close)
        app.begin()
        return app

    def live_again(self, app):
        """The broker dies, if it has not, and another one has what it had acknowledged."""
        self.broker.kill()
        self.broker.wrapper = []
        self.broker.start()
        self.assertGreaterEqual(name_of_call(self.broker), app.acknowledged)
        self.broker.kill()

    # Kills.

    def die_at(self, call, *more):
        """It is killed where it enters that call about a new journal."""
        state = self.broker.state
        shutil.rmtree(state, ignore_errors=True)
        self.broker.wrapper = []
        self.broker.start()
        self.broker.kill()
        self.broker.wrapper = faults.strace(
            self.folder, "-P", state if call == "fsync" else os.path.join(state, "journal.new"),
            "-e", "signal=none", "-e", "trace=" + ",".join(POINTS),
            "-e", f"inject={call}:signal=KILL:when=1", *more)
        self.broker.start()
        app = self.app()
        for _ in range(BATCHES_MAX):
            if not app.update():
                break
        self.assertEqual(self.broker.process.wait(CEILING), -9, f"it never came to {call}")
        self.live_again(app)

    def test_it_is_killed_at_each_call_about_a_new_journal(self):
        for call in POINTS:
            with self.subTest(call=call):
                self.die_at(call)

    def test_it_is_killed_at_each_such_call_where_a_file_has_no_room(self):
        for call in ("pwritev", "rename"):
            with self.subTest(call=call):
                self.die_at(call, "-e", "inject=fallocate:error=EOPNOTSUPP")

    # Disks.

    def test_a_journal_that_is_cut_short_is_reported_and_begun_anew(self):
        self.broker.start()
        app = self.app()
        app.update()
        os.truncate(os.path.join(self.broker.state, "journal"), 0)
        app.update()
        self.wait_until_kept(app)
        app.update()
        self.live_again(app)

    def test_a_full_disk_is_reported_and_what_is_decided_meanwhile_is_kept_later(self):
        kinds = [kind for kind in MAKERS if kind in os.environ.get("KINDS", kind).split(",")]
        tried = []
        for kind in kinds:
            with contextlib.ExitStack() as stack, self.subTest(kind=kind):
                place = mounted(kind, self.folder, stack)
                stack.callback(self.broker.stop)
                if place:
                    self.fill(kind, place)
                    tried.append(kind)
        print(f"journal: full disks of {', '.join(tried) or 'no kind'}", flush=True)

    def fill(self, kind, place):
        self.broker.state = os.path.join(place, "state")
        self.broker.start()
        said = len(self.broker.said())
        app = self.app()
        filler = os.path.join(place, "filler")
        with open(filler, "wb", buffering=0) as file:
            self.update_until_warned(app, kind, file)
        self.wait_until_said(kind, "No space left on device", said)
        os.unlink(filler)
        self.wait_until_kept(app)
        app.update()
        self.live_again(app)

    def update_until_warned(self, app, kind, filler):
        """Another thread begins the new journal, and a busy disk takes its time with it. What a file system
        frees late is taken, too, or there would be room for ever."""
        end = time.monotonic() + CEILING
        while not app.warnings:
            take_all(filler)
            self.assertLess(time.monotonic(), end, f"{kind}: no warning after {app.last} updates")
            self.assertTrue(app.update(), f"the broker is gone: {self.broker.said()[-500:]}")
        self.assertEqual(app.warnings, 1, kind)

    def wait_until_said(self, kind, words, start):
        """Another thread of the broker writes its log; `start` is where the new part of it begins."""
        end = time.monotonic() + CEILING
        while words not in self.broker.said()[start:]:
            self.assertLess(time.monotonic(), end, f"{kind}: it does not say {words!r}")
            select.select([], [], [], 0.01)

    def wait_until_kept(self, app):
        end = time.monotonic() + CEILING
        while app.result("broker.info")["journal"]["state"] != "kept":
            self.assertLess(time.monotonic(), end, "no journal is begun")
            select.select([], [], [], 0.1)


def take_all(filler):
    """All that is free on a disk."""
    for piece in (MIB, 1 << 12):
        with contextlib.suppress(OSError):
            while filler.write(bytes(piece)) == piece:
                os.fsync(filler.fileno())


def mounted(kind, folder, stack):
    """A file system of that kind, nearly empty; None where this user cannot have one."""
    maker, mib = MAKERS[kind]
    place, image = os.path.join(folder, f"on-{kind}"), os.path.join(folder, f"{kind}.image")
    if os.geteuid() != 0 or maker and not shutil.which(maker[0]):
        return None
    os.makedirs(place)
    if maker:
        with open(image, "wb") as file:
            file.truncate(mib * MIB)
        subprocess.run([*maker, image], check=True)
        command = ["mount", "-o", "loop", image, place]
    else:
        command = ["mount", "-t", kind, "-o", f"size={mib}m", kind, place]
    if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return None
    stack.callback(subprocess.run, ["umount", "-l", place], check=False)
    return place


if __name__ == "__main__":
    unittest.main()
