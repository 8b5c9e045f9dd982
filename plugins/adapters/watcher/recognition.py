"""Which streams belong to which app, by the rules of a file. Nothing is done here."""
from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Sequence, Set, Tuple

from sound_server import Stream

# What a condition is about, and the properties of a stream that say it.
PROPERTIES: Mapping[str, Tuple[str, ...]] = {
    "id": ("application.id", "pipewire.access.portal.app_id"),
    "binary": ("application.process.binary",), "name": ("application.name",),
    "role": ("media.role",)}
MEMBERS = ("app", "name", "match", "unless", "begin_ms", "end_ms", "watch")
APP = re.compile(r"[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?")
IDENTITY = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+")
LONGEST_MS = 600_000


class WrongRules(Exception):
    """A file of rules that is none, and why."""


Condition = Mapping[str, Sequence[str]]         # a word of PROPERTIES, and what may be there


@dataclasses.dataclass(frozen=True)
class Rule:
    """How an app is known, and when it counts as in a call."""

    app: str                                    # of a-z, 0-9 and -; unique
    name: str                                   # for people
    match: Tuple[Condition, ...]                # one of them has to hold, with all that it says
    unless: Tuple[str, ...] = ()                # providers that report the calls of this app
    begin_ms: int = 1_000                       # of recording, before it is a call
    end_ms: int = 3_000                         # without recording, before the call is over
    watch: bool = True

    def owns(self, stream: Stream) -> bool:
        """Whether a stream is this app's."""
        return any(all(holds(stream, word, values) for word, values in condition.items())
                   for condition in self.match)

    def is_reported(self, providers: Iterable[str]) -> bool:
        """Whether one of the providers, or one below it, reports its calls already."""
        return any(f"{provider}.".startswith(f"{each}.") for each in self.unless
                   for provider in providers)


@dataclasses.dataclass
class Streams:
    """What an app records and plays."""

    recording: List[Stream] = dataclasses.field(default_factory=list)
    playing: List[Stream] = dataclasses.field(default_factory=list)


def holds(stream: Stream, word: str, values: Sequence[str]) -> bool:
    said = {stream.properties.get(name, "").casefold() for name in PROPERTIES[word]} - {""}
    return any(value.casefold() in said for value in values)


def sorted_by_app(streams: Iterable[Stream], monitors: Set[int], rules: Sequence[Rule],
                  providers: Set[str]) -> Dict[str, Streams]:
    """The streams of each app that is watched. What records from a monitor of a loudspeaker, or only
    measures how loud it is, is no microphone in use.

    Args:
        monitors: the numbers of the sources that are monitors.
        providers: those that are registered now.
    """
    found: Dict[str, Streams] = {}
    watched = [rule for rule in rules if rule.watch and not rule.is_reported(providers)]
    for stream in streams:
        app = next((rule.app for rule in watched if rule.owns(stream)), None)
        if app is None or stream.properties.get("application.id") in providers:
            continue
        if stream.kind == "sink-input":
            found.setdefault(app, Streams()).playing.append(stream)
        elif not (stream.is_meter or stream.device in monitors
                  or stream.properties.get("stream.monitor") == "true"):
            found.setdefault(app, Streams()).recording.append(stream)
    return found


def monitors(sources: Iterable[Mapping[str, Any]]) -> Set[int]:
    """The numbers of the sources that only repeat what a loudspeaker plays."""
    return {source["index"] for source in sources
            if source.get("monitor_source")
            or source.get("properties", {}).get("device.class") == "monitor"}


# ---- The files

def read(path: Path) -> List[Rule]:
    """The rules of a file; `WrongRules` with the place and the reason."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WrongRules(f"{path}: {error}") from None
    try:
        return parsed(document)
    except WrongRules as wrong:
        raise WrongRules(f"{path}: {wrong}") from None


def parsed(document: Any) -> List[Rule]:
    """The same for the document of a file, which `apps.schema.json` describes."""
    expect(isinstance(document, dict) and set(document) <= {"$schema", "apps"}
           and isinstance(document.get("apps"), list), "", 'an object with the list "apps"')
    rules = [rule(each, f"/apps/{place}") for place, each in enumerate(document["apps"])]
    for place, each in enumerate(rules):
        expect(each.app not in [other.app for other in rules[:place]], f"/apps/{place}/app",
               "an app that no other entry has")
    return rules


def rule(entry: Any, place: str) -> Rule:
    expect(isinstance(entry, dict) and set(entry) <= set(MEMBERS), place,
           "an object of " + ", ".join(MEMBERS))
    app, watch = entry.get("app"), entry.get("watch", True)
    expect(isinstance(app, str) and bool(APP.fullmatch(app)), place + "/app",
           "1 to 32 of a-z, 0-9 and -")
    expect(isinstance(watch, bool), place + "/watch", "true or false")
    if not watch and "match" not in entry and "name" not in entry:
        return Rule(app, app, (), watch=False)
    name = entry.get("name")
    expect(isinstance(name, str) and 0 < len(name) <= 64, place + "/name", "1 to 64 characters")
    times = {member: duration(entry[member], f"{place}/{member}")
             for member in ("begin_ms", "end_ms") if member in entry}
    return Rule(app, name, match(entry.get("match"), place + "/match"),
                unless(entry.get("unless", []), place + "/unless"), watch=watch, **times)


def match(conditions: Any, place: str) -> Tuple[Condition, ...]:
    expect(isinstance(conditions, list) and bool(conditions), place, "a list of conditions")
    found: List[Condition] = []
    for number, condition in enumerate(conditions):
        expect(isinstance(condition, dict) and bool(condition)
               and set(condition) <= set(PROPERTIES), f"{place}/{number}",
               "an object of " + ", ".join(PROPERTIES))
        found.append({word: values(value, f"{place}/{number}/{word}")
                      for word, value in condition.items()})
    return tuple(found)


def values(value: Any, place: str) -> Tuple[str, ...]:
    several = value if isinstance(value, list) else [value]
    expect(bool(several) and all(isinstance(each, str) and each for each in several), place,
           "a text, or a list of texts")
    return tuple(several)


def unless(providers: Any, place: str) -> Tuple[str, ...]:
    expect(isinstance(providers, list) and all(
        isinstance(each, str) and IDENTITY.fullmatch(each) for each in providers), place,
        "a list of the identities of providers")
    return tuple(providers)


def duration(value: Any, place: str) -> int:
    expect(type(value) is int and 0 <= value <= LONGEST_MS, place,
           f"0 to {LONGEST_MS:,} milliseconds")
    return int(value)


def expect(is_right: bool, place: str, expected: str) -> None:
    if not is_right:
        raise WrongRules(f"{place or '/'}: expected {expected}")


def together(packaged: Sequence[Rule], own: Sequence[Rule], ignored: Sequence[str]) -> List[Rule]:
    """The user's rules first: of two for one app the first counts."""
    rules: Dict[str, Rule] = {}
    for each in [*own, *packaged]:
        rules.setdefault(each.app, each)
    return [each for each in rules.values() if each.app not in ignored]
