"""Who the other side of a call is, in words that are safe to show."""
from __future__ import annotations

import unicodedata
from typing import Optional

from callbroker import Call
from callbroker_messages import text

TEXT_LENGTH = 200                               # of a name or number that is shown
BREAKING = {"Cc", "Zl", "Zp"}                   # Unicode's categories of control and line breaks
TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def shown(words: Optional[str]) -> str:
    """One line of it, with nothing that turns the direction of the text around it."""
    line = "".join(" " if unicodedata.category(each) in BREAKING
                   or unicodedata.bidirectional(each) in TURNING else each for each in words or "")
    return " ".join(line.split())[:TEXT_LENGTH]


def number(call: Call) -> str:
    """The address of the other side; empty when it is withheld."""
    remote = call.get("remote")                 # withheld: none at all
    value = shown(remote["value"]) if remote else ""
    is_turned = value and text("screen.direction") == "rtl"
    return f"\u2066{value}\u2069" if is_turned else value  # a number reads from left to right


def name(call: Call) -> str:
    """Who it is, as well as anybody knows."""
    caller = call.get("caller") or {}
    return shown(caller.get("name")) or shown(call.get("display_name")) or number(call) \
        or text("screen.unknown_caller")
