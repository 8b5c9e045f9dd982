"""The presence as it is now, for those who show it."""
from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import AsyncIterator, Optional

FREE, RINGING, IN_CALL, ON_HOLD = "free", "ringing", "in_call", "on_hold"
RINGING_IN_CALL, DO_NOT_DISTURB = "ringing_in_call", "do_not_disturb"
STATES = (FREE, RINGING, IN_CALL, ON_HOLD, RINGING_IN_CALL, DO_NOT_DISTURB)
# The user talks, or has somebody who waits.
IN_USE = frozenset((IN_CALL, ON_HOLD, RINGING_IN_CALL))
# There is a call.
WITH_CALLS = IN_USE | {RINGING}


@dataclass(frozen=True)
class Presence:
    """One word for all calls; since when, in milliseconds since 1970."""

    state: str
    since_ms: int


class Current:
    """The latest presence; None while the broker is gone. Each follower gets the latest one in its
    own time, so that a slow one delays nobody."""

    def __init__(self) -> None:
        self.presence: Optional[Presence] = None
        self._changed = asyncio.Event()

    def set(self, presence: Optional[Presence]) -> None:
        if presence == self.presence:
            return
        self.presence = presence
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def changes(self) -> AsyncIterator[Optional[Presence]]:
        """The present one, and then each that is current when it is asked for."""
        while True:
            changed, presence = self._changed, self.presence
            yield presence
            await changed.wait()

    async def wait_for_change(self, seen: Optional[Presence], seconds: float) -> None:
        """Returns when it is another one than what was seen, or after so long."""
        if self.presence != seen:
            return
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except asyncio.TimeoutError:
            pass
