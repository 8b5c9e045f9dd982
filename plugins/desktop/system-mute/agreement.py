"""What the mutes of the source and of the live call have to become. Nothing is done here."""
from __future__ import annotations

import dataclasses
from typing import Dict, List, Mapping, Optional, Set, Tuple

from callbroker import Call
from microphone import Source

LIVE = ("dialing", "alerting", "connecting", "active")


@dataclasses.dataclass(frozen=True)
class Change:
    """A mute to set: of the source with that name, or of the call."""

    kind: str                                   # source, call
    name: str
    muted: bool
    because: str                                # for the log


class Agreement:
    """One mute, which source and live call have in common. Whichever the user changes, the other
    follows.

    Args:
        borrowed: sources that are muted because of a call, by this program or a predecessor.
        owed: calls that are muted because of the source.
    """

    def __init__(self, borrowed: Set[str], owed: Set[str]) -> None:
        self.borrowed, self.owed = borrowed, owed
        self._between: Optional[Tuple[str, str]] = None     # source and group
        self._source_muted = self._call_muted = False       # as both were seen last, or set

    def step(self, source: Optional[Source], calls: Mapping[str, Call]) -> List[Change]:
        """The changes, now that source and calls are so."""
        self.owed &= {id for id, call in calls.items() if call.get("muted")}
        call = self._live(calls)
        current = source.name if source is not None and call is not None else ""
        changes = [self._give_back(name) for name in sorted(self.borrowed - {current})]
        if source is None or call is None:
            self._between = None
        elif self._between != (source.name, call.get("group")):
            changes += self._begin(source, call)
        else:
            changes += self._compare(source, call, calls)
        return changes

    def has_failed(self, change: Change, muted: bool) -> None:
        """A call that cannot be muted stays as it is, and so does the source: the user meant it."""
        self.owed.discard(change.name)
        self._call_muted = muted

    def forget(self, source: str) -> None:
        """It is not known what became of the source: it may be as it was, and no user's doing."""
        if self._between is not None and self._between[0] == source:
            self.begin_anew()

    def begin_anew(self) -> None:
        """It is not known whether the last change was made: both mutes are compared as at first."""
        self._between = None

    def _live(self, calls: Mapping[str, Call]) -> Optional[Call]:
        """One call of the live group; while it changes, one of the group so far."""
        live = [call for call in calls.values() if call["state"] in LIVE]
        group = self._between[1] if self._between else ""
        live.sort(key=lambda call: (call.get("group") != group, call["call"]))
        return live[0] if live else None

    def _give_back(self, name: str) -> Change:
        """Undone at the end of the call, and when another source takes its place. It is forgotten
        only when that is done."""
        return Change("source", name, False, "no call needs it to be muted any more")

    def _begin(self, source: Source, call: Call) -> List[Change]:
        """A call becomes live, or another source is used. A source that the user has muted stays so:
        nobody opens a microphone unasked, except for an emergency."""
        self._between = (source.name, call.get("group", ""))
        self._source_muted, self._call_muted = source.muted, call.get("muted", False)
        if call.get("priority") == "emergency":
            return self._set_source(source.name, False, "an emergency call has to be heard")
        if source.muted and source.name not in self.borrowed:
            return self._set_call(call, True, "the source in use is muted")
        return self._set_source(source.name, self._call_muted, "so is the call that is live now")

    def _compare(self, source: Source, call: Call, calls: Mapping[str, Call]) -> List[Change]:
        """Where both have changed, they agree, or the cautious one counts."""
        muted = call.get("muted", False)
        source_changed, call_changed = source.muted != self._source_muted, muted != self._call_muted
        self._source_muted, self._call_muted = source.muted, muted
        if source_changed:
            self.borrowed.discard(source.name)  # it is the user's now
        if call_changed:
            self.owed.discard(call["call"])
        if source_changed and (source.muted or not call_changed):
            return [*self._set_call(call, source.muted, "the user has changed the source"),
                    *([] if source.muted else self._release(calls))]
        if call_changed:
            return self._set_source(source.name, muted, "the call was changed")
        return []

    def _release(self, calls: Mapping[str, Call]) -> List[Change]:
        """Held calls that are muted because the source was."""
        held = sorted(id for id in self.owed if calls[id]["state"] == "held")
        self.owed -= set(held)
        return [Change("call", id, False, "the user has unmuted the source") for id in held]

    def _set_call(self, call: Call, muted: bool, because: str) -> List[Change]:
        if self._call_muted == muted:
            return []
        (self.owed.add if muted else self.owed.discard)(call["call"])
        self._call_muted = muted
        return [Change("call", call["call"], muted, because)]

    def _set_source(self, name: str, muted: bool, because: str) -> List[Change]:
        if self._source_muted == muted:
            return []
        if muted:                               # the unmuted one is forgotten once it is so
            self.borrowed.add(name)
        self._source_muted = muted
        return [Change("source", name, muted, because)]

    def kept(self) -> Dict[str, List[str]]:
        """What a successor has to know; empty if it is nothing."""
        found = {"sources": sorted(self.borrowed), "calls": sorted(self.owed)}
        return found if any(found.values()) else {}
