#!/usr/bin/env python3
"""What a power cut may leave of journal and store, opened; and whether anything is missing that was
acknowledged.

    powercut.py [--images N] [--seed N]

strace writes down in which order the daemon writes, syncs and renames in its state folder, and when
it replies. The power may fail behind each of these calls. Of what was not synced by then each sector
of 512 bytes may be there or not; a file may be shorter, or have a hole; names are there in the order
in which they were made, as far as the folder was synced or further. `ImageReader` opens each image with
the code with which the daemon begins. Exit status 1 if anything is missing, or nothing opens it.
"""
import argparse
import collections
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import faults
from broker import ROOT, Broker
from clients import PROTOCOL
from wire import Link

READER = os.path.abspath(os.environ.get("IMAGE_READER") or os.path.join(
    ROOT, ".build", "debug", "ImageReader"))
SECTOR = 512
CALLS = ("openat,close,write,writev,pwrite64,pwritev,fallocate,ftruncate,fdatasync,fsync,rename,renameat,renameat2,unlink,"
         "unlinkat,link,linkat,lseek,fcntl,sendto,sendmsg")
# Lives of a broker, one behind the other in the same folder, and what is asked for in each.
LIVES, ROUNDS = 3, 12
# Images of each place where the power may fail.
WAYS = ["nothing", "all", "half", "half", "torn", "torn"]
FIRST_NUMBER = 1_000

Op = collections.namedtuple("Op", "kind path data offset")


# What happened.


class Trace:
    """The calls that strace has written down, as operations on files by their names."""

    def __init__(self, folder):
        self.folder = folder
        self.names, self.offsets = {}, {}
        self.ops = []

    def read(self, path):
        """A call that another thread interrupts is written in two parts; it happens at its end. But
        a sync has on the disk what was written when it began."""
        with open(path, encoding="ascii", errors="replace") as file:
            for _, call, is_over in faults.calls(file):
                if is_over:
                    self.take(call)
                else:
                    self.begin(call)
        self.names, self.offsets = {}, {}
        return self.ops

    def begin(self, line):
        call = re.match(r"f(?:data)?sync\((\d+)", line)
        if call and int(call[1]) in self.names:
            self.add("begin", self.names[int(call[1])])

    def take(self, line):
        call = re.match(r"(\w+)\((.*)\)\s+= (-?\d+)", line)
        if not call or int(call[3]) < 0:
            return
        name, arguments, result = call[1], call[2], int(call[3])
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in
                 re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]
        if name in ("sendto", "sendmsg"):
            return self.add("sent", "", b"".join(texts)[:result])
        if name == "openat":
            return self._open(texts[0].decode(), arguments, result)
        if name in ("rename", "renameat", "renameat2", "link", "linkat"):
            return self._name(name, *(text.decode() for text in texts))
        if name in ("unlink", "unlinkat"):
            return self._name(name, texts[0].decode())
        self._use(name, int(arguments.split(",", 1)[0]), arguments, texts, result)

    def _is_ours(self, path):
        return path == self.folder or path.startswith(self.folder + "/")

    def add(self, kind, path, data=b"", offset=0):
        self.ops.append(Op(kind, os.path.relpath(path, self.folder) if path else "", data, offset))

    def _open(self, path, arguments, number):
        self.names.pop(number, None)
        if not self._is_ours(path):
            return
        self.names[number], self.offsets[number] = path, 0
        if "O_CREAT" in arguments:
            self.add("create", path)
        if "O_TRUNC" in arguments:
            self.add("truncate", path)

    def _name(self, name, path, other=None):
        if self._is_ours(path):
            kind = "rename" if name.startswith("rename") else name.removesuffix("at")
            target = os.path.relpath(other, self.folder).encode() if other else b""
            self.add(kind, path, target)
            for number, known in self.names.items():
                if kind == "rename" and known == path:
                    self.names[number] = other

    def _use(self, name, number, arguments, texts, result):
        path = self.names.get(number)
        if path is None:
            return
        if name == "close":
            del self.names[number]
        elif name == "fcntl":
            if "F_DUPFD" in arguments:
                self.names[result], self.offsets[result] = path, 0
        elif name == "lseek":
            self.offsets[number] = result
        elif name in ("write", "writev"):
            self.add("write", path, b"".join(texts)[:result], self.offsets[number])
            self.offsets[number] += result
        elif name in ("pwrite64", "pwritev"):
            self.add("write", path, b"".join(texts)[:result], int(arguments.rsplit(",", 1)[1]))
        elif name == "ftruncate":
            self.add("truncate", path, offset=int(arguments.rsplit(",", 1)[1]))
        elif name in ("fsync", "fdatasync"):
            self.add("sync", path)


# What may be left.


