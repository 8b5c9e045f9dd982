"""Tones that are made here: the ring, the tone of a call that waits, and those of ended calls as a
country's network has them (ITU-T E.180 and its list of tones by country)."""
from __future__ import annotations

import array
import dataclasses
import math
import wave
from pathlib import Path
from typing import Dict, Tuple

RATE = 44_100
FADE_SECONDS = 0.01                             # at both ends of a tone, so that it does not click
LOUD, SOFT = 0.5, 0.08
ROUND_SECONDS = 3.0                             # for which the tone of an ended call is repeated


@dataclasses.dataclass(frozen=True)
class Part:
    """Frequencies that sound together for some seconds, and the seconds of silence after them."""

    hertz: Tuple[int, ...]
    sound: float
    silence: float = 0.0


Tone = Tuple[Part, ...]


def cadence(hertz: Tuple[int, ...], *seconds: float) -> Tone:
    """A tone of alternating seconds of sound and silence."""
    return tuple(Part(hertz, sound, silence)
                 for sound, silence in zip(seconds[::2], seconds[1::2]))


RING = cadence((400, 450), 0.4, 0.2, 0.4, 2.0)
WAITING = cadence((440,), 0.15, 4.85)
INFORMATION = (Part((950,), 0.33), Part((1400,), 0.33), Part((1800,), 0.33, 1.0))
# By country: the frequencies, then the seconds of sound and silence of busy and of congestion.
COUNTRIES: Dict[str, Tuple[Tuple[int, ...], Tuple[float, ...], Tuple[float, ...]]] = {
    "": ((425,), (0.5, 0.5), (0.25, 0.25)),     # what E.180 recommends
    "AT": ((420,), (0.4, 0.4), (0.2, 0.2)),
    "AU": ((425,), (0.375, 0.375), (0.375, 0.375)),
    "BE": ((425,), (0.5, 0.5), (0.167, 0.167)),
    "BR": ((425,), (0.25, 0.25), (0.25, 0.25, 0.75, 0.25)),
    "CA": ((480, 620), (0.5, 0.5), (0.25, 0.25)),
    "CH": ((425,), (0.5, 0.5), (0.2, 0.2)),
    "CN": ((450,), (0.35, 0.35), (0.7, 0.7)),
    "CZ": ((425,), (0.33, 0.33), (0.165, 0.165)),
    "DE": ((425,), (0.48, 0.48), (0.24, 0.24)),
    "DK": ((425,), (0.5, 0.5), (0.2, 0.2)),
    "ES": ((425,), (0.2, 0.2), (0.2, 0.2, 0.2, 0.2, 0.2, 0.6)),
    "FI": ((425,), (0.3, 0.3), (0.2, 0.2)),
    "FR": ((440,), (0.5, 0.5), (0.25, 0.25)),
    "GB": ((400,), (0.375, 0.375), (0.4, 0.35, 0.225, 0.525)),
    "IN": ((400,), (0.75, 0.75), (0.25, 0.25)),
    "IT": ((425,), (0.5, 0.5), (0.2, 0.2)),
    "JP": ((400,), (0.5, 0.5), (0.5, 0.5)),
    "NL": ((425,), (0.5, 0.5), (0.25, 0.25)),
    "NO": ((425,), (0.5, 0.5), (0.2, 0.2)),
    "NZ": ((400,), (0.5, 0.5), (0.25, 0.25)),
    "US": ((480, 620), (0.5, 0.5), (0.25, 0.25)),
}


def known(country: str) -> str:
    """The code of a country whose tones are here; empty for any other."""
    return country.upper() if country.upper() in COUNTRIES else ""


def of_ended_call(name: str, country: str) -> Tone:
    """`busy`, `congestion`, `information`, or `ended`: three short ones, which no standard has."""
    hertz, busy, congestion = COUNTRIES[country]
    if name == "information":
        return INFORMATION
    if name == "ended":
        return cadence(hertz, *(0.2, 0.2) * 3)
    tone = cadence(hertz, *(busy if name == "busy" else congestion))
    seconds = sum(part.sound + part.silence for part in tone)
    return tone * math.ceil(ROUND_SECONDS / seconds)


def samples(tone: Tone, volume: float) -> array.array[int]:
    """The tone as signed 16-bit samples, one channel."""
    out = array.array("h")
    fade = int(FADE_SECONDS * RATE)
    for part in tone:
        length = int(part.sound * RATE)
        for index in range(length):
            shape = min(1.0, index / fade, (length - index) / fade)
            wave_ = sum(math.sin(2 * math.pi * each * index / RATE) for each in part.hertz)
            out.append(int(32_767 * volume * shape * wave_ / len(part.hertz)))
        out.extend([0] * int(part.silence * RATE))
    return out


def write(path: Path, tone: Tone, volume: float = LOUD) -> None:
    """A sound file of the tone."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples(tone, volume).tobytes())
