"""Tests of call flows: a private CallBroker for each test, and a clock that only the test moves.

Fixtures: `broker`, `fake_provider`, `fake_controller`, `wait_event`, `advance`. Every frame that
any program exchanges with the broker is recorded, checked against the broker's own description of
the protocol, and shown when a test fails. A test also fails for a `broker.warning` that it has not
announced with `broker.expect_warning(reason)`.
"""
from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import fastjsonschema
import pytest

JSON = Dict[str, Any]
FRAMES_SHOWN = 80                               # of a failed test, the latest ones
LIMIT_MS_MAX = 600_000                          # of test.settle
STEP_MS = 1000                                  # of the clock, so that nobody is late by our jump
CLOSE_SECONDS = 5.0                             # for a program to end when it is asked to


# ---- How a fake provider answers

class Outcome(NamedTuple):
    """What becomes of an action: see `FULFIL`, `NEVER`, `LATE`, `fail` and `after`."""

    reason: Optional[str] = None                # it fails
    answers: bool = True
    after_ms: Optional[int] = 0                 # of the virtual clock; None: once it is too late
    message: str = "scripted"
    app_code: Optional[str] = None              # of the app's protocol or network


FULFIL, NEVER, LATE = Outcome(), Outcome(answers=False), Outcome(after_ms=None)
WORDS = {"fulfil": FULFIL, "fail": Outcome("refused"), "never": NEVER, "late": LATE}
Script = Union[str, Outcome, Sequence[Union[str, Outcome]]]


def fail(reason: str = "refused", message: str = "scripted",
         app_code: Optional[str] = None) -> Outcome:
    """The provider says no. With the code of its network, such as `SIP 486`, the broker takes the
    reason of a call's end from the code if the reason is `unspecified`."""
    return Outcome(reason, message=message, app_code=app_code)


def after(ms: int) -> Outcome:
    """The provider does it once the virtual clock has moved on by so much."""
    return Outcome(after_ms=ms)


def outcomes(script: Script) -> Iterator[Outcome]:
    """One after the other; the last one again and again."""
    given = [script] if isinstance(script, (str, Outcome)) else list(script)
    for each in given:
        if isinstance(each, str) and each not in WORDS:
            raise ValueError(f"{each!r}: expected one of {', '.join(WORDS)}, fail() or after()")
    meant = [WORDS[each] if isinstance(each, str) else each for each in given]
    return itertools.chain(meant, itertools.repeat(meant[-1]))


# ---- Frames

class Frame(NamedTuple):
    """A line on the wire. `direction` is `>` to the broker, `<` from it."""

    peer: str
    direction: str
    text: str

    def __str__(self) -> str:
        return f"{self.peer} {self.direction} {self.text}"


