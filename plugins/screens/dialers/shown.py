"""A call as dialers see it."""
from __future__ import annotations

import re
from typing import Any, Dict, Optional
from urllib.parse import quote

from callbroker import Call, Handle, generic, phone
from exported import Refused
from modem import (ACCEPTED, ACTIVE, AUDIO_SETUP_FAILED, DEFLECTED, DIALING, ENDED, ERROR, HELD,
                   INCOMING, INCOMING_NEW, INVALID, NO_REASON, OUTGOING, OUTGOING_STARTED,
                   REFUSED_OR_BUSY, RINGING_IN, RINGING_OUT, TERMINATED, TRANSFERRED, UNKNOWN,
                   WAITING)

# A call that is ending is as it was; one on another device is no dialer's.
STATES = {"starting": DIALING, "dialing": DIALING, "alerting": RINGING_OUT, "ringing": RINGING_IN,
          "waiting": WAITING, "connecting": ACTIVE, "active": ACTIVE, "held": HELD,
          "ended": TERMINATED}
LIVE = ("dialing", "alerting", "connecting", "active")
REFUSALS = {"unanswered", "declined", "declined_elsewhere"}
DETAILS = {"busy": REFUSED_OR_BUSY, "rejected": REFUSED_OR_BUSY, "no_answer": REFUSED_OR_BUSY,
           "transferred": TRANSFERRED, "deflected": DEFLECTED, "media_error": AUDIO_SETUP_FAILED}
NUMBER = re.compile(r"[-+0-9*#().\s]*[0-9*#][-+0-9*#().\s]*")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.")


def dialed(number: str) -> str:
    """What somebody has dialed, as a URI."""
    number = number.strip()
    if SCHEME.match(number):
        return number
    if NUMBER.fullmatch(number):
        return "tel:" + quote(re.sub(r"[-().\s]", "", number), safe="+*")
    if "@" in number:
        return "sip:" + number
    raise Refused(INVALID, "this is neither a number nor an address: dial digits, "
                  "or an address such as sip:ann@example.org")


def handle(number: str) -> Handle:
    """The address of somebody to whom a call is sent."""
    number = number.strip()
    return phone(re.sub(r"[-().\s]", "", number)) if NUMBER.fullmatch(number) else generic(number)


def reason(call: Call, state: int) -> int:
    """Why a call has that state."""
    if state == TERMINATED:
        detail = (call.get("end_detail") or {}).get("reason", "")
        if detail in DETAILS:
            return DETAILS[detail]
        if call.get("end_reason") == "failed":
            return ERROR
        return REFUSED_OR_BUSY if call.get("end_reason") in REFUSALS else ENDED
    if state in (RINGING_IN, WAITING):
        return INCOMING_NEW
    if state in (DIALING, RINGING_OUT):
        return OUTGOING_STARTED
    return ACCEPTED if state == ACTIVE else NO_REASON


class Shown:
    """The object of one call.

    Attributes:
        call: the id at the broker; None while a dialer has created the call, and not started it.
        hang_ups: how many dialers wait for the reply to their hang-up.
    """

    def __init__(self, path: str, call: Optional[str], direction: int, number: str = "") -> None:
        self.path, self.call, self.direction = path, call, direction
        self.number, self.state, self.reason = number, UNKNOWN, NO_REASON
        self.is_joined, self.hang_ups = False, 0

    @classmethod
    def of(cls, path: str, call: Call) -> Shown:
        """The object of a call of the broker."""
        return cls(path, call["call"], INCOMING if call["direction"] == "incoming" else OUTGOING)

    def read(self, call: Call, is_joined: bool) -> None:
        """Follows the call."""
        state = STATES.get(call["state"], self.state)
        if state != self.state:
            self.state, self.reason = state, reason(call, state)
        remote = call.get("remote")
        self.number = remote["value"] if remote else self.number
        self.is_joined = is_joined

    @property
    def printed(self) -> str:
        """The number on one line, without quotation marks: gateways put it between such into a
        line to a headset, and a caller may have any address."""
        return "".join(each for each in self.number if each.isprintable() and each != '"')

    def properties(self) -> Dict[str, Any]:
        """The properties that may change."""
        return {"State": self.state, "StateReason": self.reason, "Number": self.printed,
                "Multiparty": self.is_joined}
