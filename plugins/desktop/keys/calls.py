"""What the calls of all apps are together, for a device with a few keys and lamps."""
from __future__ import annotations

import dataclasses
from typing import Iterable, List, Optional

from callbroker import Call

RINGING, ANSWERING, LIVE, HELD, NONE = "ringing", "answering", "live", "held", "none"
LIVE_STATES = ("starting", "dialing", "alerting", "connecting", "active")
DECIDED = ("answering", "ending")
# While the app does one of these a further press would be meant for what was there before.
UNDER_WAY = ("answering", "ending", "holding", "resuming")


@dataclasses.dataclass(frozen=True)
class Situation:
    """The calls, by what a key may be for. Of several the one that a key is meant for."""

    at_the_door: Optional[Call] = None          # the user has still to decide about it
    live: Optional[Call] = None
    held: Optional[Call] = None
    answering: Optional[Call] = None            # its app is about to do it
    is_busy: bool = False                       # an app is doing what was asked of it

    @property
    def word(self) -> str:
        """The one word for all of them: what wants the user most comes first."""
        if self.at_the_door:
            return RINGING
        if self.live:
            return LIVE
        return ANSWERING if self.answering else HELD if self.held else NONE

    @property
    def shown(self) -> Optional[Call]:
        """The call that is shown where there is room for one."""
        return self.at_the_door or self.live or self.answering or self.held

    @property
    def spoken(self) -> Optional[Call]:
        """The call whose microphone is meant."""
        return self.live or self.held

    @property
    def is_muted(self) -> bool:
        return bool(self.spoken and self.spoken.get("muted"))

    @property
    def is_off_hook(self) -> bool:
        """Whether the user is on the telephone, with whomever."""
        return bool(self.live or self.held or self.answering)


def situation(calls: Iterable[Call]) -> Situation:
    """The situation that these calls make; those on other devices take no part."""
    known = [call for call in calls if call["state"] not in ("ended", "ending", "external")]
    door = [call for call in known if call["state"] in ("ringing", "waiting")]
    undecided = [call for call in door if call.get("pending_action") not in DECIDED]
    return Situation(
        first(undecided, "ringing") or oldest(undecided),
        oldest([call for call in known if call["state"] in LIVE_STATES
                and call.get("pending_action") != "ending"]),
        newest([call for call in known if call["state"] == "held"
                and call.get("pending_action") != "ending"]),
        oldest([call for call in door if call.get("pending_action") == "answering"]),
        any(call.get("pending_action") in UNDER_WAY for call in known))


def first(calls: List[Call], state: str) -> Optional[Call]:
    """The oldest call in that state."""
    return oldest([call for call in calls if call["state"] == state])


def oldest(calls: List[Call]) -> Optional[Call]:
    return min(calls, key=age, default=None)


def newest(calls: List[Call]) -> Optional[Call]:
    return max(calls, key=age, default=None)


def age(call: Call) -> int:
    return call.get("created_at_ms", 0)
