"""The role of the streams of live calls: phone, so that the sound server may treat other sound
accordingly, as PulseAudio's module-role-ducking does."""
from __future__ import annotations

import contextlib
import logging
from typing import Collection, Dict, List, Tuple

import sound_server
from sound_server import NoServer, Stream

log = logging.getLogger("pulse_guard")

PHONE = "phone"


class Roles:
    """Gives streams the role, and takes it back. Of a program that is killed they keep it until they
    end: a held stream is muted, and PulseAudio counts no muted streams."""

    def __init__(self) -> None:
        self._former: Dict[Tuple[str, int], str] = {}       # roles of those that have the role from us
        self._failed_life = ""                  # of the sound server that sets none

    async def settle(self, streams: List[Stream], life: str,
                     live: Collection[Tuple[str, int]]) -> None:
        """Gives the role to the streams of these kinds and numbers, and to no others.

        Args:
            streams: all that there are.
            life: of the sound server.
        """
        present = {stream.key for stream in streams}
        self._former = {key: role for key, role in self._former.items() if key in present}
        for stream in streams:
            role = stream.properties.get("media.role", "")
            if stream.kind != "sink-input":
                continue
            if stream.key in live and role != PHONE:
                await self._give(stream, life, role)
            elif stream.key in self._former and stream.key not in live:
                with contextlib.suppress(NoServer):
                    await sound_server.set_role(stream.index, self._former.pop(stream.key))

    async def _give(self, stream: Stream, life: str, former: str) -> None:
        if self._failed_life == life:           # as it would be for every stream
            return
        try:
            await sound_server.set_role(stream.index, PHONE)
        except NoServer as problem:
            self._failed_life = life
            log.warning("no stream gets the role phone: the sound server is none of PulseAudio's, or "
                        "another user's; give the program a rule there: %s", problem)
            return
        log.info("giving %s %d the role phone", *stream.key)
        self._former[stream.key] = former
