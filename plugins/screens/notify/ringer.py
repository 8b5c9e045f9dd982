"""Rings through the sound server: PulseAudio, or PipeWire in its place."""
from __future__ import annotations

import array
import asyncio
import logging
import math
import os
import shutil
import wave
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

log = logging.getLogger("callbroker_notify")

RATE = 44_100
FADE_SECONDS = 0.01                             # at both ends of a tone, so that it does not click
AGAIN_SECONDS = 2.0                             # before a player that has failed is tried again

Part = Tuple[float, float]                      # seconds of tone, seconds of silence after it
TONES: Dict[str, Tuple[Sequence[int], float, Sequence[Part]]] = {
    "ring": ((400, 450), 0.5, ((0.4, 0.2), (0.4, 2.0))),
    "waiting": ((440,), 0.08, ((0.15, 4.85),)),     # soft: somebody is talking
}


def samples(frequencies: Sequence[int], volume: float, parts: Sequence[Part]) -> array.array[int]:
    """The tone as signed 16-bit samples, one channel."""
    out = array.array("h")
    for loud, quiet in parts:
        length = int(loud * RATE)
        fade = int(FADE_SECONDS * RATE)
        for index in range(length):
            shape = min(1.0, index / fade, (length - index) / fade)
            wave_ = sum(math.sin(2 * math.pi * each * index / RATE) for each in frequencies)
            out.append(int(32_767 * volume * shape * wave_ / len(frequencies)))
        out.extend([0] * int(quiet * RATE))
    return out


def write_tone(path: Path, name: str) -> None:
    """A sound file of one of `TONES`."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples(*TONES[name]).tobytes())


def player() -> Optional[List[str]]:
    """The command that plays a sound file, without the file; it ends when we do."""
    command: List[str] = []
    if shutil.which("paplay"):
        command = ["paplay", "--client-name=CallBroker", "--stream-name=Incoming call",
                   "--property=media.role=phone"]
    elif shutil.which("pw-play"):
        command = ["pw-play", "--media-role=Communication"]
    if command and shutil.which("setpriv"):
        command[:0] = ["setpriv", "--pdeathsig", "TERM", "--"]
    return command or None


class Ringer:
    """Plays one tone again and again until another is wanted, or none.

    Args:
        folder: for the sound files made here.
        goes_on: asked before each repetition; nothing rings on for a broker that is gone.
    """

    def __init__(self, folder: Path, goes_on: Callable[[], bool]) -> None:
        self._folder, self._goes_on = folder, goes_on
        self._wanted: Optional[Tuple[str, str]] = None
        self._playing: Optional[asyncio.Task[None]] = None
        self._said: Optional[str] = None        # what was last said to stand in the way

    def play(self, tone: Optional[str], ringtone: str = "") -> None:
        """From now on this is heard; `ringtone`: a sound file in place of ours."""
        wanted = (tone, ringtone if tone == "ring" else "") if tone is not None else None
        if wanted == self._wanted:
            return
        self._wanted = wanted
        if self._playing is not None:
            self._playing.cancel()
        self._playing = asyncio.ensure_future(self._repeat(*wanted)) if wanted else None

    async def stop(self) -> None:
        """Silence, once this returns."""
        playing = self._playing
        self.play(None)
        if playing is not None:
            await asyncio.wait({playing})

    def _file(self, tone: str) -> Path:
        path = self._folder / (tone + ".wav")
        if not path.exists():
            write_tone(path, tone)
        return path

    async def _repeat(self, tone: str, ringtone: str) -> None:
        command = player()
        if command is None:
            return self._say("no sound: neither paplay nor pw-play is installed")
        own = str(self._file(tone))
        file = ringtone if os.path.isfile(ringtone) else own
        while self._goes_on():
            problem = await self._play_once([*command, file])
            self._say(problem)
            if problem is not None and file == own:
                await asyncio.sleep(AGAIN_SECONDS)
            elif problem is not None:
                file = own                      # a ringtone that cannot be played
        self._wanted = None                     # so that the next wish is heard

    async def _play_once(self, command: List[str]) -> Optional[str]:
        """Returns what went wrong."""
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE)
        try:
            _, said = await process.communicate()
        except asyncio.CancelledError:
            if process.returncode is None:
                process.terminate()
                await process.wait()
            raise
        if process.returncode == 0:
            return None
        return "no sound: " + said.decode(errors="replace").strip().replace("\n", "; ")[:300]

    def _say(self, problem: Optional[str]) -> None:
        if problem is not None and problem != self._said:
            log.warning("%s", problem)
        self._said = problem