class Protocol:
    """What `rpc.discover` says: each method's params and result, as far as a schema can say it."""

    def __init__(self, document: JSON) -> None:
        self._methods = {method["name"]: method for method in document["methods"]}
        self._checks: Dict[Tuple[str, str], Callable[[Any], Any]] = {}

    def fault(self, frame: JSON, direction: str, replies_to: Optional[str]) -> Optional[str]:
        """What is wrong with it. `replies_to` is the method of the request that it answers."""
        method = frame.get("method")
        if method is None:
            if replies_to is None or "result" not in frame:
                return self._error_fault(frame, direction)
            return self._checked((replies_to, "result"), frame["result"])
        if method not in self._methods:
            return f"there is no method {method}"
        wanted = "to_broker" if direction == ">" else "to_client"
        if self._methods[method]["x-direction"] not in (wanted, "both"):
            return f"{method} does not go this way"
        name = method
        if method == "event" and frame.get("params", {}).get("topic") in self._methods:
            name = frame["params"]["topic"]     # says more than the general entry
        return self._checked((name, direction), frame.get("params") or {})

    @staticmethod
    def _error_fault(frame: JSON, direction: str) -> Optional[str]:
        error = frame.get("error")
        if error is None:
            return None if "result" in frame else "neither method, result nor error"
        if not (isinstance(error, dict) and isinstance(error.get("code"), int)
                and isinstance(error.get("message"), str)):
            return "error: expected an integer code and a message"
        if direction == "<" and not isinstance(error.get("data"), dict):
            return "error.data: expected an object"
        return None

    def _checked(self, key: Tuple[str, str], value: Any) -> Optional[str]:
        if key not in self._checks:
            self._checks[key] = fastjsonschema.compile(self._schema(*key))
        try:
            self._checks[key](value)
        except fastjsonschema.JsonSchemaValueException as error:
            what = "result" if key[1] == "result" else "params"
            return f"{key[0]}: {error.message.replace('data', what, 1)}"
        return None

    def _schema(self, name: str, what: str) -> JSON:
        method = self._methods[name]
        if what == "result":
            return dict(method.get("result", {}).get("schema", {}))
        schema: JSON = {"type": "object",
                        "properties": {each["name"]: each["schema"] for each in method["params"]},
                        "required": [each["name"] for each in method["params"]
                                     if each.get("required")]}
        if what == ">":                         # the broker refuses what it does not know
            schema.update(patternProperties={"^x_": {}}, additionalProperties=False)
        return schema


class Recorder:
    """Every frame of a test, and what was found wrong."""

    def __init__(self) -> None:
        self.frames: List[Frame] = []
        self.faults: List[Tuple[Frame, str]] = []
        self.warnings: List[Tuple[Frame, str]] = []
        self.changed = threading.Condition(threading.RLock())
        self.protocol: Optional[Protocol] = None
        self._asked: Dict[Tuple[str, str, str], str] = {}

    def record(self, peer: str, direction: str, line: bytes) -> Optional[JSON]:
        """Returns the frame if it is one."""
        text = line.decode("utf-8", "replace").strip()
        if not text:
            return None
        with self.changed:
            frame = Frame(peer, direction, text)
            self.frames.append(frame)
            try:
                parsed = json.loads(line)
            except ValueError:
                parsed = None
            for each in parsed if isinstance(parsed, list) else [parsed]:
                self._check(frame, each)
            self.changed.notify_all()
        return parsed if isinstance(parsed, dict) else None

    def _check(self, frame: Frame, parsed: Any) -> None:
        if not isinstance(parsed, dict):
            self.faults.append((frame, "no JSON object"))
            return
        replies_to = None
        number = json.dumps(parsed.get("id"))
        if "id" in parsed and "method" in parsed:
            self._asked[frame.peer, frame.direction, number] = parsed["method"]
        elif "id" in parsed:
            asked = "<" if frame.direction == ">" else ">"
            replies_to = self._asked.pop((frame.peer, asked, number), None)
        if self.protocol is not None:
            fault = self.protocol.fault(parsed, frame.direction, replies_to)
            if fault is not None:
                self.faults.append((frame, fault))
        if parsed.get("method") == "broker.warning":
            self.warnings.append((frame, str(parsed.get("params", {}).get("reason"))))

    def wait(self, what: Callable[[], str], condition: Callable[[], Any], seconds: float) -> Any:
        """Until the condition holds; it is asked again after each frame."""
        __tracebackhide__ = True
        with self.changed:
            if not self.changed.wait_for(condition, seconds):
                raise AssertionError(f"{what()} (waited {seconds:g} s of real time)")
            return condition()


# ---- Connections

class BrokerError(Exception):
    """The broker's error reply."""

    def __init__(self, error: JSON) -> None:
        self.code: int = error["code"]
        self.data: JSON = error.get("data", {})
        self.reason: str = self.data.get("reason", "")
        super().__init__(f"{self.code} {self.reason}: {error['message']}")


