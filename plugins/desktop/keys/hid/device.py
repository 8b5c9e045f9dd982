"""A headset at hidraw: reads its reports, writes those for its lamps."""
from __future__ import annotations

import asyncio
import logging
import os
import stat
import time
from pathlib import Path
from typing import Callable, Optional

from calls import Situation
from hid.descriptor import MOST_BYTES, Malformed, parsed
from hid.headset import Headset

log = logging.getLogger("keys")

MOST_READ = 16384                               # the largest report that Linux passes on


class Unusable(Exception):
    """The device is none for telephony, or cannot be used; the text says why."""


class Device:
    """An open device, until `close` or until it is unplugged.

    Args:
        path: of the device.
        headset: that it is.
        press: called with each press.
        gone: called when it was unplugged.
    """

    def __init__(self, path: Path, headset: Headset, press: Callable[[str], bool],
                 gone: Callable[[], None]) -> None:
        self.path, self._press, self._gone = path, press, gone
        self._situation = Situation()
        self.headset = headset
        self._file: Optional[int] = opened(path)
        asyncio.get_running_loop().add_reader(self._file, self._read)

    def show(self, situation: Situation, anew: bool = False) -> None:
        """Lights the lamps for these calls."""
        self._situation = situation
        for report in self.headset.indicate(situation, anew):
            self._write(report)

    def close(self) -> None:
        """Lets go of it."""
        file, self._file = self._file, None
        if file is not None:
            asyncio.get_running_loop().remove_reader(file)
            os.close(file)

    def _read(self) -> None:
        try:
            data = os.read(self._file, MOST_READ) if self._file is not None else b""
        except BlockingIOError:
            return
        except OSError:                         # unplugged
            data = b""
        if not data:
            return self._end()
        reports = list(self.headset.reports(data))
        if sum(map(len, reports)) < len(data):
            log.info("%s has sent a report that it has not declared", self.path.name)
        for report in reports:
            log.info("%s has sent %s", self.path.name, report.hex(" "))
            for press in self.headset.receive(report, self._situation):
                if not self._press(press):
                    self.show(self._situation, anew=True)   # nothing comes of it: it follows again

    def _write(self, report: bytes) -> None:
        if self._file is None:
            return
        try:
            os.write(self._file, report)
        except BlockingIOError:
            log.info("%s takes no report at the moment", self.path.name)
        except OSError as error:
            log.info("%s does not take its lamps: %s", self.path.name, error.strerror)

    def _end(self) -> None:
        if self._file is not None:
            self.close()
            self._gone()


def read_headset(description: Path, spring: float) -> Headset:
    """The headset that a descriptor describes; `Unusable` if it describes none."""
    try:
        with description.open("rb") as file:
            headset = Headset(parsed(file.read(MOST_BYTES + 1)), time.monotonic, spring)
    except OSError as error:
        raise Unusable(f"its descriptor cannot be read: {error.strerror}") from None
    except Malformed as error:
        raise Unusable(f"its descriptor is malformed: {error}") from None
    if not headset.is_for_telephony:
        raise Unusable("it has no keys of a telephone")
    return headset


def opened(path: Path) -> int:
    """The device; it never waits. `PermissionError` is left to whoever knows the remedy."""
    try:
        file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except PermissionError:
        raise
    except OSError as error:
        raise Unusable(f"it cannot be opened: {error.strerror}") from None
    if not stat.S_ISCHR(os.fstat(file).st_mode):
        os.close(file)
        raise Unusable("it is no device")
    return file
