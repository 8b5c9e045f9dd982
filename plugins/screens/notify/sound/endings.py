"""Which tone is heard when a call ends: the one of the telephone network."""
from __future__ import annotations

from typing import Optional

from callbroker import Call

TONES = {                                       # by the reason that the app gives
    "busy": "busy", "rejected": "busy", "no_answer": "ended",
    "invalid_number": "information", "not_allowed": "information", "unreachable": "information",
    "transferred": None, "deflected": None, "pulled": None, "answered_elsewhere": None,
    "declined_elsewhere": None,
}
BY_USER = ("user", "app", "arbitration", "policy")


def tone(call: Call) -> Optional[str]:
    """`busy`, `congestion`, `information`, `ended`, or none: the user has ended it, or the network
    has said itself why."""
    cause, detail = call.get("end_cause") or {}, call.get("end_detail") or {}
    reason = detail.get("reason")
    if cause.get("origin") in BY_USER and call.get("end_reason") != "failed":
        return None
    if call.get("connected_at_ms") is not None:
        return "ended" if TONES.get(reason or "", "ended") else None
    if call["direction"] != "outgoing" or call.get("has_early_media"):
        return None
    return TONES.get(reason or "", "congestion")
