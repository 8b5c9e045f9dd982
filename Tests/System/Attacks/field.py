"""Where an attack takes place: a broker, and those who attack it. Frames are made beforehand and
replies are only counted, so that it is the broker that has the work."""
import contextlib
import json
import os
import resource
import select
import socket
import struct
import subprocess
import sys
import time
import uuid

import roads
from clients import PROTOCOL
from wire import Link

# Without any progress for so long the broker counts as frozen.
FROZEN_SECONDS = 20.0
# One that is told to stop gives its clients time to read their goodbye.
STOP_SECONDS = 6.0
GOOD = os.path.join(roads.HERE, "good.py")
HANDLE = {"type": "phone", "value": "+15550100"}


class Frozen(Exception):
    """The broker does nothing any more."""


class Failed(Exception):
    """The attack has done harm."""


def frame(method, id=None, **params):
    """One line, as bytes; without an id a notification."""
    members = {"jsonrpc": "2.0", **({} if id is None else {"id": id}), "method": method,
               "params": params}
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"


def hello(*roles, identity=None, id=0, **more):
    return frame("broker.hello", id, protocol=PROTOCOL, roles=list(roles or ["observer"]),
                 client={"name": "attack", "version": "1"},
                 **({"identity": identity} if identity else {}), **more)


def register(id=1, **more):
    return frame("provider.register", id, display_name="Attack", handle_types=["phone"], **more)


def ring(id, call=None, **more):
    return frame("call.report_incoming", id, call=call or new(), remote=HANDLE, **more)


def new():
    return str(uuid.uuid4())


class Peer(Link):
    """One that asks and waits for the reply."""

    def __init__(self, path):
        super().__init__(path)
        self.last_id = 1_000_000
        self.heard = []

    def ask(self, method, **params):
        """The frame that answers; whatever else comes is kept in `heard`."""
        self.last_id += 1
        self.send(id=self.last_id, method=method, params=params)
        return self.until(lambda frame: frame.get("id") == self.last_id and "method" not in frame)

    def result(self, method, **params):
        reply = self.ask(method, **params)
        if "result" not in reply:
            raise Failed(f"{method} is answered {reply.get('error')}")
        return reply["result"]

    def until(self, wanted):
        """The first frame that is wanted."""
        self.flush()
        end = time.monotonic() + FROZEN_SECONDS
        while not self.is_over:
            for index, frame in enumerate(self.heard):
                if wanted(frame):
                    return self.heard.pop(index)
            if not select.select([self], [], [], max(0, end - time.monotonic()))[0]:
                raise Frozen(f"no answer for {FROZEN_SECONDS:.0f} s")
            self.heard += self.receive()
        raise Failed("a connection was closed that did nothing wrong")


class Crowd:
    """Many connections that do the same."""

    def __init__(self, path, count):
        self.sockets, self.lines, self.bytes, self.backlog = {}, {}, {}, {}
        self.poll = select.epoll()
        for _ in range(count):
            link = self.connect(path)
            self.sockets[link.fileno()] = link
            self.poll.register(link, select.EPOLLIN)

    @staticmethod
    def connect(path):
        link = socket.socket(socket.AF_UNIX)
        # While the queue of the listener is full the kernel lets one wait for so long.
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO,
                        struct.pack("ll", int(FROZEN_SECONDS), 0))
        try:
            link.connect(path)
        except BlockingIOError:
            raise Frozen("no connection is accepted") from None
        link.setblocking(False)
        return link

    def __len__(self):
        return len(self.sockets)

    def send(self, data):
        """The same to each, or what `data(index)` gives."""
        for index, number in enumerate(list(self.sockets)):
            mine = data(index) if callable(data) else data
            self.backlog[number] = self.backlog.get(number, b"") + mine
            self.flush(number)

    def flush(self, number):
        rest = memoryview(self.backlog.get(number, b""))
        try:
            while rest:
                rest = rest[self.sockets[number].send(rest[:262_144]):]
        except BlockingIOError:
            self.poll.modify(number, select.EPOLLIN | select.EPOLLOUT)
        except OSError:
            # The other end is closed; what is there to be read is read yet.
            rest = b""
        self.backlog[number] = bytes(rest)
        if not rest:
            self.backlog.pop(number)
            self.poll.modify(number, select.EPOLLIN)

    def turn(self, seconds=FROZEN_SECONDS):
        """Reads and writes what can be; with whom. Nobody: nothing could be for so long."""
        ready = self.poll.poll(seconds)
        for number, mask in ready:
            if mask & select.EPOLLOUT:
                self.flush(number)
            if mask & ~select.EPOLLOUT:
                self.read(number)
        return [number for number, _ in ready]

    def read(self, number):
        try:
            data = self.sockets[number].recv(262_144)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.drop(number)
        self.lines[number] = self.lines.get(number, 0) + data.count(b"\n")
        self.bytes[number] = self.bytes.get(number, 0) + len(data)

    def drop(self, number):
        self.poll.unregister(number)
        self.backlog.pop(number, None)
        self.sockets.pop(number).close()

    def ask(self, data, lines):
        """Sends to each, until each has had so many lines more, or is closed."""
        goal = {number: self.lines.get(number, 0) + lines for number in self.sockets}
        self.send(data)
        while goal:
            numbers = self.turn()
            if not numbers:
                raise Frozen(f"no answer for {FROZEN_SECONDS:.0f} s")
            for number in numbers:
                if number not in self.sockets or self.lines.get(number, 0) >= goal.get(number, 0):
                    goal.pop(number, None)

    def push(self, data):
        """Sends to each, until all of it has been taken, and reads nothing."""
        for number in self.sockets:
            self.poll.modify(number, 0)
        self.send(data)
        for number in list(self.sockets):
            self.sockets[number].settimeout(FROZEN_SECONDS)
            with contextlib.suppress(OSError):
                self.sockets[number].sendall(self.backlog.pop(number, b""))

    def fill(self, data):
        """Sends to each as much as fits now, and reads nothing."""
        for link in self.sockets.values():
            with contextlib.suppress(OSError):
                link.send(data)

    def close(self):
        self.poll.close()
        for link in self.sockets.values():
            link.close()
        self.sockets.clear()


