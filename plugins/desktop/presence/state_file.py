"""The presence as a file, for status bars and scripts."""
from __future__ import annotations

import contextlib
import json
import logging
import os
from pathlib import Path
from typing import Optional

from current import IN_USE, Current, Presence

log = logging.getLogger("presence")


async def keep_file(path: Path, current: Current) -> None:
    """Writes each presence, as a whole; there is no file while it is unknown, nor afterwards."""
    try:
        async for presence in current.changes():
            try:
                write(path, presence)
            except OSError as error:
                log.warning("%s cannot be written: %s", path, error.strerror)
    finally:
        with contextlib.suppress(OSError):
            remove(path)


def write(path: Path, presence: Optional[Presence]) -> None:
    if presence is None:
        return remove(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with open(part, "w", encoding="utf-8") as file:
        json.dump({"state": presence.state, "since_ms": presence.since_ms,
                   "in_use": presence.state in IN_USE}, file)
        file.write("\n")
    os.replace(part, path)


def remove(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
