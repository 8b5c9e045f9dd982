"""Which apps have to be silent, and which streams are theirs. Nothing is done here."""
from __future__ import annotations

from typing import Dict, Iterable, List, Mapping, Optional, Set, Tuple

from callbroker import JSON, Call
from sound_server import App, Stream

LIVE = ("dialing", "alerting", "connecting", "active")
CONNECTED = ("active", "held")                  # the far end has answered


class Grant:
    """Follows who may be heard, from what the broker tells."""

    def __init__(self) -> None:
        self._calls: Dict[str, Call] = {}
        self._group: Optional[str] = None       # who has the audio
        self._is_known = False                  # a snapshot does not tell it
        self._unheeding: Set[str] = set()       # providers whose apps may talk on, and must not

    def begin(self, calls: Mapping[str, Call]) -> None:
        """All is as in a snapshot."""
        self._calls = dict(calls)
        self._group, self._is_known = None, False

    def happened(self, topic: str, data: JSON) -> None:
        """An event of the broker."""
        if topic in ("call.added", "call.changed"):
            call: Call = data                   # type: ignore[assignment]
            self._calls[call["call"]] = call
            if call["state"] == "ended":
                self._ended(call)
        elif topic == "audio.changed":
            self._group, self._is_known = data.get("to"), True
            self._unheeding -= set(self._speaking())

    def _ended(self, call: Call) -> None:
        del self._calls[call["call"]]
        cause = call.get("end_cause") or {}
        is_given_up = cause.get("origin") == "timeout"
        is_untold = call.get("provider_connected") is False     # nobody could tell the app
        if is_given_up or is_untold:            # it may go on
            self._unheeding.add(call["provider"])

    def _speaking(self) -> List[str]:
        """Providers with a call that has the audio."""
        if self._is_known:
            return [call["provider"] for call in self._calls.values()
                    if self._group is not None and call.get("group") == self._group]
        return [call["provider"] for call in self._calls.values() if call["state"] in LIVE]

    def is_of(self, group: str) -> bool:
        """Whether that group is known to have the audio; while nothing is known of that, whether it is
        known to be connected."""
        if self._is_known:
            return self._group == group
        return any(call.get("group") == group and call["state"] in CONNECTED
                   for call in self._calls.values())

    def live(self) -> Set[str]:
        """Providers that have the audio."""
        return set(self._speaking())

    def silent(self) -> Set[str]:
        """Providers that must not be heard, and must not hear: those with a held call, and, while
        somebody else speaks, those that may talk on. Never one that has the audio itself."""
        speaking = set(self._speaking())
        held = {call["provider"] for call in self._calls.values() if call["state"] == "held"}
        return (held | (self._unheeding if speaking else set())) - speaking


def streams_of(providers: Set[str], streams: Iterable[Stream],
               apps: Iterable[App]) -> Set[Tuple[str, int]]:
    """The streams (kind, index) of which every owner is one of the providers."""
    found: Set[Tuple[str, int]] = set()
    for stream in streams:
        owners = {app.identity for app in apps if app.owns(stream)}
        if owners and owners <= providers:
            found.add((stream.kind, stream.index))
    return found
