"""Names that come and go in a folder, by the kernel (inotify)."""
from __future__ import annotations

import asyncio
import ctypes
import os
import struct
from pathlib import Path
from typing import Callable, List

ATTRIB, MOVED_FROM, MOVED_TO, CREATE, DELETE = 0x4, 0x40, 0x80, 0x100, 0x200
CHANGES = ATTRIB | MOVED_FROM | MOVED_TO | CREATE | DELETE
EVENT = struct.Struct("iIII")                   # watch, what, cookie, and the length of the name
READ_BYTES = 65536


class FolderChanges:
    """Calls `changed` with the name of each entry that came, went, or has other permissions: udev
    sets those after the entry is there. An empty name stands for any, if too many changed."""

    def __init__(self, folder: Path, changed: Callable[[str], None]) -> None:
        library = ctypes.CDLL(None, use_errno=True)
        self._changed = changed
        self._file = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._file < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        if library.inotify_add_watch(self._file, os.fsencode(folder), CHANGES) < 0:
            number = ctypes.get_errno()
            os.close(self._file)
            raise OSError(number, os.strerror(number), str(folder))
        asyncio.get_running_loop().add_reader(self._file, self._read)

    def close(self) -> None:
        """No further calls."""
        asyncio.get_running_loop().remove_reader(self._file)
        os.close(self._file)

    def _read(self) -> None:
        try:
            data = os.read(self._file, READ_BYTES)
        except BlockingIOError:
            return
        for name in names(data):
            self._changed(name)


def names(data: bytes) -> List[str]:
    """The names in what inotify returns."""
    found, index = [], 0
    while index + EVENT.size <= len(data):
        length = EVENT.unpack_from(data, index)[3]
        index += EVENT.size
        found.append(os.fsdecode(data[index:index + length].rstrip(b"\0")))
        index += length
    return found
