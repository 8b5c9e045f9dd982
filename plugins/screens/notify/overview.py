"""Keeps the tray in step with all calls of the host, whichever screen presents them."""
from __future__ import annotations

import asyncio
import logging
from typing import Awaitable, Callable, Set, Tuple

import status
from bus import Bus
from callbroker import BrokerError, Disconnected, Event
from callbroker_messages import text
from display import Display
from tray import Tray

log = logging.getLogger("callbroker_notify")

Press = Callable[[str, str], Awaitable[None]]
Fail = Callable[[str, Exception], Awaitable[None]]


class Overview:
    """Does what the menu asks for.

    Args:
        press: presses a button of a call.
        fail: shows why something could not be done.
    """

    def __init__(self, screen: Display, bus: Bus, press: Press, fail: Fail) -> None:
        self._screen, self._press, self._fail = screen, press, fail
        self._tray = Tray(bus, self._pressed)
        self._missed, self._is_undisturbed = 0, False
        self._tasks: Set[asyncio.Future[None]] = set()

    async def happened(self, event: Event) -> None:
        topic, data = event["topic"], event.get("data", {})
        if topic == "snapshot":
            await self._learn()
        elif topic == "history.changed":
            self._missed = data["missed"]
        elif topic == "policy.changed":
            self._is_undisturbed = data["policy"]["do_not_disturb"]["on"]

    def update(self) -> None:
        if (self._screen.hello.get("options") or {}).get("tray", True):
            calls = list(self._screen.calls.values())
            self._tray.show(status.status(calls, self._missed, self._is_undisturbed))

    async def _learn(self) -> None:
        policy = (await self._screen.get_policy())["policy"]
        self._is_undisturbed = policy["do_not_disturb"]["on"]
        self._missed = (await self._screen.list_history(limit=1))["missed"]

    def _pressed(self, press: Tuple[str, ...]) -> None:
        task = asyncio.ensure_future(self._carry_out(press))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, press: Tuple[str, ...]) -> None:
        what, *rest = press
        if what == status.CALL:
            return await self._press(rest[0], rest[1])
        try:
            if what == status.SEEN:
                await self._screen.mark_history_seen()
            elif what == status.DO_NOT_DISTURB:
                await self._screen.set_policy(do_not_disturb={"on": not self._is_undisturbed})
        except (BrokerError, Disconnected) as error:
            await self._fail(text("screen.tray." + what), error)
