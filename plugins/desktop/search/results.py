"""What a search finds: contacts, an address that was typed, and what a sentence asks for."""
from __future__ import annotations

import asyncio
import dataclasses
import logging
import re
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from apps import Apps
from callbroker import JSON, BrokerError, Controller, Disconnected, Observer
from remote_party import shown
from tool import run, sentence

log = logging.getLogger("search")

RESULTS = 10                                    # of a search
CONTACTS = 50                                   # that are looked at for them
KEPT = 200                                      # results of earlier searches that may be chosen
QUERY_LENGTH = 100                              # of letters: longer ones are no names
ANSWER_SECONDS = 1.0                            # of the broker, then there are no results
SENTENCE_SECONDS = 0.4                          # then the meaning is there for the next search
NUMBER = re.compile(r"\+?[0-9*#][0-9*# ()./-]+")
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):\S+", re.IGNORECASE)
ADDRESS = re.compile(r"[^\s@:]+@[^\s@:]+")
DO_NOT_DISTURB = "dnd"
OF_CALLS = ("answer", "decline", "end", "hold", "resume", "swap", "mute", "unmute", "silence")


@dataclasses.dataclass(frozen=True)
class Result:
    """Something that can be chosen: an address to call, or a command of `callbroker`."""

    id: str
    name: str
    description: str
    icon: str
    uri: str = ""
    has_video: bool = False
    command: Tuple[str, ...] = ()


def calling(name: str, uri: str, has_video: bool = False) -> Result:
    """The result that calls an address."""
    address = uri.partition(":")[2] if uri.startswith(("tel:", "mailto:")) else uri
    return Result(("video " if has_video else "call ") + uri, shown(name), shown(address),
                  "camera-video" if has_video else "call-start", uri, has_video)


class User(Controller, Observer):
    """The connection to the broker."""

    roles = ("controller", "observer")


class Search:
    """Searches with the rights of the user, and does what is chosen."""

    def __init__(self, user: User, apps: Apps) -> None:
        self._user, self._apps = user, apps
        self._kept: Dict[str, Result] = {}      # the newest last
        self._asking: Set[asyncio.Future[Tuple[str, ...]]] = set()

    async def find(self, words: str) -> List[Result]:
        """At once; nothing if the broker does not answer."""
        words = " ".join(words.split())
        if not 2 <= len(words) <= QUERY_LENGTH or not self._user.connected:
            return []
        try:
            found = await asyncio.wait_for(self._find(words), ANSWER_SECONDS)
        except (BrokerError, Disconnected, asyncio.TimeoutError) as problem:
            log.info("nothing found: %s", type(problem).__name__)
            return []
        found = list({each.id: each for each in found}.values())[:RESULTS]
        self._keep(found)
        return found

    def known(self, id: str) -> Optional[Result]:
        """A result of an earlier search."""
        return self._kept.get(id)

    async def choose(self, id: str) -> None:
        """Does what the result is for. Of what was never found nothing is done."""
        result = self._kept.get(id)
        if result is None:
            return
        try:
            if result.command:
                await run(*result.command)
            else:
                await self._user.dial(result.uri, has_video=result.has_video or None)
        except (BrokerError, Disconnected) as problem:
            log.info("not done: %s", type(problem).__name__)     # the screens show why

    def _keep(self, found: Sequence[Result]) -> None:
        for each in found:
            self._kept.pop(each.id, None)
            self._kept[each.id] = each
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]

    async def _find(self, words: str) -> List[Result]:
        command, contacts = await asyncio.gather(self._meaning(words), self._contacts(words))
        if command[:1] == ("dial",):
            who, has_video = command[-1], "--video" in command
            contacts += await self._contacts(who, has_video) + self._typed(who, has_video)
        return self._asked(words, command) + self._typed(words) + contacts

    async def _meaning(self, words: str) -> Tuple[str, ...]:
        asking = asyncio.ensure_future(sentence(words))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)
        await asyncio.wait({asking}, timeout=SENTENCE_SECONDS)
        return asking.result() if asking.done() else ()

    def _asked(self, words: str, command: Tuple[str, ...]) -> List[Result]:
        """What a sentence asks for that is about no person."""
        verb = command[0] if command else ""
        if verb != DO_NOT_DISTURB and not (verb in OF_CALLS and self._user.calls):
            return []
        return [Result("do " + " ".join(command), words, "CallBroker", "call-start",
                       command=command)]

    def _typed(self, words: str, has_video: bool = False) -> List[Result]:
        """The address that the words are, if there is an app for it."""
        schemes, kinds = self._apps.schemes, self._handle_types()
        scheme = SCHEME.fullmatch(words)
        if NUMBER.fullmatch(words) and sum(map(str.isdigit, words)) >= 3:
            uris = {"tel:" + re.sub(r"[ ()./-]", "", words): "tel" in schemes or "phone" in kinds}
        elif scheme is not None:
            uris = {words: scheme[1].lower() in schemes}
        elif ADDRESS.fullmatch(words):
            uris = {"sip:" + words: "sip" in schemes, "mailto:" + words: "email" in kinds}
        else:
            return []
        return [calling(words, uri, has_video) for uri, is_possible in uris.items() if is_possible]

    def _handle_types(self) -> List[str]:
        return [kind for app in self._apps.values() for kind in app.get("handle_types", [])]

    async def _contacts(self, words: str, has_video: bool = False) -> List[Result]:
        terms = words.casefold().split()
        listed = await self._listed(max(words.split(), key=len))
        found = [each for each in listed if is_meant(each, terms)]
        found.sort(key=lambda each: (not each["name"].casefold().startswith(terms[0]),
                                     not each.get("favorite", False)))
        return [calling(each["name"], uri, has_video) for each in found for uri in uris_of(each)]

    async def _listed(self, text: str) -> List[JSON]:
        """The contacts with that part of a name or number, page by page."""
        listed: List[JSON] = []
        after: JSON = {}
        while len(listed) < CONTACTS:
            page = await self._user.list_contacts(text=text, **after)
            listed += page["contacts"]
            if page.get("next") is None:
                break
            after = {"after": page["next"]}
        return listed


def is_meant(contact: JSON, terms: Sequence[str]) -> bool:
    """Whether each word is a part of the name, or all are one of its addresses."""
    name = contact["name"].casefold()
    whole = "".join(terms)
    return all(term in name for term in terms) \
        or any(whole in handle["value"].casefold() for handle in contact["handles"])


def uris_of(contact: JSON) -> List[str]:
    """The addresses of a contact that can be dialed."""
    prefixes: Dict[str, Any] = {"phone": "tel:", "email": "mailto:"}
    return [value if ":" in value else prefixes[kind] + value
            for kind, value in ((each["type"], each["value"]) for each in contact["handles"])
            if ":" in value or kind in prefixes]
