"""Mutes at the sound server."""
from __future__ import annotations

from sound_server import NoServer, changes, life, pactl, streams

__all__ = ["NoServer", "changes", "life", "set_muted", "streams"]


async def set_muted(kind: str, index: int, muted: bool) -> None:
    """Of one stream. One that is gone is an error like any other."""
    await pactl(f"set-{kind}-mute", str(index), "1" if muted else "0")
