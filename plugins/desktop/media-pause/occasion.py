"""When media have to be quiet. Nothing is done here."""
from __future__ import annotations

from typing import Iterable

from callbroker import Call

RINGING = ("ringing", "waiting")
NOT_HERE = ("external", "ending", "ended")      # on another device, or over
MOMENTS = ("ring", "talk")


def is_due(calls: Iterable[Call], when: str) -> bool:
    """Whether there is a call for which media are quiet: any that is here, or, if `when` is talk,
    any of these that the user has answered or made."""
    states = [call["state"] for call in calls]
    return any(state not in NOT_HERE and (when == "ring" or state not in RINGING) for state in states)
