"""What waits for one hook: a bounded number of events, performed one after another."""
from __future__ import annotations

import asyncio
import collections
import logging
from typing import Awaitable, Callable, Deque, Optional

from happenings import Happening

log = logging.getLogger("hooks")

Perform = Callable[[Happening], Awaitable[None]]


class HookQueue:
    """For one hook. When it is full the oldest event is dropped, because the newest says how things
    are.

    Args:
        name: of the hook, for the log.
        limit: of the events that wait.
        perform: handles one event, in bounded time.
    """

    def __init__(self, name: str, limit: int, perform: Perform) -> None:
        self._name, self._limit, self._perform = name, max(limit, 1), perform
        self._waiting: Deque[Happening] = collections.deque()
        self._task: Optional[asyncio.Task[None]] = None
        self._dropped = 0

    @property
    def is_idle(self) -> bool:
        return self._task is None or self._task.done()

    def add(self, happening: Happening) -> None:
        if len(self._waiting) >= self._limit:
            self._waiting.popleft()
            self._dropped += 1
            if self._dropped == 1:
                log.warning("%s is slow: more than %d events wait, the oldest are dropped",
                            self._name, self._limit)
        self._waiting.append(happening)
        if self.is_idle:
            self._task = asyncio.ensure_future(self._work())

    async def _work(self) -> None:
        while self._waiting:
            try:
                await self._perform(self._waiting.popleft())
            except Exception:                   # the next event may go better
                log.exception("%s failed", self._name)
        if self._dropped:
            log.warning("%s has missed %d events", self._name, self._dropped)
            self._dropped = 0

    async def leave(self) -> None:
        """Ends what is going on; what waits is forgotten."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
