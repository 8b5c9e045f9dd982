"""The control port of baresip: netstrings with JSON, answers and events over one TCP connection.

baresip takes one client; a second one silently takes the events and answers of the first.
"""
from __future__ import annotations

import asyncio
import itertools
import json
import re
import socket
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

LONGEST = 1_048_576                             # bytes of one netstring
ANSWER_SECONDS = 5.0                            # then baresip hangs, or somebody else has its port

Event = Dict[str, Any]


class Netstrings:
    """Cuts a stream of `LENGTH:BYTES,` into its parts."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> List[bytes]:
        """What is complete now. Raises ValueError when the stream makes no sense any more."""
        self._buffer += data
        parts: List[bytes] = []
        while True:
            digits, colon, rest = self._buffer.partition(b":")
            if not digits.isdigit() and (digits or colon):
                raise ValueError("no length where one is due")
            if len(digits) > 7 or (colon and int(digits) > LONGEST):
                raise ValueError("a netstring is too long")
            if not colon or len(rest) <= int(digits):
                return parts
            length = int(digits)
            if rest[length:length + 1] != b",":
                raise ValueError("a netstring has no end")
            parts.append(rest[:length])
            self._buffer = rest[length + 1:]


def netstring(data: bytes) -> bytes:
    """`data` as it goes over the wire."""
    return b"%d:%s," % (len(data), data)


class ListedCall(NamedTuple):
    """A line of `listcalls`. The mark of a hold is set before the far end has agreed to it."""
    line: int
    is_current: bool
    is_held: bool


def listed_calls(text: str) -> List[ListedCall]:
    """Reads the answer to `listcalls`."""
    found = re.findall(r"^(>| ) \[line (\d+)\]\s+\S+\s+\S+\s+(\(on hold\))?", text, re.MULTILINE)
    return [ListedCall(int(line), mark == ">", bool(held)) for mark, line, held in found]


class CallDebug(NamedTuple):
    """What `callstat` says of the current call."""
    id: str
    state: str                                  # OUTGOING, RINGING, EARLY, INCOMING, ESTABLISHED
    is_incoming: bool
    peer: str
    name: str                                   # as the peer calls itself; may be empty


def call_debug(text: str) -> Optional[CallDebug]:
    """Reads the answer to `callstat`; None without a call."""
    found = re.search(r"Call debug \((\w+)\).*?peer_uri: *([^\n<]*)<([^>]*)>.*? id=(\S+)\s+"
                      r"direction: (\w+)", text, re.DOTALL)
    if found is None:
        return None
    state, name, peer, id, direction = found.groups()
    return CallDebug(id, state, direction == "Incoming", peer, name.strip(' "'))


def audio_direction(text: str) -> str:
    """Reads `audio dir` out of the answer to `audio_debug`: sendrecv, sendonly, recvonly, ..."""
    found = re.search(r"audio dir=(\w+)", text)
    return found[1] if found else "sendrecv"


class Silent(ConnectionError):
    """baresip has not answered for `ANSWER_SECONDS`. It may still be there."""


class Refused(Exception):
    """baresip answered `"ok": false`. That it says ok proves nothing."""


class ControlPort:
    """One connection. Events are handed to `on_event` in the order of their coming."""

    def __init__(self, on_event: Callable[[Event], None]) -> None:
        self._on_event = on_event
        self._tokens = itertools.count(1)
        self._answers: Dict[str, asyncio.Future[str]] = {}
        self._writer: Optional[asyncio.StreamWriter] = None
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self, control: Tuple[str, int]) -> None:
        """Connects. Raises OSError."""
        reader, self._writer = await asyncio.open_connection(*control)
        self._set(socket.TCP_NODELAY)
        self._reading = asyncio.ensure_future(self._read(reader))

    def _set(self, option: int) -> None:
        if self._writer is not None:
            self._writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, option, 1)

    def _silent(self) -> None:
        self.close(Silent("baresip does not answer"))

    def close(self, why: Optional[ConnectionError] = None) -> None:
        """Leaves baresip to itself, and fails whoever waits for an answer."""
        if self._writer is not None:
            self._writer.close()
        if not self.lost.done():
            self.lost.set_result(None)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(why or ConnectionError("baresip is gone"))
                answer.exception()              # it may be that nobody waits any more

    @property
    def is_waiting(self) -> bool:
        """Whether baresip owes an answer."""
        return bool(self._answers)

    async def command(self, command: str, params: Optional[str] = None) -> str:
        """The text of the answer. Raises `Refused`, or ConnectionError when there is no answer."""
        return (await self.commands((command, params)))[-1]

    async def commands(self, *commands: Tuple[str, Optional[str]]) -> List[str]:
        """Commands that go out at once, so that nothing comes between them. The texts of their
        answers, which are empty for those that were refused; a refusal of the last is raised."""
        if self._writer is None or self.lost.done():
            raise ConnectionError("baresip is gone")
        loop = asyncio.get_running_loop()
        answers: List[asyncio.Future[str]] = []
        sent = b""
        for command, params in commands:
            token = str(next(self._tokens))
            message = {"command": command, "token": token}
            if params is not None:
                message["params"] = params
            sent += netstring(json.dumps(message).encode())
            self._answers[token] = loop.create_future()
            answers.append(self._answers[token])
        timer = loop.call_later(ANSWER_SECONDS, self._silent)   # also if nobody waits any more
        answers[-1].add_done_callback(lambda _: timer.cancel())
        self._writer.write(sent)
        await asyncio.wait(answers)
        refused = [answer.exception() for answer in answers]
        before = ["" if error is not None else answer.result()
                  for error, answer in zip(refused, answers[:-1])]
        return [*before, answers[-1].result()]

    async def _read(self, reader: asyncio.StreamReader) -> None:
        netstrings = Netstrings()
        try:
            while True:
                data = await reader.read(65_536)
                self._set(socket.TCP_QUICKACK)  # each read takes it back; baresip waits for the ACK
                if not data:
                    break
                for part in netstrings.feed(data):
                    self._receive(json.loads(part.decode("utf-8", "replace")))
        except (OSError, ValueError):
            pass
        finally:
            self.close()

    def _receive(self, message: Any) -> None:
        if not isinstance(message, dict):
            return
        if message.get("event"):
            self._on_event(message)
            return
        answer = self._answers.pop(str(message.get("token")), None)
        if answer is None or answer.done():
            return
        if message.get("ok"):
            answer.set_result(str(message.get("data", "")))
        else:
            answer.set_exception(Refused(str(message.get("data", "")).strip()))
