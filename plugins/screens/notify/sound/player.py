"""Plays a sound file through the sound server: PulseAudio, or PipeWire in its place."""
from __future__ import annotations

import asyncio
import contextlib
import shutil
from typing import Callable, List, Optional

import sound_server
from sound_server import NoServer

STEP_SECONDS = 0.5                              # between two changes of the volume of a sound
NORMAL = 65_536                                 # the number for a volume of 100 %
# PulseAudio remembers the volume of a stream for the next one of its role, unless it is remembered
# under a name of its own; WirePlumber remembers it for the role, and from release 0.5 on not at all if
# so wanted. A ring that rises is not to change how loud calls are.
OWN_VOLUME = "--property=module-stream-restore.id=sink-input-by-application-name:CallBroker"
OWN_ROLE = "Ringtone"
NOT_REMEMBERED = "--properties={ state.restore-props = false }"

Volume = Callable[[], int]                      # in percent, as it is to be now


def command(volume: Optional[int], is_pipewire: bool) -> Optional[List[str]]:
    """The program that plays a sound file, without the file; it ends when this one does.

    Args:
        volume: at which it begins, in percent. PipeWire takes that from its own program only.
    """
    words: List[str] = []
    if shutil.which("paplay") and (volume is None or not is_pipewire):
        words = ["paplay", "--client-name=CallBroker", "--stream-name=Incoming call",
                 "--property=media.role=phone", OWN_VOLUME]
        words += [f"--volume={NORMAL * volume // 100}"] if volume is not None else []
    elif shutil.which("pw-play"):
        words = ["pw-play", "--media-role=" + ("Communication" if volume is None else OWN_ROLE)]
        if volume is not None:                  # linear here, cubic in mixers and at PulseAudio
            words += [NOT_REMEMBERED, f"--volume={(volume / 100) ** 3:.4f}"]
    if words and shutil.which("setpriv"):
        words[:0] = ["setpriv", "--pdeathsig", "TERM", "--"]
    return words or None


async def play(file: str, volume: Optional[Volume] = None) -> Optional[str]:
    """Plays a file once, at that volume if there is one. Returns what went wrong; cancelled, it is
    silent at once."""
    is_pipewire = volume is not None and await sound_server.is_pipewire()
    words = command(volume() if volume is not None else None, is_pipewire)
    if words is None:
        return "no sound: neither paplay nor pw-play is installed"
    process = await asyncio.create_subprocess_exec(
        *words, file, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE)
    rising = None
    if volume is not None and not is_pipewire:  # there, from one round to the next
        rising = asyncio.ensure_future(follow(process.pid, volume))
    try:
        _, said = await process.communicate()
    finally:
        if rising is not None:
            rising.cancel()
        if process.returncode is None:          # also one that is stopped, or hangs at the server
            process.kill()
            await process.wait()
    if process.returncode == 0:
        return None
    # The name of a ringtone may be that of a contact, which is not for the log.
    words_ = said.decode(errors="replace").replace(file, "the sound file").strip()
    return "no sound: " + words_.replace("\n", "; ")[:300]


async def follow(process: int, volume: Volume) -> None:
    """Changes the volume of a player's stream while it plays, as far as the server lets."""
    with contextlib.suppress(NoServer):
        while True:
            await asyncio.sleep(STEP_SECONDS)
            await sound_server.set_volume(process, volume())