class File:
    """The bytes that are on the disk for sure, and what was written since."""

    def __init__(self):
        self.durable = b""
        self.pending = []
        # How many of these there were when the sync began that is under way.
        self.begun = None

    def begin(self):
        self.begun = len(self.pending)

    def sync(self):
        count = len(self.pending) if self.begun is None else self.begun
        rest, self.pending, self.begun = self.pending[count:], self.pending[:count], None
        self.durable = bytes(self.image("all", None))
        self.pending = rest

    def image(self, way, chance):
        data = bytearray(self.durable)
        for op in self.pending if way != "nothing" else []:
            if way == "half" and chance.random() < 0.5:
                continue
            if op.kind == "truncate":
                del data[op.offset:]
                data.extend(bytes(max(0, op.offset - len(data))))
            else:
                self._write(data, op, way, chance)
        return data

    @staticmethod
    def _write(data, op, way, chance):
        """Sector by sector of the file; a torn one lacks some."""
        start, end = op.offset, op.offset + len(op.data)
        while start < end:
            stop = min(end, (start // SECTOR + 1) * SECTOR)
            if way != "torn" or chance.random() < 0.5:
                data.extend(bytes(max(0, stop - len(data))))
                data[start:stop] = op.data[start - op.offset:stop - op.offset]
            start = stop


class Disk:
    """Files and their names: those of now, and those that are there for sure."""

    def __init__(self):
        self.files = {}
        self.durable_names, self.names = {}, {}
        self.pending_names = []

    def apply(self, op):
        if op.kind == "sync" and op.path == ".":
            self.durable_names, self.pending_names = dict(self.names), []
        elif op.kind in ("create", "rename", "unlink", "link"):
            self._rename(self.names, op)
            self.pending_names.append((op, self.names.get(op.path)))
        elif op.path in self.names and op.kind == "begin":
            self.names[op.path].begin()
        elif op.path in self.names and op.kind == "sync":
            self.names[op.path].sync()
        elif op.path in self.names:
            self.names[op.path].pending.append(op)

    @staticmethod
    def _rename(names, op, file=None):
        if op.kind == "create":
            names.setdefault(op.path, file or File())
        elif op.path in names and op.kind != "unlink":
            names[op.data.decode()] = names[op.path]
        if op.kind in ("rename", "unlink"):
            names.pop(op.path, None)

    def image(self, way, chance):
        """Bytes by name. Names follow in their order; how far is chance."""
        names = dict(self.durable_names)
        count = {"nothing": 0, "all": len(self.pending_names)}.get(
            way, chance.randint(0, len(self.pending_names)))
        for op, file in self.pending_names[:count]:
            self._rename(names, op, file)
        return {name: file.image(way, chance) for name, file in names.items()}


# What was told.


class Told:
    """What was asked for, and what of it was acknowledged."""

    def __init__(self):
        self.policy, self.contacts = 0, set()

    def take(self, frames):
        for kind, number in re.findall(rb'"id":"(policy|contact)-(\d+)","result"', frames):
            if kind == b"policy":
                self.policy = max(self.policy, int(number))
            else:
                self.contacts.add(int(number))


def record(seed):
    """The operations of some lives of a broker whose user chooses and calls."""
    chance = random.Random(seed)
    folder = tempfile.mkdtemp(prefix="callbroker-")
    try:
        trace = Trace(os.path.join(folder, "state"))
        path = os.path.join(folder, "configuration.json")
        broker = Broker(folder, "--config", path)
        for life in range(LIVES):
            # An edited file counts, and lets the journal begin anew.
            with open(path, "w", encoding="ascii") as file:
                json.dump({"policy": {"limits": {"calls": FIRST_NUMBER + life * ROUNDS - 1}}}, file)
            log = os.path.join(folder, f"trace-{life}")
            broker.wrapper = ["strace", "-D", "-f", "-qq", "-xx", "-s", "10000000", "-o", log, "-e",
                              "trace=" + ",".join("?" + call for call in CALLS.split(",")),
                              # A copy into mapped memory is no call: the same is written instead.
                              "-e", "inject=fallocate:error=EOPNOTSUPP"]
            broker.start()
            load(broker, chance, life)
            broker.kill()
            # It is nobody's child, and writes the end of its log when the broker is gone.
            while "+++" not in tail(log):
                time.sleep(0.01)
            trace.read(log)
        return trace.ops
    finally:
        broker.stop()
        shutil.rmtree(folder, ignore_errors=True)


def tail(path):
    with open(path, "rb") as file:
        file.seek(max(0, os.path.getsize(path) - 200))
        return file.read().decode("ascii", "replace")


def load(broker, chance, life):
    """Policies, contacts and calls, in an order of chance; each reply is waited for."""
    user, app = Link(broker.path), Link(broker.path)
    ask(user, "hello", "broker.hello", protocol=PROTOCOL, roles=["controller", "admin"],
        client={"name": "user", "version": "1"})
    ask(app, "hello", "broker.hello", protocol=PROTOCOL, roles=["provider"],
        client={"name": "app", "version": "1"}, identity=f"org.example.app{life}")
    ask(app, "register", "provider.register", display_name="app", handle_types=["phone"])
    for turn in range(ROUNDS):
        number = FIRST_NUMBER + life * ROUNDS + turn
        steps = [lambda: ask(user, f"policy-{number}", "policy.set", limits={"calls": number}),
                 lambda: ask(user, f"contact-{number}", "contact.put", name=f"n{number}",
                             handles=[{"type": "phone", "value": f"+1555{number}"}]),
                 lambda: ring(app, chance), lambda: ring(app, chance)]
        chance.shuffle(steps)
        for step in steps:
            step()
    user.close()
    app.close()


def ring(app, chance):
    call = f"5a3c1b60-0000-4000-8000-{chance.getrandbits(48):012x}"
    ask(app, "ring", "call.report_incoming", call=call, remote={"type": "phone", "value": "+15550100"},
        display_name="x" * chance.randint(1, 128))
    ask(app, "end", "call.report_ended", call=call, reason="remote_ended")


def ask(link, id, method, **params):
    link.send(id=id, method=method, params=params)
    while True:
        for frame in link.receive():
            if frame.get("id") == id and "method" not in frame:
                if "error" in frame:
                    raise RuntimeError(f"{method}: {frame['error']}")
                return
        if link.is_over:
            raise ConnectionError("the broker has closed a connection")
        time.sleep(0.001)


# What is found.


class Reader:
    """ImageReader, which opens one image after another; a new one if it crashes."""

    def __init__(self, program=READER):
        self.program = program
        self.process = None

    def open(self, request):
        if self.process is None:
            self.process = subprocess.Popen(
                [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        self.process.stdin.write(request + "\n")
        line = self.process.stdout.readline()
        if not line:
            self.process.communicate()
            status, self.process = self.process.returncode, None
            return ["crashed", str(status)]
        return line.split()

    def close(self):
        if self.process:
            self.process.communicate()


def is_of_store(op):
    """Names are synced for the journal's sake."""
    return op.path.startswith("store")


class Trial:
    """Images of one recording."""

    def __init__(self, reader, chance, folder):
        self.reader, self.chance, self.folder = reader, chance, folder
        self.images = 0
        self.words = collections.Counter()
        self.complaints = []

    def run(self, ops, images):
        """About so many images, half of them of each, spread over all places where the power may
        fail."""
        places = collections.Counter(is_of_store(op) for op in ops if op.kind != "sent")
        disk, told = Disk(), Told()
        for index, op in enumerate(ops):
            if op.kind == "sent":
                told.take(op.data)
                continue
            disk.apply(op)
            share = images / (len(places) * places[is_of_store(op)] * len(WAYS))
            for way in WAYS * math.ceil(share):
                if self.chance.random() < share / math.ceil(share):
                    self.cut(disk, told, op, f"operation {index}, {op.kind} {op.path}", way)

    def cut(self, disk, told, op, place, way):
        left = disk.image(way, self.chance)
        is_store = is_of_store(op)
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        for name, data in left.items():
            if name.startswith("store" if is_store else "journal"):
                with open(os.path.join(self.folder, name), "wb") as file:
                    file.write(data)
        self.images += 1
        if is_store:
            self.judge_store(told, place, way)
        else:
            self.judge_journal(told, place, way)

    def judge_journal(self, told, place, way):
        word, *rest = self.reader.open("journal " + os.path.join(self.folder, "journal"))
        self.words["journal " + word] += 1
        policy = int(rest[0]) if word in ("whole", "damaged") else 0
        if word == "crashed" or policy < told.policy:
            self.complaints.append(f"{place}, {way}: the journal is {word} and says {policy}, "
                                   f"{told.policy} was acknowledged")

    def judge_store(self, told, place, way):
        word, *names = self.reader.open("store " + self.folder)
        self.words["store " + word] += 1
        missing = told.contacts - {int(name[1:]) for name in names if name[1:].isdigit()}
        if word == "crashed" or missing:
            self.complaints.append(f"{place}, {way}: the store is {word}, and {len(missing)} of "
                                   f"{len(told.contacts)} contacts are missing")


def room():
    """Where images are made: in memory, if there is such a folder."""
    return tempfile.mkdtemp(prefix="callbroker-images-",
                            dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)


def run(images, seed, spoil=lambda ops: ops, each=4_000):
    """So many images, of as many recordings as it takes."""
    chance, reader, folder = random.Random(seed), Reader(), room()
    trial = Trial(reader, chance, folder)
    try:
        while trial.images < images:
            ops = spoil(record(chance.randrange(1 << 32)))
            trial.run(ops, min(each, images - trial.images))
    finally:
        reader.close()
        shutil.rmtree(folder, ignore_errors=True)
    return trial


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--images", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    print(f"powercut: seed {options.seed}", flush=True)
    trial = run(options.images, options.seed)
    print(f"powercut: {trial.images} images: "
          + ", ".join(f"{count} {word}" for word, count in sorted(trial.words.items())))
    if trial.complaints:
        print(f"powercut: {len(trial.complaints)} found something\n  "
              + "\n  ".join(trial.complaints[:10]))
        sys.exit(1)


if __name__ == "__main__":
    main()