class Reply:
    """The reply to a request that may take a while."""

    def __init__(self, peer: Peer, method: str) -> None:
        self._peer, self._method = peer, method
        self.frame: Optional[JSON] = None

    @property
    def done(self) -> bool:
        return self.frame is not None

    def result(self) -> JSON:
        """Waits for it. An error is raised as `BrokerError`."""
        __tracebackhide__ = True
        self._peer.recorder.wait(
            lambda: f"no reply to {self._method}; does the clock have to be advanced?",
            lambda: self.done, self._peer.ceiling)
        assert self.frame is not None
        if "error" in self.frame:
            raise BrokerError(self.frame["error"])
        return dict(self.frame["result"])


class Peer:
    """A connection of the test itself, with a thread that reads it."""

    def __init__(self, broker: Broker, name: str, roles: Sequence[str],
                 identity: Optional[str] = None) -> None:
        self.name, self.recorder, self.ceiling = name, broker.recorder, broker.ceiling
        self.events: List[JSON] = []
        self._ids = itertools.count(1)
        self._replies: Dict[Any, Reply] = {}
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(broker.direct_socket)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        hello: JSON = {"protocol": {"min": 1, "max": 1}, "roles": list(roles),
                       "features": ["alerting", "tone"],
                       "client": {"name": name, "version": "0"}}
        self._opening = self.send("broker.hello", **hello,
                                  **({"identity": identity} if identity else {}))

    def send(self, method: str, **params: Any) -> Reply:
        """Sends a request, and does not wait."""
        number = next(self._ids)
        reply = self._replies[number] = Reply(self, method)
        self.write({"id": number, "method": method, "params": params})
        return reply

    def request(self, method: str, **params: Any) -> JSON:
        """Sends a request and returns its result."""
        __tracebackhide__ = True
        return self.send(method, **params).result()

    def write(self, frame: JSON) -> None:
        """Any frame; what the protocol does not allow makes the test fail, unless expected."""
        line = json.dumps({"jsonrpc": "2.0", **frame}, separators=(",", ":"),
                          ensure_ascii=False).encode()
        with self.recorder.changed:             # in the record and on the wire in the same order
            self.recorder.record(self.name, ">", line)
            self._socket.sendall(line + b"\n")

    @property
    def is_closed(self) -> bool:
        """Whether the connection is gone."""
        return not self._reader.is_alive()

    def close(self) -> None:
        """The connection is lost, as far as the broker can see."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._socket.close()

    def _read(self) -> None:
        with contextlib.suppress(OSError), self._socket.makefile("rb") as lines:
            for line in lines:
                with self.recorder.changed:     # whoever waits sees the frame and its effect
                    frame = self.recorder.record(self.name, "<", line)
                    if frame is not None:
                        self._received(frame)

    def _received(self, frame: JSON) -> None:
        method, params = frame.get("method"), frame.get("params", {})
        if method is None:
            reply = self._replies.pop(frame.get("id"), None)
            if reply is not None:
                reply.frame = frame
        elif method == "event":
            self.events.append(params)
        elif method == "broker.ping":
            self.write({"id": frame["id"], "result": params})
        elif "id" in frame:
            self._asked(frame["id"], method, params)

    def _asked(self, number: Any, method: str, params: JSON) -> None:
        self.write({"id": number, "error": {"code": -32601, "message": "not supported"}})


class FakeController(Peer):
    """Speaks for the user. Each verb is a method: `answer(call)`, `set_held(call, held=True)`."""

    def __init__(self, broker: Broker, name: str) -> None:
        super().__init__(broker, name, ["controller", "observer", "admin"])
        self._opening.result()
        self.request("events.subscribe", topics=["*"])

    def state(self, call: str) -> str:
        """The call's state; `ended` too."""
        try:
            return str(self.request("call.get", call=call)["state"])
        except BrokerError as error:
            if error.reason != "call_ended":
                raise
            return "ended"

    def start(self, number: str, provider: str, **options: Any) -> str:
        """Calls somebody; returns the call's id once the request was accepted."""
        result = self.request("call.start", remote=handle(number), provider=provider, **options)
        return str(result["actions"][-1]["call"])

    def answer(self, call: str, choice: Optional[str] = None, **options: Any) -> JSON:
        return self.request("call.answer", call=call, **options,
                            **({"choice": choice} if choice else {}))

    def end(self, call: str, **options: Any) -> JSON:
        return self.request("call.end", call=call, **options)

    def set_held(self, call: str, held: bool, **options: Any) -> JSON:
        return self.request("call.set_held", call=call, held=held, **options)

    def set_muted(self, call: str, muted: bool, **options: Any) -> JSON:
        return self.request("call.set_muted", call=call, muted=muted, **options)

    def swap(self, **options: Any) -> JSON:
        return self.request("call.swap", **options)


