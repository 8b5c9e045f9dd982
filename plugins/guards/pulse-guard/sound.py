"""The sound server, PulseAudio or PipeWire in its place, through `pactl`."""
from __future__ import annotations

import asyncio
import json
import os
import shutil
from typing import Any, AsyncIterator, List

from rules import Stream

KINDS = ("sink-input", "source-output")
ANSWER_SECONDS = 5.0                            # of pactl, then the server counts as gone


class NoServer(Exception):
    """No sound server answers; the text says what pactl said."""


async def pactl(*arguments: str) -> str:
    """What pactl prints. `NoServer` when it cannot do it."""
    process = await start(*arguments)
    talk = asyncio.ensure_future(process.communicate())
    try:                                        # wait_for would lose a cancellation now and then
        await asyncio.wait({talk}, timeout=ANSWER_SECONDS)
        if not talk.done():
            raise NoServer("the sound server does not answer")
        out, err = talk.result()
    finally:
        if not talk.done():
            process.kill()
            await talk
    if process.returncode != 0:
        raise NoServer(err.decode(errors="replace").strip().replace("\n", "; ")[:300])
    return out.decode(errors="replace")


async def start(*arguments: str) -> asyncio.subprocess.Process:
    command = ["pactl", *arguments]
    if shutil.which("setpriv"):                 # it must not outlive this program
        command[:0] = ["setpriv", "--pdeathsig", "TERM", "--"]
    try:
        return await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"})
    except FileNotFoundError:
        raise NoServer("pactl is not installed; it is in the package pulseaudio-utils") from None


async def document(*arguments: str) -> Any:
    text = await pactl("--format=json", *arguments)
    try:
        return json.loads(text or "[]")
    except ValueError as error:
        raise NoServer(f"pactl prints no JSON ({error}); release 16 or later is needed") from None


async def life() -> str:
    """Names this life of the server: numbers of streams of another one mean nothing."""
    return str((await document("info")).get("cookie"))


async def streams() -> List[Stream]:
    """Everything that is played and recorded."""
    found: List[Stream] = []
    for kind in KINDS:
        for each in await document("list", kind + "s"):
            properties = {name: str(value) for name, value in each.get("properties", {}).items()}
            found.append(Stream(kind, each["index"], each["mute"] is True, properties))
    return found


async def set_muted(kind: str, index: int, muted: bool) -> None:
    """Of one stream. One that is gone is an error like any other."""
    await pactl(f"set-{kind}-mute", str(index), "1" if muted else "0")


async def changes() -> AsyncIterator[None]:
    """Yields once it listens, and whenever streams come, go or change, until the server is gone."""
    process = await start("subscribe")
    assert process.stdout is not None
    try:
        await pactl("info")                     # a connection later than that of the subscription
        yield
        while True:
            line = await process.stdout.readline()
            if not line:
                raise NoServer("the sound server is gone")
            if any(f"on {kind} " in line.decode(errors="replace") for kind in KINDS):
                yield
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
