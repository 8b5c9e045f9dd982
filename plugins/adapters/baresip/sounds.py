"""Where baresip lets calls be heard: the audio devices that its user has named."""
from __future__ import annotations

import re
from typing import List, NamedTuple, Optional, Sequence

from callbroker import Endpoint, Failed

KINDS = ("earpiece", "speaker", "wired", "bluetooth")
ID_BYTES, COUNT_MAX = 256, 16                   # of endpoints, at the broker
FORM = "KIND=MODULE,DEVICE or KIND=MODULE,DEVICE;MODULE,DEVICE"


class Sound(NamedTuple):
    """A device of baresip, by the names that its commands take."""
    kind: str
    player: str
    source: Optional[str]                       # the microphone; None: it stays as it is


def sound(text: str) -> Sound:
    """Reads KIND=PLAYER or KIND=PLAYER;SOURCE, each MODULE,DEVICE. Raises ValueError."""
    kind, _, devices = text.partition("=")
    player, _, source = devices.partition(";")
    for device in (player, source or player):
        if not re.fullmatch(r"[^\s,;]+,[^\x00-\x1f;]*", device):
            raise ValueError(f"expected {FORM}, such as speaker=alsa,default, found {text!r}")
    if kind not in KINDS:
        raise ValueError(f"the kind of {text!r} is none of {', '.join(KINDS)}")
    if len(player.encode("utf-8")) > ID_BYTES:
        raise ValueError(f"the device of {text!r} has more than {ID_BYTES} bytes")
    return Sound(kind, player, source or None)


def sounds(texts: Sequence[str]) -> List[Sound]:
    """Reads all of them. Raises ValueError."""
    found = [sound(text) for text in texts]
    if len({each.player for each in found}) < len(found):
        raise ValueError("two endpoints have the same device")
    if len(found) > COUNT_MAX:
        raise ValueError(f"there are more than {COUNT_MAX} endpoints")
    return found


def player_of(config: str) -> str:
    """The device that plays, in baresip's answer to `config`."""
    found = re.search(r"^audio_player\s+(.*?)\s*$", config, re.MULTILINE)
    return found[1] if found else ""


class Sounds:
    """The devices, and which of them is in use. baresip has one for all its calls."""

    def __init__(self, known: Sequence[Sound]) -> None:
        self._known = known
        self._player = ""

    def __bool__(self) -> bool:
        return bool(self._known)

    def uses(self, player: str) -> bool:
        """Follows an answer of baresip. Returns whether that is news."""
        is_news = player != self._player
        self._player = player
        return is_news

    def plays(self, sound: Sound) -> bool:
        """Returns whether the device is in use."""
        return self._player == sound.player

    def find(self, endpoint: str) -> Sound:
        """Returns the device with the id of an endpoint."""
        for each in self._known:
            if each.player == endpoint:
                return each
        raise Failed("unknown_endpoint", "baresip was not told of the device")

    def endpoints(self) -> List[Endpoint]:
        """Returns them as the broker knows them."""
        return [{"endpoint": each.player, "kind": each.kind,
                 "state": "in_use" if each.player == self._player else "available"}
                for each in self._known]