class FakeProvider(Peer):
    """An app that does with each kind of action what its script says, and reports what you say.

    `performed` lists (kind, call, arguments) in the order in which they were asked for.
    """

    def __init__(self, broker: Broker, identity: str, registration: JSON,
                 scripts: Dict[str, Script]) -> None:
        self.identity = identity
        self.performed: List[Tuple[str, str, JSON]] = []
        self.waiting: List[Tuple[int, Any]] = []    # of late answers: when they are due, and whose
        self._broker = broker
        self._scripts = {kind: outcomes(script) for kind, script in scripts.items()}
        super().__init__(broker, identity, ["provider"], identity)
        self._opening.result()
        self.request("provider.register", **{
            "display_name": identity, "handle_types": ["phone"], **registration})

    def script(self, kind: str, script: Script) -> None:
        """From now on that is what it does."""
        self._scripts[kind] = outcomes(script)

    def incoming(self, number: str = "+15550100", **update: Any) -> str:
        """A call comes in; returns its id."""
        call = self._broker.new_id()
        self.request("call.report_incoming", call=call, remote=handle(number), **update)
        return call

    def lines(self, *lines: JSON) -> JSON:
        """From now on these are its lines: `{"line": "work", "label": "Work", "state": "failed"}`.
        """
        return self.request("provider.update", lines=list(lines))

    def alerting(self, call: str, **members: Any) -> JSON:
        """It rings at the other side; `has_early_media=True`: whose network sends the sound."""
        return self.request("call.report_alerting", call=call, **members)

    def connected(self, call: str) -> JSON:
        """The other side has answered."""
        return self.request("call.report_connected", call=call)

    def ended(self, call: str, reason: str = "remote_ended", **detail: str) -> JSON:
        """The call is over, with a detail if there is one: `code="SIP 486"`, `text`."""
        return self.request("call.report_ended", call=call, reason=reason,
                            **({"end_detail": detail} if detail else {}))

    def answer_waiting(self, now_ms: int) -> bool:
        """Gives the late answers that are due; returns whether there were any."""
        due = [each for each in self.waiting if each[0] <= now_ms]
        self.waiting = [each for each in self.waiting if each[0] > now_ms]
        for _, number in due:
            self.write({"id": number, "result": {}})
        return bool(due)

    def _asked(self, number: Any, method: str, params: JSON) -> None:
        if method != "provider.perform":
            return super()._asked(number, method, params)
        self.performed.append((params["kind"], params["call"], params["arguments"]))
        script = self._scripts.setdefault(params["kind"], outcomes(FULFIL))
        outcome = next(script)
        if not outcome.answers:
            return
        if outcome.after_ms != 0:
            after_ms = outcome.after_ms
            delay = params["deadline_ms"] + 1 if after_ms is None else after_ms
            self.waiting.append((self._broker.now_ms + delay, number))
        elif outcome.reason is None:
            self.write({"id": number, "result": {}})
        else:
            code = {"app_code": outcome.app_code} if outcome.app_code else {}
            self.write({"id": number, "error": {"code": -32000, "message": outcome.message,
                                                "data": {"reason": outcome.reason, **code}}})


