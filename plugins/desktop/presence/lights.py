"""Busy lights at the USB, by the kernel's hidraw: found when they are plugged in, colored by the
presence, and dark at the end."""
from __future__ import annotations

import asyncio
import fcntl
import logging
import os
from pathlib import Path
from typing import Dict, List, Optional

from current import (DO_NOT_DISTURB, FREE, IN_CALL, ON_HOLD, RINGING, RINGING_IN_CALL, Current,
                     Presence)
from light_models import OFF, Color, Model, model_of, read_colors

log = logging.getLogger("presence")

COLORS: Dict[str, Color] = {
    FREE: (0, 128, 0), RINGING: (0, 0, 255), IN_CALL: (255, 0, 0), ON_HOLD: (255, 128, 0),
    RINGING_IN_CALL: (255, 0, 255), DO_NOT_DISTURB: (128, 0, 128)}
SCAN_SECONDS = 2.0                              # for lights that are plugged in
KEEP_ALIVE_SECONDS = 7.0                        # less than half of what the light waits


def set_feature(size: int) -> int:
    """The number of the kernel's HIDIOCSFEATURE for a report of that size."""
    return 0xC000_0000 | size << 16 | ord("H") << 8 | 0x06


class Light:
    """One device. Its methods may take as long as the device does.

    Args:
        path: of the device, such as /dev/hidraw0; `OSError` if it cannot be opened.
    """

    def __init__(self, path: Path, model: Model) -> None:
        self.path, self.model = path, model
        self._shown: Optional[Color] = None
        self._kept = 0.0                        # when it was last kept alive
        self._device = os.open(path, os.O_RDWR | os.O_CLOEXEC)

    def show(self, color: Color, now: float) -> None:
        """Writes what is new, and what it needs to stay as it is."""
        if color != self._shown:
            self._write(self.model.report(color), self.model.is_feature)
            self._shown, self._kept = color, float("-inf")
        if self.model.keep_alive and color != OFF and now - self._kept >= KEEP_ALIVE_SECONDS:
            self._write(self.model.keep_alive, False)
            self._kept = now

    def _write(self, report: bytes, is_feature: bool) -> None:
        if is_feature:
            fcntl.ioctl(self._device, set_feature(len(report)), report)
        else:
            os.write(self._device, report)

    def close(self) -> None:
        os.close(self._device)


class Lights:
    """All lights of the host.

    Args:
        descriptions: has hidrawN/device/uevent, /sys/class/hidraw.
        devices: has hidrawN, /dev.
    """

    def __init__(self, colors: Dict[str, Color], descriptions: Path, devices: Path) -> None:
        self._colors, self._descriptions, self._devices = colors, descriptions, devices
        self._lights: Dict[str, Light] = {}     # by the name of the device
        self._refused: Dict[str, str] = {}      # why one cannot be used, so that it is said once
        self._writing: Optional[asyncio.Future[List[None]]] = None

    async def run(self, current: Current, seconds: float = SCAN_SECONDS) -> None:
        """Until it is cancelled. Each write is in a thread, because a device may hang."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                presence = current.presence
                self._scan()
                color = self._color(presence)
                self._writing = asyncio.gather(*(
                    asyncio.to_thread(self._show, name, light, color, loop.time())
                    for name, light in list(self._lights.items())))
                await asyncio.shield(self._writing)
                await current.wait_for_change(presence, seconds)
        finally:
            if self._writing is not None and not self._writing.done():
                await asyncio.wait({self._writing})     # nothing is written after the darkness
            for name, light in list(self._lights.items()):
                self._show(name, light, OFF, loop.time())
                self._remove(name)

    def _color(self, presence: Optional[Presence]) -> Color:
        """A state that is not known yet is shown like any call."""
        return OFF if presence is None else self._colors.get(presence.state, self._colors[IN_CALL])

    def _scan(self) -> None:
        found = self._find()
        for name in set(self._refused) - set(found):
            del self._refused[name]
        for name in set(self._lights) - set(found):
            self._remove(name)
        for name, model in found.items():
            if name not in self._lights:
                self._add(name, model)

    def _find(self) -> Dict[str, Model]:
        found = {}
        try:
            names = sorted(os.listdir(self._descriptions))
        except OSError:                         # no device of this kind has been plugged in yet
            return {}
        for name in names:
            model = self._model(name)
            if model is not None:
                found[name] = model
        return found

    def _model(self, name: str) -> Optional[Model]:
        try:
            path = self._descriptions / name / "device" / "uevent"
            return model_of(*read_ids(path.read_text("utf-8")))
        except (OSError, ValueError):           # unplugged meanwhile, or of another kind
            return None

    def _add(self, name: str, model: Model) -> None:
        try:
            self._lights[name] = Light(self._devices / name, model)
        except OSError as error:
            self._refuse(name, f"{model.name} cannot be used: {error.strerror}; see the README for "
                         "the rule of udev")
        else:
            log.info("%s is used", model.name)

    def _show(self, name: str, light: Light, color: Color, now: float) -> None:
        try:
            light.show(color, now)
        except OSError as error:
            self._refuse(name, f"{light.model.name} cannot be written: {error.strerror}")
            self._remove(name)                  # and opened anew, if it is still there
        else:
            self._refused.pop(name, None)

    def _remove(self, name: str) -> None:
        light = self._lights.pop(name, None)
        if light is not None:
            light.close()
            log.info("%s is not used any more", light.model.name)

    def _refuse(self, name: str, why: str) -> None:
        if self._refused.get(name) != why:
            log.warning("%s", why)
        self._refused[name] = why


def read_ids(text: str) -> List[int]:
    """Vendor and product, of HID_ID=0003:000004D8:0000F372 (bus, vendor, product)."""
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key == "HID_ID":
            _, vendor, product = value.split(":")
            return [int(vendor, 16), int(product, 16)]
    raise ValueError("no HID_ID")


async def show_on_lights(texts: List[str], current: Current, descriptions: Path,
                         devices: Path) -> None:
    """With colors that cannot be read, the usual ones are shown."""
    try:
        colors = read_colors(texts, COLORS)
    except ValueError as error:
        log.warning("option colors: %s", error)
        colors = COLORS
    await Lights(colors, descriptions, devices).run(current)
