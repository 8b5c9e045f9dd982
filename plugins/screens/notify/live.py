"""What the user sees of a call that talks, is held or on its way: decided from it alone."""
from __future__ import annotations

import time
from typing import Tuple

import cards
from callbroker import Call
from callbroker_messages import text
from cards import Card

STATES = ("starting", "dialing", "alerting", "connecting", "active", "held")


def is_live(call: Call) -> bool:
    """Whether the user can hang up; not one that is on another device."""
    return call["state"] in STATES and call.get("pending_action") != "ending"


def state(call: Call) -> str:
    """What the call does."""
    what = text("screen.live." + call["state"])
    return text("screen.live.muted", state=what) if call.get("muted") else what


def since(call: Call) -> str:
    """The time of day from which the two talk, which needs no change while time goes by."""
    at_ms = call.get("connected_at_ms")
    if not at_ms:
        return ""
    return text("screen.live.since", time=time.strftime("%H:%M", time.localtime(at_ms / 1000)))


def actions(call: Call) -> Tuple[Tuple[str, str], ...]:
    """The buttons, as the call allows them."""
    allowed = call.get("allowed", ())
    return tuple((verb, cards.label(verb)) for verb in cards.LIVE_VERBS if verb in allowed)


def card(call: Call, app: str, why_not: str = "", people: int = 0) -> Card:
    """The note of a call. `why_not` tells why the last button did not do it; `people` is how many
    take part in a conference of the far end, 0 if nobody counts them."""
    many = text("screen.people", count=people) if people else ""
    first = " · ".join(part for part in (state(call), since(call), many) if part)
    lines = [first, cards.details(call, app), why_not]
    return Card(cards.name(call), "\n".join(line for line in lines if line), actions(call),
                "call", False, "call-start", stays=True)