def handle(number: str) -> JSON:
    """A phone number, or an address of another kind if it has an @ or a colon."""
    return {"type": "generic" if set("@:") & set(number) else "phone", "value": number}


def described(debt: JSON) -> str:
    """Who has not answered what, as `test.settle` says it."""
    about = [str(debt[name]) for name in ("kind", "call", "transaction") if name in debt]
    return f"{debt['who']} has not answered {debt['asked']} ({' '.join(about)})"


# ---- The broker, and programs that connect to it

class Relay:
    """The socket for programs: what they and the broker say is recorded, and passed on as it is."""

    def __init__(self, path: str, direct: str, recorder: Recorder) -> None:
        self._count = self._pumping = 0
        self._direct, self._recorder = direct, recorder
        self._sockets: List[socket.socket] = []
        self._threads: List[threading.Thread] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen(64)
        self._begin(self._accept)

    def close(self) -> None:
        for each in [self._listener, *self._sockets]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for each in [self._listener, *self._sockets]:
            each.close()

    def _begin(self, work: Callable[..., None], *arguments: Any) -> None:
        self._threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                program, _ = self._listener.accept()
                broker = socket.socket(socket.AF_UNIX)
                self._sockets += [program, broker]
                broker.connect(self._direct)
                names = [f"program-{self._count + 1}"]
                with self._recorder.changed:
                    self._count += 1
                    self._pumping += 2
                self._begin(self._pump, names, ">", program, broker)
                self._begin(self._pump, names, "<", broker, program)

    def _pump(self, names: List[str], direction: str, source: socket.socket,
              sink: socket.socket) -> None:
        rest = b""
        with contextlib.suppress(OSError):
            while True:
                data = source.recv(65_536)
                *lines, rest = (rest + data).split(b"\n")
                for line in lines if data else [rest]:
                    if direction == ">":
                        names[0] = introduced(line) or names[0]
                    self._recorder.record(names[0], direction, line)
                if not data:
                    break
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
        with self._recorder.changed:
            self._pumping -= 1
            self._recorder.changed.notify_all()

    @property
    def is_used(self) -> bool:
        """Whether anybody is connected."""
        return self._pumping > 0


def introduced(line: bytes) -> Optional[str]:
    """How a program names itself in its hello."""
    if b'"broker.hello"' not in line:
        return None
    with contextlib.suppress(ValueError, KeyError, TypeError):
        params = json.loads(line)["params"]
        return str(params.get("identity") or params["client"]["name"])
    return None


