"""The sound server, PulseAudio or PipeWire in its place, through `pactl`: for plugins that follow the
calls with the streams of their apps."""
from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import shutil
from typing import Any, AsyncIterator, Callable, List, Mapping, Optional, Sequence, Set, Tuple

STREAMS = ("sink-input", "source-output")
NAMES = ("application.process.binary", "application.name")
SERVER_SECONDS = (0.2, 5.0)                     # between tries to reach it, first and longest
ANSWER_SECONDS = 5.0                            # of pactl, then the server counts as gone

_subscriptions: Set[asyncio.subprocess.Process] = set()


class NoServer(Exception):
    """No sound server answers; the text says what pactl said."""


@dataclasses.dataclass(frozen=True)
class Stream:
    """A sink input or a source output of the sound server."""

    kind: str                                   # sink-input, source-output
    index: int
    muted: bool
    properties: Mapping[str, str]
    corked: bool = False
    device: int = -1                            # the number of its sink or source
    is_meter: bool = False                      # it measures how loud it is, and nothing more
    volumes: Tuple[int, ...] = ()               # of its channels; 65536 is 100 %

    @property
    def key(self) -> Tuple[str, int]:
        """Names it in this life of the server."""
        return self.kind, self.index

    @property
    def restore_id(self) -> str:
        """Under which the server remembers its mute for the next stream of this app."""
        return self.properties.get("module-stream-restore.id", "")


@dataclasses.dataclass(frozen=True)
class App:
    """How the streams of a provider are known: by `property`, or by the name of its program."""

    identity: str
    value: str
    property: str = ""

    @classmethod
    def parsed(cls, text: str) -> App:
        """`IDENTITY=PROGRAM` or `IDENTITY=PROPERTY=VALUE`."""
        identity, equals, rest = text.partition("=")
        name, also, value = rest.partition("=")
        if not identity or not equals or not name or (also and not value):
            raise ValueError(f"{text!r}: expected IDENTITY=PROGRAM or IDENTITY=PROPERTY=VALUE")
        return cls(identity, value, name) if also else cls(identity, name)

    def owns(self, stream: Stream) -> bool:
        if self.property:
            return stream.properties.get(self.property) == self.value
        return any(stream.properties.get(name) == self.value for name in NAMES)


async def pactl(*arguments: str) -> str:
    """What pactl prints. `NoServer` when it cannot do it."""
    return await _output("pactl", *arguments)


async def set_role(index: int, role: str) -> None:
    """Sets the role of a sink input of another program. PulseAudio only: `NoServer` at PipeWire, whose
    clients cannot."""
    await _output("pacmd", "update-sink-input-proplist", str(index), f'media.role="{role}"')


async def _output(program: str, *arguments: str) -> str:
    process = await start(program, *arguments)
    talk = asyncio.ensure_future(process.communicate())
    try:                                        # wait_for would lose a cancellation now and then
        await asyncio.wait({talk}, timeout=ANSWER_SECONDS)
        if not talk.done():
            _end_subscriptions()
            raise NoServer("the sound server does not answer")
        out, err = talk.result()
    finally:
        if not talk.done():
            process.kill()
            await talk
    if process.returncode != 0:
        raise NoServer(err.decode(errors="replace").strip().replace("\n", "; ")[:300])
    return out.decode(errors="replace")


def _end_subscriptions() -> None:
    """Whoever follows a server that does not answer begins anew: what it did not say, or do, may never
    be an event."""
    for process in _subscriptions:
        if process.returncode is None:
            process.kill()


async def start(program: str, *arguments: str) -> asyncio.subprocess.Process:
    """A running program, which does not outlive this one where `setpriv` is installed."""
    command = [program, *arguments]
    if shutil.which("setpriv"):
        command[:0] = ["setpriv", "--pdeathsig", "TERM", "--"]
    try:
        return await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"})
    except FileNotFoundError:
        raise NoServer(f"{program} is not installed; it is in the package pulseaudio-utils") from None


async def document(*arguments: str) -> Any:
    """What pactl prints as JSON."""
    text = await pactl("--format=json", *arguments)
    try:
        return json.loads(text or "[]")
    except ValueError as error:
        raise NoServer(f"pactl prints no JSON ({error}); release 16 or later is needed") from None


async def life() -> str:
    """Names this life of the server: numbers of streams of another one mean nothing."""
    return str((await document("info")).get("cookie"))


async def is_pipewire() -> bool:
    """Whether the server is PipeWire in the place of PulseAudio; false if none answers."""
    try:
        return "PipeWire" in str((await document("info")).get("server_name"))
    except NoServer:
        return False


async def streams(kinds: Sequence[str] = STREAMS) -> List[Stream]:
    """Everything that is played and recorded."""
    found: List[Stream] = []
    for kind in kinds:
        for each in await document("list", kind + "s"):
            properties = {name: str(value) for name, value in each.get("properties", {}).items()}
            device = each.get("sink" if kind == "sink-input" else "source", -1)
            found.append(Stream(kind, each["index"], each["mute"] is True, properties,
                                each.get("corked") is True, device,
                                each.get("resample_method") == "peaks", _volumes(each)))
    return found


def _volumes(stream: Mapping[str, Any]) -> Tuple[int, ...]:
    return tuple(channel["value"] for channel in (stream.get("volume") or {}).values())


async def set_muted(kind: str, index: int, muted: bool) -> None:
    """Mutes or unmutes one stream. One that is gone is an error like any other."""
    await pactl(f"set-{kind}-mute", str(index), "1" if muted else "0")


async def set_volumes(kind: str, index: int, volumes: Sequence[int]) -> None:
    """Sets the volume of each channel of one stream."""
    await pactl(f"set-{kind}-volume", str(index), *map(str, volumes))


async def set_volume(process: int, percent: int) -> None:
    """Sets how loud that process plays."""
    for stream in await streams(("sink-input",)):
        if stream.properties.get("application.process.id") == str(process):
            await pactl("set-sink-input-volume", str(stream.index), f"{percent}%")


async def lasting_changes(
        kinds: Sequence[str] = STREAMS, missing: Callable[[NoServer], None] = lambda _: None,
) -> AsyncIterator[Optional[NoServer]]:
    """The changes at one server after the other, for ever: None for each, and why a server is not there
    before it is waited for. `missing` is told that once in each absence, whose errors may differ."""
    delay, longest = SERVER_SECONDS
    is_missing = False
    while True:
        try:
            async for _ in changes(kinds):
                delay, is_missing = SERVER_SECONDS[0], False
                yield None
        except NoServer as problem:
            if not is_missing:
                missing(problem)
            is_missing = True
            yield problem
        await asyncio.sleep(delay)
        delay = min(delay * 2, longest)


async def changes(kinds: Sequence[str] = STREAMS) -> AsyncIterator[None]:
    """Yields once it listens, and whenever something of these kinds comes, goes or changes, until the
    server is gone."""
    await pactl("info")                         # else what subscribes may end before there is a server
    process = await start("pactl", "subscribe")
    assert process.stdout is not None
    _subscriptions.add(process)
    try:
        await pactl("info")                     # a connection later than that of the subscription
        yield
        while True:
            line = await process.stdout.readline()
            if not line:
                raise NoServer("the sound server is gone")
            if any(f"on {kind} " in line.decode(errors="replace") for kind in kinds):
                yield
    finally:
        _subscriptions.discard(process)
        if process.returncode is None:
            process.kill()
        await process.wait()
