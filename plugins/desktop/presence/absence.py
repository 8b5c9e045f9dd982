"""Another user's session is in front: this one neither rings nor has the microphone."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Awaitable, Dict, List, Set

from callbroker import BrokerError, Disconnected

log = logging.getLogger("presence")

RINGING = frozenset(("ringing", "waiting"))
# On the way to the microphone when the user left.
LIVE = frozenset(("starting", "dialing", "alerting", "connecting", "active"))
EMERGENCIES = frozenset(("emergency", "emergency_callback"))


class Absence:
    """While the session is not active, calls that ring are silenced, and those that talked when it
    ended are held; when it is active again, what was held here is resumed. What the user does with
    a call elsewhere meanwhile is never undone: each call is asked for once.

    Args:
        watch: the broker's calls, and the requests.
    """

    def __init__(self, watch: Any) -> None:
        self._watch = watch
        self._is_away = False
        self._leaving: Set[str] = set()         # live when the session became inactive
        self._silenced: Set[str] = set()
        self._held: List[str] = []              # by this program
        self._tasks: Set[asyncio.Task[None]] = set()

    def set_active(self, is_active: bool) -> None:
        self._is_away = not is_active
        if self._is_away:
            self._leaving = {call for call, known in self._watch.calls.items()
                             if known.get("state") in LIVE}
            self.look()
        else:
            self._leaving.clear()
            self._silenced.clear()
            self._spawn(self._resume())

    def look(self) -> None:
        """Requests what is to be done about the calls as they are now."""
        if not self._is_away:
            return
        for call, known in self._watch.calls.items():
            if known.get("priority") in EMERGENCIES:
                continue
            if known.get("state") in RINGING and call not in self._silenced:
                self._silenced.add(call)
                if not known.get("silenced"):
                    self._spawn(self._try(self._watch.silence(call), "silenced"))
            elif known.get("state") == "active" and call in self._leaving:
                self._leaving.discard(call)
                self._spawn(self._hold(call))

    async def _hold(self, call: str) -> None:
        if await self._try(self._watch.set_held(call, True, wait="completed"), "held"):
            self._held.append(call)
            if not self._is_away:               # the user is back already
                await self._resume()

    async def _resume(self) -> None:
        """Members of a group are held and resumed together; another call that talks meanwhile is
        left alone, and the held one can be resumed by hand."""
        held, self._held = self._held, []
        for call in held:
            states = {known.get("state") for known in self._watch.calls.values()}
            if self._watch.calls.get(call, {}).get("state") == "held" and not states & LIVE:
                await self._try(self._watch.set_held(call, False, wait="completed"), "resumed")

    async def _try(self, reply: Awaitable[Dict[str, Any]], done: str) -> bool:
        try:
            await reply
        except (BrokerError, Disconnected) as error:
            log.warning("a call could not be %s: %s", done,
                        getattr(error, "reason", "") or "the broker is away")
            return False
        log.info("a call was %s", done)
        return True

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