class Program:
    """A program under test; what it prints is shown when the test fails."""

    def __init__(self, arguments: Sequence[str], environment: Dict[str, str], log: str,
                 recorder: Recorder) -> None:
        self.name, self.has_ended, self._log = os.path.basename(arguments[0]), False, log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=subprocess.STDOUT)
        self._watcher = threading.Thread(target=self._watch, args=[recorder], daemon=True)
        self._watcher.start()

    def _watch(self, recorder: Recorder) -> None:
        self.process.wait()
        with recorder.changed:
            self.has_ended = True
            recorder.changed.notify_all()

    def printed(self) -> str:
        with open(self._log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def kill(self) -> None:
        """As a crash would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        self._watcher.join()


class Broker:
    """A broker of the test's own, in test mode: its clock stands still until `advance`."""

    _protocols: Dict[Tuple[str, float], Protocol] = {}

    def __init__(self, program: str, ceiling: float = 10.0) -> None:
        self.ceiling = ceiling
        self.recorder = Recorder()
        self.providers: List[FakeProvider] = []
        self.programs: List[Program] = []
        self.now_ms = 0
        self._peers: List[Peer] = []
        self._expected_warnings: List[str] = []
        self._expected_faults: List[str] = []
        self._open: Dict[str, List[JSON]] = {}  # events by topic that no wait has returned
        self._sorted = 0                        # how many events have come there
        self._ids = itertools.count(1)
        self.folder = tempfile.mkdtemp(prefix="callbroker-")
        self.direct_socket = os.path.join(self.folder, "direct")
        self.socket = os.path.join(self.folder, "broker.sock")
        self._serve(program)
        self.recorder.protocol = self._protocol(program)
        self._relay = Relay(self.socket, self.direct_socket, self.recorder)
        self.controller = self.new_controller("controller")
        self._move(0)

    def draw(self, path: Union[str, Path]) -> None:
        """Draws all calls so far over time, as SVG: `callbroker timeline --all -o PATH`."""
        drawn = subprocess.run(
            [self._program, "timeline", "--all", "-o", str(path), "--socket", self.direct_socket],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if drawn.returncode:
            raise RuntimeError(drawn.stderr.strip())

    def _serve(self, program: str) -> None:
        self._program = program
        self._log: List[str] = []
        self.process = subprocess.Popen(
            [program, "serve", "--test-mode", "--socket", self.direct_socket],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        stderr = self.process.stderr
        assert stderr is not None
        for line in stderr:
            self._log.append(line)
            if line.startswith("listening on "):
                break
        else:
            raise RuntimeError(f"{program} does not serve: {''.join(self._log)}")
        self._logging = threading.Thread(target=lambda: self._log.extend(stderr), daemon=True)
        self._logging.start()

    def _protocol(self, program: str) -> Protocol:
        key = (program, os.stat(program).st_mtime)
        if key not in self._protocols:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(self.direct_socket)
                connection.sendall(b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n')
                with connection.makefile("rb") as lines:
                    self._protocols[key] = Protocol(json.loads(lines.readline())["result"])
        return self._protocols[key]

    def close(self) -> None:
        for program in self.programs:
            program.stop()
        self._relay.close()
        for peer in self._peers:
            peer.close()
        self.process.terminate()
        self.process.wait()
        self._logging.join()
        assert self.process.stderr is not None
        self.process.stderr.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # -- Who takes part

    def new_id(self) -> str:
        """The same ids in every run."""
        return f"00000000-0000-4000-8000-{next(self._ids):012x}"

    def new_controller(self, name: str) -> FakeController:
        """One more user."""
        controller = FakeController(self, name)
        self._peers.append(controller)
        return controller

    def new_provider(self, identity: str = "org.example.phone",
                     registration: Optional[JSON] = None, **scripts: Script) -> FakeProvider:
        """An app: `new_provider("org.example.a", answer="never", set_held=fail("remote_refused"))`.
        A kind without a script is fulfilled; `registration` adds to `provider.register`."""
        provider = FakeProvider(self, identity, registration or {}, scripts)
        self._peers.append(provider)
        self.providers.append(provider)
        return provider

    def start(self, *arguments: Union[str, Path], **environment: str) -> Program:
        """Starts a program under test, with BROKER_SOCKET set; it is stopped after the test."""
        log = os.path.join(self.folder, f"program-{len(self.programs)}.log")
        program = Program([str(each) for each in arguments],
                          {**os.environ, "BROKER_SOCKET": self.socket, **environment}, log,
                          self.recorder)
        self.programs.append(program)
        return program

    # -- Time

    def settle(self, ignore: Sequence[str] = ()) -> None:
        """Until nothing is under way any more; the clock stands still. `ignore` names programs
        that will not answer. Of fake providers it is known which do."""
        while True:
            fakes = [each for each in self.providers if not each.is_closed]
            before = [len(each.performed) for each in fakes]
            self._settle([*ignore, *(each.identity for each in fakes)])
            for each in fakes:                  # comes back behind everything it was asked before
                each.request("broker.ping")
            if before == [len(each.performed) for each in fakes]:
                return

    def _settle(self, ignore: Sequence[str]) -> None:
        __tracebackhide__ = True
        try:                                    # the broker knows more than our own ceiling would say
            self.controller.request("test.settle", ignore=list(ignore),
                                    limit_ms=min(int(self.ceiling * 900), LIMIT_MS_MAX))
        except BrokerError as error:
            owed = [described(each) for each in error.data.get("owed", ())]
            if not owed:
                raise
            raise AssertionError("; ".join(owed) + f" (waited {self.ceiling:g} s of real time)"
                                 ) from None

    def advance(self, ms: int, ignore: Sequence[str] = ()) -> int:
        """Moves the clock on, and lets everybody do what falls due, in order. Returns the time."""
        self.settle(ignore)
        end = self.now_ms + ms
        while self.now_ms < end:
            due = [at for each in self.providers for at, _ in each.waiting]
            fired = self._move(min(*due, self.now_ms + STEP_MS, end) - self.now_ms)
            answered = [each.answer_waiting(self.now_ms) for each in self.providers]
            if fired or any(answered):
                self.settle(ignore)
        return self.now_ms

    def _move(self, ms: int) -> int:
        result = self.controller.request("test.advance", ms=ms)
        self.now_ms = int(result["now_ms"])
        return int(result["fired"])

    # -- Events

    @property
    def events(self) -> List[JSON]:
        """Every event so far, in order."""
        return self.controller.events

    def wait_event(self, topic: str, *, call: Optional[str] = None,
                   provider: Optional[str] = None, **data: Any) -> JSON:
        """The first event that fits and that no wait has returned yet. It is waited for while
        anything is under way; the clock stands still."""
        __tracebackhide__ = True

        def fits(event: JSON) -> bool:
            return (call in (None, event.get("call"))
                    and provider in (None, event.get("provider"), event["data"].get("provider"))
                    and all(event["data"].get(name) == value for name, value in data.items()))

        def found() -> Optional[JSON]:
            for event in self.events[self._sorted:]:
                self._open.setdefault(event["topic"], []).append(event)
                self._sorted += 1
            return next(filter(fits, self._open.get(topic, [])), None)

        def missing() -> str:
            wanted = {"call": call, "provider": provider, **data}
            wanted = {name: value for name, value in wanted.items() if value is not None}
            return (f"no event {topic} {json.dumps(wanted) if wanted else ''}; there were: "
                    + (", ".join(event["topic"] for event in self.events) or "none"))
        self.recorder.wait(missing, lambda: found() or not self._may_happen(), self.ceiling)
        if not found():
            self.settle()                       # whatever could still happen has happened then
        event = found()
        if event is None:
            raise AssertionError(missing())
        self._open[topic] = [each for each in self._open[topic] if each is not event]
        return event

    def _may_happen(self) -> bool:
        """Whether programs are there, of which nobody knows what they are about to do."""
        return self._relay.is_used or any(not each.has_ended for each in self.programs)

    # -- What was wrong

    def expect_warning(self, reason: str) -> None:
        """The test provokes a `broker.warning`; without it the test fails."""
        self._expected_warnings.append(reason)

    def expect_fault(self, text: str) -> None:
        """The test provokes a frame that breaks the protocol; `text` is a part of what is said of
        it. Without one the test fails."""
        self._expected_faults.append(text)

    def check(self) -> None:
        """Fails if the protocol was broken or the broker warned, unless that was expected."""
        if self.process.poll() is not None:
            pytest.fail(f"the broker has ended with status {self.process.returncode}",
                        pytrace=False)
        with self.recorder.changed:
            problems = [
                *unexpected("breaks the protocol", self.recorder.faults, self._expected_faults),
                *unexpected("was warned", self.recorder.warnings, self._expected_warnings)]
        if problems:
            pytest.fail("\n".join(problems), pytrace=False)

    def transcript(self) -> str:
        """The latest frames, one a line: who, `>` to the broker or `<` from it, the frame."""
        frames = self.recorder.frames[-FRAMES_SHOWN:]
        left_out = len(self.recorder.frames) - len(frames)
        head = [f"... {left_out} earlier frames"] if left_out else []
        return "\n".join([*head, *map(str, frames)])

    def report(self) -> Iterator[Tuple[str, str]]:
        """What helps to understand a failure."""
        yield "frames", self.transcript()
        yield "the broker's log", "".join(self._log[1:])
        for program in self.programs:
            yield f"output of {program.name}", program.printed()


def unexpected(what: str, found: List[Tuple[Frame, str]], expected: List[str]) -> Iterator[str]:
    """What was found and not expected, and the other way round."""
    for frame, text in found:
        if not any(each in text for each in expected):
            yield f"{frame.peer} {what}: {text}\n  {frame.direction} {frame.text}"
    for each in expected:
        if not any(each in text for _, text in found):
            yield f"nobody {what}: expected {each!r}"


# ---- pytest

def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("callbroker").addoption(
        "--callbroker", metavar="PROGRAM", default=os.environ.get("CALLBROKER", "callbroker"),
        help="the broker; CALLBROKER in the environment, or callbroker in PATH, if left out")
    parser.getgroup("callbroker").addoption(
        "--callbroker-pictures", metavar="FOLDER",
        help="draw the calls of each failed test over time, as SVG, into this folder; the report, "
             "also that of --junitxml, names the picture")
    parser.addini("callbroker_ceiling", "seconds of real time that a test waits for anything",
                  default=os.environ.get("CALLBROKER_CEILING", "10"))


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """After a test that has passed so far."""
    broker = getattr(item, "funcargs", {}).get("broker")
    if isinstance(broker, Broker):
        broker.check()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome: Any = yield
    report = outcome.get_result()
    broker = getattr(item, "funcargs", {}).get("broker")
    if report.failed and isinstance(broker, Broker):
        report.sections += [(f"CallBroker: {what}", text) for what, text in broker.report() if text]
        folder = item.config.getoption("--callbroker-pictures")
        if folder and report.when == "call":
            attach_picture(broker, Path(folder), item, report)


def attach_picture(broker: Broker, folder: Path, item: pytest.Item, report: Any) -> None:
    """Draws the calls of a failed test; the report has the path as a property, and as an attachment
    in the form that Jenkins and GitLab read from what a test prints."""
    words = re.sub(r"[^\w.-]+", "-", item.nodeid).strip("-")
    path = (folder / f"{words[-150:]}.svg").absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        broker.draw(path)
    except (OSError, RuntimeError) as error:
        report.sections.append(("CallBroker: no picture", str(error)))
        return
    report.sections.append(("CallBroker: picture", str(path)))
    # The XML has what the item has when its fixtures are torn down.
    item.user_properties.append(("callbroker_picture", str(path)))
    item.add_report_section("call", "stdout", f"[[ATTACHMENT|{path}]]\n")


@pytest.fixture(scope="session")
def callbroker_program(request: pytest.FixtureRequest) -> str:
    """The path of the broker's program."""
    wanted = str(request.config.getoption("--callbroker"))
    found = shutil.which(wanted)
    if found is None:
        pytest.fail(f"no program {wanted!r}: install CallBroker, or name it with --callbroker or "
                    "CALLBROKER", pytrace=False)
    return os.path.abspath(found)


@pytest.fixture
def broker(callbroker_program: str, request: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker of this test; programs connect to `broker.socket`."""
    serving = Broker(callbroker_program, float(request.config.getini("callbroker_ceiling")))
    try:
        yield serving
    finally:
        serving.close()


@pytest.fixture
def fake_provider(broker: Broker) -> Callable[..., FakeProvider]:
    """Makes an app: see `Broker.new_provider`."""
    return broker.new_provider


@pytest.fixture
def fake_controller(broker: Broker) -> FakeController:
    """Speaks for the user."""
    return broker.controller


@pytest.fixture
def wait_event(broker: Broker) -> Callable[..., JSON]:
    """See `Broker.wait_event`."""
    return broker.wait_event


@pytest.fixture
def advance(broker: Broker) -> Callable[..., int]:
    """See `Broker.advance`."""
    return broker.advance
