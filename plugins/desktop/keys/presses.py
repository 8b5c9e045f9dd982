"""What a press of a key is for, whichever way it comes, and that none is acted on twice."""
from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Callable, Dict, Mapping, Optional, Set

import calls
from callbroker import BrokerError, Controller, Disconnected, Observer
from calls import RINGING, Situation

log = logging.getLogger("keys")

SHORT, LONG = "short", "long"                   # of the one button of rule 38
END = "end"                                     # decline or hang up, whatever else there is
HOLD = "hold"                                   # hold, resume or swap
MUTE, MUTED, UNMUTED = "mute", "muted", "unmuted"   # the other way round; and as a switch stands
SILENCE = "silence"
PRESSES = (SHORT, LONG, END, HOLD, MUTE, MUTED, UNMUTED, SILENCE)
"""Everything that a key may be for, each of which a test presses."""

# A headset reaches this program over several ways (hidraw, and the keys that the kernel makes of it),
# and a key that is held down repeats itself: one press. Nobody means the second of two in that time.
REPEAT_SECONDS = 0.75
# A key that stops music as somebody calls is not meant for the call.
SETTLING_SECONDS = 1.0


class User(Controller, Observer):
    """The connection to the broker. `changed` is called when it is opened and when it is lost."""

    roles = ("controller", "observer")
    changed: Callable[[], None] = staticmethod(lambda: None)
    is_open = False

    @property
    def situation(self) -> Situation:
        """The calls as the broker has them; none while it is not there."""
        return calls.situation(self.calls.values() if self.is_open else ())

    async def _opened(self) -> None:
        await super()._opened()
        self.is_open = True
        self.changed()

    def _lost(self) -> None:
        super()._lost()
        self.is_open = False
        self.changed()


class Presses:
    """Asks the broker for what keys are pressed for."""

    def __init__(self, user: User, settling: float = SETTLING_SECONDS,
                 repeat: float = REPEAT_SECONDS,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._user, self._clock = user, clock
        self._settling, self._repeat = settling, repeat
        self._situation = Situation()
        self._rings_since = 0.0
        self._nothing: Callable[[], None] = lambda: None
        self._last: Dict[str, float] = {}       # by press, the time of the latest, acted on or not
        self._in_flight: Set[str] = set()
        self._tasks: Set[asyncio.Task[None]] = set()

    def on_nothing(self, call: Callable[[], None]) -> None:
        """From now on that is called when nothing comes of a press."""
        self._nothing = call

    def show(self, situation: Situation) -> None:
        """From now on the calls are these."""
        if situation.word == RINGING and self._situation.word != RINGING:
            self._rings_since = self._clock()
        self._situation = situation

    def press(self, press: str, may_be_for_music: bool = False) -> bool:
        """Acts on a press, or drops it; whether it is acted on. `may_be_for_music` is for keys
        that do something else as long as there is no call."""
        reason = self._reason_to_drop(press, may_be_for_music)
        if press not in (MUTED, UNMUTED):
            self._last[press] = self._clock()
        if reason:
            log.info("%s: dropped, %s", press, reason)
            return False
        log.info("%s", press)
        self._in_flight.add(press)
        task = asyncio.ensure_future(self._perform(press))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    def _reason_to_drop(self, press: str, may_be_for_music: bool) -> str:
        now, situation = self._clock(), self._situation
        if not self._user.is_open:              # or it would be acted on when the broker is back
            return "there is no broker"
        if press in (MUTED, UNMUTED):
            return "it is so" if situation.is_muted == (press == MUTED) else ""
        if press in self._in_flight:
            return "the same is under way"
        if press in self._last and now - self._last[press] < self._repeat:
            return "the key repeats itself"
        if press in (SHORT, HOLD) and situation.is_busy and not situation.at_the_door:
            return "an app does what was pressed before"
        is_new = situation.word == RINGING and now - self._rings_since < self._settling
        return "the call has just come" if may_be_for_music and is_new else ""

    async def _perform(self, press: str) -> None:
        reply = None
        try:
            reply = await self._request(press)
        except (BrokerError, Disconnected) as error:
            log.info("%s: not done: %s", press, getattr(error, "reason", "no broker"))
        finally:
            self._in_flight.discard(press)
        if not (reply or {}).get("actions"):
            self._nothing()

    async def _request(self, press: str) -> Optional[Mapping[str, Any]]:
        """The reply of the broker; None if there is nothing to ask for."""
        user, now = self._user, self._situation
        if press in (SHORT, LONG):
            return await user.press_button(press)
        if press == END:
            return await self._end(now)
        if press == HOLD:
            return await self._hold(now)
        if press == SILENCE:
            return await user.silence(now.at_the_door["call"]) if now.at_the_door else None
        if now.spoken is None:
            return None
        wanted = not now.is_muted if press == MUTE else press == MUTED
        return await user.set_muted(now.spoken["call"], wanted)

    async def _end(self, now: Situation) -> Optional[Mapping[str, Any]]:
        if now.spoken and not now.at_the_door:
            return await self._user.end(now.spoken["call"], group=True)
        ending = now.at_the_door or now.answering
        return await self._user.end(ending["call"]) if ending else None

    async def _hold(self, now: Situation) -> Optional[Mapping[str, Any]]:
        if now.at_the_door:
            return await self._user.press_button(SHORT)     # holds the live one for it
        if now.live and now.held:
            return await self._user.swap()
        if now.spoken:
            return await self._user.set_held(now.spoken["call"], now.live is not None)
        return None

