"""The participants of a conference, as a page lists them, and what of that the broker has."""
from __future__ import annotations

from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from app_adapter import shortened
from callbroker import JSON

PARTICIPANTS = 1_000                            # that the broker keeps
REPORTED_AT_ONCE = 64                           # of the 128 that it takes
TEXT_BYTES = 128
FLAGS = ("muted", "hand_raised", "self")
CHANGEABLE = ("muted", "hand_raised")


class Change(NamedTuple):
    """What a report to the broker has."""
    changed: List[JSON]
    removed: List[str]
    replaces: bool


def printable(value: object) -> str:
    """A text of a page, as long as the broker takes it."""
    if not isinstance(value, str):
        return ""
    return shortened("".join(filter(str.isprintable, value[:4 * TEXT_BYTES])).strip(), TEXT_BYTES)


def participant(entry: object) -> Optional[JSON]:
    """A participant as the broker takes it, None if it is none."""
    if not isinstance(entry, dict):
        return None
    number = printable(entry.get("participant"))
    if not number or number != entry["participant"]:
        return None
    about: JSON = {"participant": number}
    name = printable(entry.get("name"))
    if name:
        about["name"] = name
    about.update({flag: entry[flag] for flag in FLAGS if isinstance(entry.get(flag), bool)})
    changeable = entry.get("changeable")
    if isinstance(changeable, list):
        about["changeable"] = [each for each in CHANGEABLE if each in changeable]
    return about


class Roster:
    """The participants by their ids, which the page has chosen."""

    def __init__(self) -> None:
        self._members: Dict[str, JSON] = {}
        self._told: Optional[Dict[str, JSON]] = None    # None: the broker may have any

    def take(self, message: Dict[str, Any]) -> None:
        """What a message of the extension says: `participants` who are new or have changed, and
        the ids of those who are `removed`."""
        removed, changed = message.get("removed"), message.get("participants")
        for number in removed if isinstance(removed, list) else []:
            if isinstance(number, str):
                self._members.pop(number, None)
        for entry in changed if isinstance(changed, list) else []:
            about = participant(entry)
            if about is None:
                continue
            if about["participant"] in self._members or len(self._members) < PARTICIPANTS:
                self._members[about["participant"]] = about

    def forget(self) -> None:
        """The broker may have lost them, or the call has another id."""
        self._told = None

    def changes(self) -> Iterator[Change]:
        """What the broker has to be told; it counts as told."""
        replaces, told = self._told is None, self._told or {}
        changed = [about for number, about in self._members.items() if told.get(number) != about]
        removed = [number for number in told if number not in self._members]
        if changed or removed:
            self._told = dict(self._members)
        for at in range(0, max(len(changed), len(removed)), REPORTED_AT_ONCE):
            until = at + REPORTED_AT_ONCE
            yield Change(changed[at:until], removed[at:until], replaces and at == 0)
