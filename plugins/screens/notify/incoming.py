"""Keeps the window of the calls that ring in step with them."""
from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Awaitable, Callable, Dict, List, Optional

from bus import Bus
from callbroker import Event, JSON
from callbroker_messages import text
from cards import Card
from lock import Lock

log = logging.getLogger("callbroker_notify")

PROGRAM = Path(__file__).resolve().parent / "window.py"
NOTHING, CALL, CALLER = "nothing", "call", "caller"     # what a locked screen may show
CLOSE = "close"

Press = Callable[[str, str], Awaitable[None]]
Cards = Callable[[], Dict[str, Card]]


def anonymous(card: Card) -> Card:
    """That somebody calls, and nothing of who."""
    return Card(text("screen.incoming"), "", card.actions)


def shown(ringing: Dict[str, Card], is_locked: bool, when_locked: str) -> Optional[JSON]:
    """What the window is to show; None if there is to be none. An unknown word is the strictest."""
    if is_locked and when_locked != CALLER:
        is_told = when_locked == CALL
        ringing = {id: anonymous(card) for id, card in ringing.items() if is_told}
    calls = [{"call": id, "name": card.summary, "body": card.body, "buttons": card.actions}
             for id, card in ringing.items()]
    title = " · ".join(card.summary for card in ringing.values())
    wanted = {"direction": text("screen.direction"), "title": title, "calls": calls}
    return wanted if calls else None


class IncomingWindow:
    """Runs the program while somebody calls.

    Args:
        ringing: the cards of the calls that the user has still to decide about.
        press: presses a button of a call.
        send_away: silences a call, which is shown no longer.
    """

    def __init__(self, session: Bus, system: Bus, ringing: Cards, press: Press,
                 send_away: Callable[[str], Awaitable[None]],
                 when_locked: Callable[[], str]) -> None:
        self._ringing, self._press, self._send_away = ringing, press, send_away
        self._when_locked = when_locked
        self._lock = Lock(session, system, self.update)
        self._wanted: Optional[JSON] = None
        self._changed = asyncio.Event()
        self._running: Optional[asyncio.Task[None]] = None
        self._presses: List[asyncio.Future[None]] = []

    async def happened(self, event: Event) -> None:
        """The calls are enough."""

    def update(self) -> None:
        wanted = shown(self._ringing(), self._lock.is_locked, self._when_locked())
        if wanted == self._wanted:
            return
        is_first, self._wanted = self._wanted is None, wanted
        self._changed.set()
        if is_first and (self._running is None or self._running.done()):
            self._running = asyncio.ensure_future(self._run())

    async def _run(self) -> None:
        """A program that fails is not started again for these calls: they are notifications, too."""
        while self._wanted is not None:
            await self._lock.ask()              # before a name is shown
            if self._wanted is not None and not await self._show():
                return

    async def _show(self) -> bool:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(PROGRAM), stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE)
        reading = asyncio.ensure_future(self._read(process))
        writing = asyncio.ensure_future(self._write(process))
        await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        writing.cancel()
        if process.stdin is not None:
            process.stdin.close()
        status = await process.wait()
        await reading
        if status != 0:
            log.warning("the window has ended with status %d", status)
        return status == 0

    async def _write(self, process: asyncio.subprocess.Process) -> None:
        while self._wanted is not None and process.stdin is not None:
            self._changed.clear()
            process.stdin.write(json.dumps(self._wanted).encode() + b"\n")
            await self._changed.wait()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        while process.stdout is not None and (line := await process.stdout.readline()):
            pressed = json.loads(line)
            call, button = pressed["call"], pressed["button"]
            work = self._send_away(call) if button == CLOSE else self._press(call, button)
            self._presses = [each for each in self._presses if not each.done()]
            self._presses.append(asyncio.ensure_future(work))

    async def leave(self) -> None:
        """Takes the window away."""
        self._wanted = None
        self._changed.set()
        if self._running is not None:
            await asyncio.wait({self._running})
