"""The vibration of a telephone while it rings, by feedbackd where that is there."""
from __future__ import annotations

import asyncio
import logging
from typing import Optional

from jeepney import DBusAddress

from bus import Bus, NoBus

log = logging.getLogger("callbroker_notify")

NAME = "org.sigxcpu.Feedback"
SERVICE = DBusAddress("/org/sigxcpu/Feedback", bus_name=NAME, interface=NAME)
UNTIL_ENDED = 0                                 # instead of a number of seconds
# Of the profiles that feedbackd has, this one vibrates and makes no sound: the sound is ours.
HINTS = {"profile": ("s", "quiet")}


class Vibration:
    """Vibrates or not, as was last wanted; one request after the other."""

    def __init__(self, bus: Bus, app: str) -> None:
        self._bus, self._app = bus, app
        self._is_wanted = False
        self._event: Optional[int] = None       # feedbackd's number of what it does for us
        self._changing: Optional[asyncio.Task[None]] = None

    def set(self, is_wanted: bool) -> None:
        """From now on it vibrates, or does not."""
        if is_wanted == self._is_wanted:
            return
        self._is_wanted = is_wanted
        if self._changing is None or self._changing.done():
            self._changing = asyncio.ensure_future(self._change())

    async def leave(self) -> None:
        """No vibration, once this returns."""
        self.set(False)
        if self._changing is not None:
            await asyncio.wait({self._changing})

    async def _change(self) -> None:
        try:
            while self._is_wanted != (self._event is not None):
                await (self._begin() if self._event is None else self._end(self._event))
        except NoBus as problem:
            log.info("no vibration: %s", problem)
            self._event = None

    async def _begin(self) -> None:
        await self._bus.open()
        (self._event,) = await self._bus.call(SERVICE, "TriggerFeedback", "ssa{sv}i", (
            self._app, "phone-incoming-call", HINTS, UNTIL_ENDED))

    async def _end(self, event: int) -> None:
        self._event = None
        await self._bus.call(SERVICE, "EndFeedback", "u", (event,))
