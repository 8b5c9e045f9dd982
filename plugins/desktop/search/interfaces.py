"""How GNOME Shell and KRunner search: the interfaces of D-Bus that each calls."""
from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

from results import Result, Search
from served import Interface, Variant
from tool import run

NAME = "org.callbroker.Search"
PATH = "/org/callbroker/Search"
GNOME, KRUNNER = "org.gnome.Shell.SearchProvider2", "org.kde.krunner1"
EXACT_MATCH = 100                               # KRunner's kind of a match that is what was meant


class Front:
    """Answers both. While the session is locked, nothing is found and nothing is done."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self.is_locked = True                   # until the session has said that it is not

    def interfaces(self) -> Tuple[Interface, Interface]:
        """The tables of both."""
        return (Interface(GNOME, {
            "GetInitialResultSet": ("as", "as", self._initial),
            "GetSubsearchResultSet": ("asas", "as", lambda former, terms: self._initial(terms)),
            "GetResultMetas": ("as", "aa{sv}", self._metas),
            "ActivateResult": ("sasu", "", lambda id, terms, time: self._choose(id)),
            "LaunchSearch": ("asu", "", lambda terms, time: self._launch()),
        }), Interface(KRUNNER, {
            "Match": ("s", "a(sssida{sv})", self._match),
            "Run": ("ss", "", lambda id, action: self._choose(id)),
            "Actions": ("", "a(sss)", lambda: ([],)),
        }))

    async def _find(self, words: str) -> List[Result]:
        found = [] if self.is_locked else await self._search.find(words)
        return [] if self.is_locked else found

    async def _initial(self, terms: Sequence[str]) -> Tuple[List[str]]:
        return ([each.id for each in await self._find(" ".join(terms))],)

    def _metas(self, ids: Sequence[str]) -> Tuple[List[Dict[str, Variant]]]:
        known = [] if self.is_locked else [self._search.known(id) for id in ids]
        return ([meta(each) for each in known if each is not None],)

    async def _choose(self, id: str) -> Tuple[()]:
        if not self.is_locked:
            await self._search.choose(id)
        return ()

    async def _launch(self) -> Tuple[()]:
        """The app behind the results: all calls, in a browser."""
        if not self.is_locked:
            await run("screen")
        return ()

    async def _match(self, query: str) -> Tuple[List[Tuple[Any, ...]]]:
        found = await self._find(query)
        return ([match(each, 1.0 - index / (len(found) + 1)) for index, each in enumerate(found)],)


def meta(result: Result) -> Dict[str, Variant]:
    """A result as GNOME Shell shows it."""
    return {"id": ("s", result.id), "name": ("s", result.name),
            "description": ("s", result.description), "gicon": ("s", result.icon)}


def match(result: Result, relevance: float) -> Tuple[Any, ...]:
    """A result as KRunner shows it."""
    return (result.id, result.name, result.icon, EXACT_MATCH, relevance,
            {"subtext": ("s", result.description)})
