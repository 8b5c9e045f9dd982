"""The default source of the sound server, and its mute."""
from __future__ import annotations

import asyncio
import dataclasses
from typing import Optional

from sound_server import document, pactl

READ_SECONDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 0.8)  # after each reading that shows the former mute


@dataclasses.dataclass(frozen=True)
class Source:
    """What programs record from unless they choose something else."""

    name: str
    muted: bool


async def read() -> Optional[Source]:
    """The default source; None where there is none. `NoServer` without a sound server."""
    default = (await document("info")).get("default_source_name")
    return await read_named(str(default))


async def read_named(name: str) -> Optional[Source]:
    for each in await document("list", "sources"):
        if each["name"] == name:
            return Source(name, each["mute"] is True)
    return None


async def set_muted(name: str, muted: bool) -> None:
    """Mutes or unmutes a source. PipeWire replies before it has done so: returns once it shows, or when
    somebody else must have changed it since."""
    await pactl("set-source-mute", name, "1" if muted else "0")
    for seconds in READ_SECONDS:
        source = await read_named(name)
        if source is None or source.muted == muted:
            return
        await asyncio.sleep(seconds)
