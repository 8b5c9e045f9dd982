"""What the tray shows of all calls, and its menu: decided from the calls alone."""
from __future__ import annotations

import dataclasses
from typing import Callable, Optional, Sequence, Tuple

import cards
import live
from callbroker import Call
from callbroker_messages import text

RINGING, ACTIVE, HELD, MISSED, DO_NOT_DISTURB, FREE = (
    "ringing", "active", "held", "missed", "do_not_disturb", "free")
CALL, SEEN = "call", "seen"
ENTRIES = (CALL, SEEN, DO_NOT_DISTURB)
"""What an entry of the menu may be for, each of which a test presses."""


@dataclasses.dataclass(frozen=True)
class Entry:
    """One line of the menu; a separator without a label, a heading without anything to press."""

    label: str = ""
    press: Tuple[str, ...] = ()                 # what it is for, and of a call its id and button
    is_on: Optional[bool] = None                # whether it is checked, if it can be
    entries: Tuple[Entry, ...] = ()


@dataclasses.dataclass(frozen=True)
class Status:
    """All that the tray shows."""

    state: str = FREE
    title: str = ""
    body: str = ""                              # a line for each call
    menu: Tuple[Entry, ...] = ()


def state(calls: Sequence[Call], missed: int, is_undisturbed: bool) -> str:
    """The one word for everything: what wants the user most comes first."""
    if any(cards.is_at_the_door(call) for call in calls):
        return RINGING
    if any(live.is_live(call) and call["state"] != "held" for call in calls):
        return ACTIVE
    if any(live.is_live(call) for call in calls):
        return HELD
    return MISSED if missed else DO_NOT_DISTURB if is_undisturbed else FREE


def title(word: str, missed: int) -> str:
    """The first line, which says what is so."""
    if word == MISSED:
        return text("screen.missed", count=missed)
    return text("screen.tray." + ("undisturbed" if word == DO_NOT_DISTURB else word))


def line(call: Call) -> str:
    """Who it is, and what the call does."""
    at_the_door = text("screen.another" if call["state"] == "waiting" else "screen.incoming")
    what = at_the_door if cards.is_at_the_door(call) else live.state(call)
    parts = [cards.name(call), what, live.since(call)]
    return " · ".join(part for part in parts if part)


def _of(call: Call) -> Entry:
    buttons = cards.actions(call.get("allowed", ())) if cards.is_at_the_door(call) \
        else live.actions(call)
    return Entry(line(call), entries=tuple(
        Entry(label, (CALL, call["call"], button)) for button, label in buttons))


def status(calls: Sequence[Call], missed: int, is_undisturbed: bool) -> Status:
    """Everything from the calls that the user knows of, in their order."""
    is_shown: Callable[[Call], bool] = lambda call: cards.is_at_the_door(call) or live.is_live(call)
    known = [call for call in calls if is_shown(call)]
    word = state(known, missed, is_undisturbed)
    menu = [Entry(title(word, missed)), Entry(), *(_of(call) for call in known)]
    menu += [Entry()] if known else []
    menu += [Entry(text("screen.tray.seen"), (SEEN,))] if missed else []
    menu += [Entry(text("screen.tray.do_not_disturb"), (DO_NOT_DISTURB,), is_undisturbed)]
    return Status(word, title(word, missed), "\n".join(line(call) for call in known), tuple(menu))
