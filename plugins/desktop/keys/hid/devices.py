"""All headsets at hidraw, as they are plugged in and out."""
from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Callable, Dict, Optional

from calls import Situation
from hid.device import Device, Unusable, read_headset
from hid.folder_changes import FolderChanges

log = logging.getLogger("keys")

HIDRAW = re.compile(r"hidraw\d+")
RULES = "70-callbroker-keys.rules"


class Devices:
    """The devices for telephony in a folder.

    Args:
        folder: has the devices, as `/dev`.
        descriptions: has `hidrawN/device/report_descriptor`, as `/sys/class/hidraw`.
        press: called with each press of each device; whether it is acted on.
        spring: seconds in which a hook that springs back is a push button.
    """

    def __init__(self, folder: Path, descriptions: Path, press: Callable[[str], bool],
                 spring: float) -> None:
        self._folder, self._descriptions = folder, descriptions
        self._press, self._spring = press, spring
        self._open: Dict[str, Device] = {}
        self._said: Dict[str, str] = {}
        self._changes: Optional[FolderChanges] = None
        self._situation = Situation()

    def start(self) -> None:
        """Opens those that are there, and from now on those that come."""
        try:
            self._changes = FolderChanges(self._folder, self._look_at)
        except OSError as error:
            log.warning("headsets that are plugged in later are not noticed: %s", error)
        self._look_at_all()

    def show(self, situation: Situation) -> None:
        """From now on the calls are these."""
        self._situation = situation
        for device in list(self._open.values()):
            device.show(situation)

    def follow(self) -> None:
        """Writes all lamps anew: after a press a device may stand otherwise than the calls."""
        for device in list(self._open.values()):
            device.show(self._situation, anew=True)

    def close(self) -> None:
        """Puts the lamps out, and lets go of all."""
        if self._changes is not None:
            self._changes.close()
        self.show(Situation())
        for device in self._open.values():
            device.close()
        self._open.clear()

    def _look_at_all(self) -> None:
        try:
            present = {each.name for each in self._folder.iterdir()}
        except OSError as error:
            return log.warning("no headsets: %s", error)
        for name in sorted(present | set(self._open)):
            if name:
                self._look_at(name)

    def _look_at(self, name: str) -> None:
        if not name:
            return self._look_at_all()
        if not HIDRAW.fullmatch(name):
            return
        path = self._folder / name
        if not path.exists():
            self._said.pop(name, None)
            self._close(name)
        elif name not in self._open:
            self._attempt(name, path)

    def _attempt(self, name: str, path: Path) -> None:
        description = self._descriptions / name / "device" / "report_descriptor"
        try:
            headset = read_headset(description, self._spring)
            self._open[name] = Device(path, headset, self._press, lambda: self._close(name))
        except Unusable as problem:
            return log.info("%s is not used: %s", name, problem)
        except PermissionError:
            return self._say(name, "it belongs to another user; install "
                             f"{RULES} in /etc/udev/rules.d, and plug it in again")
        self._said.pop(name, None)
        log.info("%s is used", name)
        self._open[name].show(self._situation, anew=True)

    def _close(self, name: str) -> None:
        device = self._open.pop(name, None)
        if device is not None:
            device.close()
            log.info("%s is gone", name)

    def _say(self, name: str, problem: str) -> None:
        if self._said.get(name) != problem:
            log.warning("%s is not used: %s", name, problem)
        self._said[name] = problem
