"""The events as hooks receive them: with names for people, as JSON and as variables, and without
people where that is wanted."""
from __future__ import annotations

import json
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Dict, Iterator, List, Set

JSON = Dict[str, Any]

# What a redacted event keeps of its data: words of the protocol, ids of the host, and times.
HARMLESS = frozenset((
    "call", "calls", "provider", "direction", "state", "pending_action", "held_because_of",
    "resume_offered", "muted", "silenced", "group", "has_video", "video", "remote_held", "priority",
    "provider_connected", "allowed", "created_at_ms", "alerting_at_ms", "connecting_at_ms",
    "connected_at_ms", "ended_at_ms", "since_ms", "end_reason", "missed_reasons", "changed", "rev",
    "missed", "held_groups", "ringing", "busy", "emergency", "live_group", "audio_group", "from",
    "to", "transaction", "action", "kind", "status", "reason", "endpoint", "plugin", "verdict"))
# Members that have numbers, names and texts of people, in whatever object.
PERSONAL = frozenset(("digits", "display_name", "elsewhere", "external_id", "label", "message",
                      "name", "participant", "text", "uri", "value"))
# The variables of a program, and the words between braces in the body of a web hook.
VARIABLES = ("event", "topic", "at_ms", "id", "state", "provider", "direction", "remote", "name",
             "reason", "missed")


@dataclass(frozen=True)
class Happening:
    """An event under one of its names: the topic, or a name for people such as call.ringing."""

    name: str
    event: JSON

    @property
    def data(self) -> JSON:
        data = self.event.get("data")
        return data if isinstance(data, dict) else {}

    def document(self, is_redacted: bool) -> JSON:
        """What a program reads from its standard input, and a web hook sends if it has no body."""
        known = {key: self.event[key] for key in ("topic", "seq", "at_ms", "call", "provider")
                 if key in self.event}
        data = {key: value for key, value in self.data.items()
                if key in HARMLESS and is_plain(value)} if is_redacted else self.data
        return {"event": self.name, **known, "data": data}

    def words(self, is_redacted: bool) -> Dict[str, str]:
        """The same in single words, by the names in VARIABLES; unknown ones are empty."""
        data = self.document(is_redacted)["data"]
        caller, remote = members(data.get("caller")), members(data.get("remote"))
        found = {
            "event": self.name, "topic": self.event["topic"], "at_ms": self.event.get("at_ms"),
            "id": data.get("call") or self.event.get("call"), "state": data.get("state"),
            "provider": data.get("provider") or self.event.get("provider"),
            "direction": data.get("direction"), "remote": remote.get("value"),
            "name": caller.get("name") or data.get("display_name"),
            "reason": data.get("end_reason") or data.get("reason"),
            "missed": ",".join(map(str, data.get("missed_reasons") or []))}
        return {name: clean(found[name]) for name in VARIABLES}

    def people(self) -> List[str]:
        """What may identify people in it, the longest first."""
        return sorted(set(personal_texts(self.data)), key=len, reverse=True)

    def without_people(self, text: str) -> str:
        """A line for the log: numbers and names never get there."""
        for each in self.people():
            text = text.replace(each, "…")
        return text

    def matches(self, pattern: str) -> bool:
        """Patterns are for topics only, so that nothing comes twice."""
        if "*" not in pattern:
            return self.name == pattern
        return self.name == self.event["topic"] and fnmatchcase(self.name, pattern)


def members(value: Any) -> JSON:
    """An object, or an empty one in the place of anything else."""
    return value if isinstance(value, dict) else {}


def personal_texts(value: Any, name: str = "") -> Iterator[str]:
    """The numbers, names and texts, wherever they are. One letter is nobody's name."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from personal_texts(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from personal_texts(each, name)
    elif isinstance(value, str) and name in PERSONAL and len(value) > 1:
        yield value


def is_plain(value: Any) -> bool:
    """A word, a number, or a list of them: an object may have anything in it."""
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    return not isinstance(value, dict)


def clean(value: Any) -> str:
    """A text that the environment takes."""
    text = "" if value is None else str(value)
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


class Namer:
    """Gives events their further names: call.ringing, call.answered, call.ended, call.missed."""

    def __init__(self) -> None:
        self._answered: Set[str] = set()

    def begin(self, calls: Dict[str, JSON]) -> None:
        """With the calls of a snapshot, which were answered before."""
        self._answered = {call for call, known in calls.items() if "connected_at_ms" in known}

    def happenings(self, event: JSON) -> List[Happening]:
        """The event under its topic, then under its names for people."""
        names = [event["topic"]]
        data = event.get("data")
        if event["topic"] in ("call.added", "call.changed") and isinstance(data, dict):
            names += self._names(event["topic"], data)
        elif event["topic"] == "call.removed":
            self._answered.discard(event.get("call", ""))
        return [Happening(name, event) for name in names]

    def _names(self, topic: str, data: JSON) -> List[str]:
        call, state = data.get("call", ""), data.get("state")
        if topic == "call.added" and state in ("ringing", "waiting"):
            return ["call.ringing"]
        if state == "active" and call not in self._answered:
            self._answered.add(call)
            return ["call.answered"]
        if state == "ended" and "state" in data.get("changed", ()):
            return ["call.ended"] + (["call.missed"] if data.get("missed_reasons") else [])
        return []


def encoded(document: JSON) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")