class Good:
    """The good client's process."""

    def __init__(self, broker):
        self.process = subprocess.Popen(
            [sys.executable, GOOD, broker.path, str(broker.pid)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline() != "ready\n":
            raise Failed("the good client could not even begin")

    def stop(self):
        """Its measurements."""
        try:
            told, _ = self.process.communicate(timeout=2 * FROZEN_SECONDS)
            return json.loads(told)
        except (subprocess.TimeoutExpired, ValueError):
            return {"samples": [], "wrong": ["the good client did not come back"], "unanswered": []}
        finally:
            self.process.kill()
            self.process.wait()


class Field:
    """What an attack has at hand. All that it opens is closed when it is over."""

    def __init__(self, broker):
        self.broker = broker
        self.rest = contextlib.ExitStack()
        # Beyond the end of the attack, to that of the broker.
        self.lasting = contextlib.ExitStack()
        self.good = None
        self.told = []
        self.descriptors = self.resident = self.grown_kib = 0

    # The broker, and the good client, who is there as long as it.

    @property
    def serves(self):
        return self.good is not None

    def start(self, seconds=None):
        self.broker.patience = seconds or FROZEN_SECONDS
        self.broker.start()
        self.good = Good(self.broker)
        self.stay()

    def stay(self):
        """Who is here now belongs to the host, as long as the broker runs: costs count from here."""
        self.lasting.push(self.rest.pop_all())
        self.descriptors, self.resident = self.broker.descriptors(), self.broker.resident_kib()

    def recover(self, memory_mib):
        """The attackers leave, and what they have cost is given back."""
        self.rest.close()
        if not self.broker.is_alive:
            raise Failed(f"the broker has gone: {self.broker.said()[-1_000:]}")
        self.until(lambda: self.broker.descriptors() <= self.descriptors,
                   f"there are {self.descriptors} descriptors again")
        try:
            self.until(lambda: self.broker.resident_kib() <= self.resident + 1_024 * memory_mib,
                       f"no more than {memory_mib} MiB are left", 5)
        finally:
            self.grown_kib = self.broker.resident_kib() - self.resident

    def halt(self):
        """The broker ends as it should, whatever still lies about."""
        self.told.append(self.good.stop())
        self.good = None
        self.broker.process.terminate()
        try:
            status = self.broker.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.broker.kill()
            raise Failed(f"SIGTERM is not obeyed within {STOP_SECONDS:.0f} s") from None
        if status:
            raise Failed(f"it ended with {status}: {self.broker.said()[-500:]}")

    # Those who attack.

    @property
    def path(self):
        return self.broker.path

    def file(self, name):
        return os.path.join(self.broker.folder, name)

    def peer(self, *roles, **more):
        peer = Peer(self.path)
        self.rest.callback(peer.close)
        peer.backlog += hello(*roles, **more)
        reply = peer.until(lambda frame: frame.get("id") == 0)
        if "result" not in reply:
            raise Failed(f"hello is answered {reply['error']}")
        peer.hello = reply["result"]
        return peer

    def crowd(self, count, data=b"", lines=0):
        """So many connections, each of which has sent this and had so many lines in reply."""
        crowd = Crowd(self.path, count)
        self.rest.callback(crowd.close)
        if lines:
            crowd.ask(data, lines)
        return crowd

    def app(self, name="attack", calls=(), **more):
        """A provider that is registered."""
        peer = self.peer("provider", "controller", identity=f"org.example.{name}")
        peer.result("provider.register", display_name=name, handle_types=["phone"],
                    grace_ms=0, **({"calls": list(calls)} if calls else {}), **more)
        return peer

    def process(self, *command, **more):
        """A program that ends with the attack."""
        process = subprocess.Popen(command, **more)
        self.rest.callback(process.wait)
        self.rest.callback(process.kill)
        return process

    def until(self, condition, what, seconds=FROZEN_SECONDS):
        """Waits for what has no descriptor to wait for: a process, a file, a figure of /proc."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise Failed(f"waited for {seconds:.0f} s until {what}")
            select.select([], [], [], 0.005)

    def leave(self):
        self.rest.close()
        self.lasting.close()
        if self.good:
            self.told.append(self.good.stop())


def live_calls(count, state="held"):
    """Calls as a registration lists them."""
    return [{"call": new(), "direction": "incoming", "state": state, "remote": HANDLE}
            for _ in range(count)]


def raise_descriptors():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
