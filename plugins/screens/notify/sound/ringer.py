"""Rings, again and again, until somebody has decided about the call."""
from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
from pathlib import Path
from typing import Callable, Optional, Tuple

from sound import player, tones
from sound.tones import Tone

log = logging.getLogger("callbroker_notify")

AGAIN_SECONDS = 2.0                             # before a player that has failed is tried again
SHORT_SECONDS = 0.2                             # a file that is over sooner is no ringtone
MADE = {"ring": (tones.RING, tones.LOUD), "waiting": (tones.WAITING, tones.SOFT)}


@dataclasses.dataclass(frozen=True)
class Rise:
    """How a ring becomes louder: from one volume to another, in percent, within some seconds."""

    start: int
    end: int
    seconds: float

    def volume(self, elapsed: float) -> int:
        """In percent, that long after the ring began."""
        share = min(1.0, elapsed / self.seconds)
        return round(self.start + (self.end - self.start) * share)


class Ringer:
    """Plays one tone again and again until another is wanted, or none; and the tones of calls that
    have ended, once each.

    Args:
        folder: for the sound files made here.
        goes_on: asked before each repetition; nothing rings on for a broker that is gone.
    """

    def __init__(self, folder: Path, goes_on: Callable[[], bool]) -> None:
        self._folder, self._goes_on = folder, goes_on
        self._wanted: Optional[Tuple[str, str]] = None
        self._playing: Optional[asyncio.Task[None]] = None
        self._once: Optional[asyncio.Task[None]] = None
        self._said: Optional[str] = None        # what was last said to stand in the way

    def play(self, tone: Optional[str], ringtone: str = "", rise: Optional[Rise] = None) -> None:
        """From now on this is heard; `ringtone`: a sound file in place of ours."""
        wanted = (tone, ringtone if tone == "ring" else "") if tone is not None else None
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self._playing is not None:
            self._playing.cancel()
        self._playing = asyncio.ensure_future(
            self._repeat(*wanted, rise if tone == "ring" else None)) if wanted else None
        if wanted:
            self.end_once()

    def play_once(self, name: str, tone: Tone) -> None:
        """What a call that has ended leaves, unless something else is heard."""
        if self._wanted is None:
            self.end_once()
            file = self._file(name, tone, tones.SOFT)
            self._once = asyncio.ensure_future(self._play_once(file))

    def end_once(self) -> None:
        """Ends the tone of a call that has ended."""
        if self._once is not None:
            self._once.cancel()
        self._once = None

    async def stop(self) -> None:
        """Silence, once this returns."""
        playing = {each for each in (self._playing, self._once) if each is not None}
        self.play(None)
        self.end_once()
        if playing:
            await asyncio.wait(playing)

    def _file(self, name: str, tone: Tone, volume: float) -> str:
        path = self._folder / (name + ".wav")
        if not path.exists():
            tones.write(path, tone, volume)
        return str(path)

    async def _repeat(self, tone: str, ringtone: str, rise: Optional[Rise]) -> None:
        own, clock = self._file(tone, *MADE[tone]), asyncio.get_running_loop().time
        file, began = ringtone if os.path.isfile(ringtone) else own, clock()
        while self._goes_on():
            round_began = clock()
            problem = await player.play(
                file, (lambda: rise.volume(clock() - began)) if rise is not None else None)
            if problem is None and clock() - round_began < SHORT_SECONDS:
                problem = "no sound: the ringtone has none"
            self._say(problem)
            if problem is not None and file == own:
                await asyncio.sleep(AGAIN_SECONDS)
            elif problem is not None:
                file = own                      # a ringtone that cannot be played
        self._wanted = None                     # so that the next wish is heard

    async def _play_once(self, file: str) -> None:
        self._say(await player.play(file))

    def _say(self, problem: Optional[str]) -> None:
        if problem is not None and problem != self._said:
            log.warning("%s", problem)
        self._said = problem
