"""Brings what is heard to where the calls are."""
from __future__ import annotations

from typing import Mapping, Optional, Sequence

import cards
from callbroker import JSON, BrokerError, Call
from display import Display
from sound import endings, tones
from sound.ringer import Ringer, Rise
from sound.ringtones import Ringtones
from sound.vibration import Vibration

TALKING = ("dialing", "alerting", "connecting", "active")


class Sound:
    """What the user set for the plugin counts beside the command line.

    Args:
        ringer: none if it never rings.
        ringtone: a file in place of every other.
    """

    def __init__(self, screen: Display, ringer: Optional[Ringer], vibration: Vibration,
                 ringtone: str = "") -> None:
        self._screen, self._ringer, self._vibration = screen, ringer, vibration
        self._ringtone, self._ringtones = ringtone, Ringtones()
        self._region = ""

    async def learn(self) -> None:
        """Whose telephone network the user knows."""
        if not self._screen.option("call_tones", False):
            return
        try:
            self._region = (await self._screen.get_policy())["policy"].get("region") or ""
        except BrokerError:
            self._region = ""                   # no right to read it

    def update(self, waiting: Sequence[Call], apps: Mapping[str, JSON]) -> None:
        """`waiting`: the calls that the user has still to decide about."""
        tone = cards.tone(waiting)
        self._vibration.set(tone == "ring" and bool(self._screen.option("vibrate", True)))
        if self._ringer is None:
            return
        if any(call["state"] in TALKING for call in self._screen.calls.values()):
            self._ringer.end_once()
        if self._screen.option("silent", False):
            tone = None
        ringtone = self._ringtone_of(waiting, apps) if tone == "ring" else ""
        self._ringer.play(tone, ringtone, self._rise())

    def ended(self, call: Call) -> None:
        """A call of this screen is over."""
        name = endings.tone(call)
        if self._ringer is not None and name is not None and self._screen.option("call_tones", False):
            country = tones.known(str(self._screen.option("country", "") or self._region))
            self._ringer.play_once(name + country, tones.of_ended_call(name, country))

    async def leave(self) -> None:
        """Silence, once this returns."""
        await self._vibration.leave()
        if self._ringer is not None:
            await self._ringer.stop()

    def _rise(self) -> Optional[Rise]:
        seconds = self._screen.option("rise_seconds", 0)
        start, end = (min(max(self._screen.option(name, otherwise), 0), 100)
                      for name, otherwise in (("rise_from", 20), ("rise_to", 100)))
        return Rise(start, end, seconds) if seconds > 0 else None

    def _ringtone_of(self, waiting: Sequence[Call], apps: Mapping[str, JSON]) -> str:
        chosen = self._ringtone or self._screen.option("ringtone", "")
        ringing = next((call for call in waiting if call["state"] == "ringing"), None)
        if chosen or ringing is None:
            return str(chosen)
        return self._ringtones.of(ringing, apps.get(ringing["provider"], {}))
