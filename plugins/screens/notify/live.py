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


def tones(call: Call) -> str:
    """The tones that wait behind a pause; empty if there are none."""
    waiting = call.get("paused_tones")
    if not waiting:
        return ""
    key = "screen.tones.time" if waiting["until"] == "time" else "screen.tones.user"
    return text(key, digits=cards.from_left(cards.shown(waiting["digits"])))


def wants_the_user(call: Call) -> bool:
    """Whether tones of the call are sent when the user says so."""
    return bool(tones(call)) and call["paused_tones"]["until"] != "time"


def actions(call: Call) -> Tuple[Tuple[str, str], ...]:
    """The buttons, as the call allows them. What the user is asked comes first, because some desktops
    show no more than three."""
    allowed = call.get("allowed", ())
    asked = (cards.CONTINUE_TONES, cards.DROP_TONES) if tones(call) else ()
    verbs = (*asked, *(verb for verb in cards.LIVE_VERBS if verb in allowed))
    return tuple((verb, cards.label(verb)) for verb in verbs)


def card(call: Call, app: str, why_not: str = "", people: int = 0) -> Card:
    """The note of a call. `why_not` tells why the last button did not do it; `people` is how many
    take part in a conference of the far end, 0 if nobody counts them."""
    many = text("screen.people", count=people) if people else ""
    first = " · ".join(part for part in (state(call), since(call), many) if part)
    lines = [first, cards.details(call, app), tones(call), why_not]
    return Card(cards.name(call), "\n".join(line for line in lines if line), actions(call),
                "call", wants_the_user(call), "call-start", stays=True)
