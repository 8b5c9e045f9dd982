"""Whether the session is locked: as the screen saver says, or logind."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Callable, Optional

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, Properties

from bus import Bus, NoBus, owner_rule

log = logging.getLogger("lock")

SAVER = "org.freedesktop.ScreenSaver"
SAVERS = DBusAddress("/org/freedesktop/ScreenSaver", bus_name=SAVER, interface=SAVER)
LOGIND, SESSION = "org.freedesktop.login1", "org.freedesktop.login1.Session"
# The session of the caller, else the one with the user's screen.
SESSIONS = DBusAddress("/org/freedesktop/login1/session/auto", bus_name=LOGIND, interface=SESSION)


class Lock:
    """Calls `changed` when the answer may be another. Where nobody tells, nothing is locked."""

    def __init__(self, session: Bus, system: Bus, changed: Callable[[], None]) -> None:
        self._session, self._system, self._changed = session, system, changed
        self._is_active = self._is_hinted = False
        self._asking: Optional[asyncio.Task[None]] = None
        session.listen([MatchRule(type="signal", interface=SAVER, member="ActiveChanged"),
                        owner_rule(SAVER)], self._receive, self._lost)
        system.listen([MatchRule(type="signal", sender=LOGIND, member="PropertiesChanged",
                                 interface="org.freedesktop.DBus.Properties")],
                      self._receive, self._lost)

    @property
    def is_locked(self) -> bool:
        return self._is_active or self._is_hinted

    async def ask(self) -> None:
        """Asks both."""
        before = self.is_locked
        self._is_active = await self._answer(self._session, self._saver)
        self._is_hinted = await self._answer(self._system, self._logind)
        if self.is_locked != before:
            self._changed()

    async def _answer(self, bus: Bus, question: Callable[[], Any]) -> bool:
        try:
            await bus.open()
            return bool(await question())
        except NoBus as problem:
            log.info("nobody tells whether the session is locked: %s", problem)
            return False

    async def _saver(self) -> bool:
        (is_active,) = await self._session.call(SAVERS, "GetActive")
        return bool(is_active)

    async def _logind(self) -> bool:
        ((_, is_locked),) = await self._system.ask(Properties(SESSIONS).get("LockedHint"))
        return bool(is_locked)

    def _receive(self, message: Message) -> None:
        member, body = message.header.fields.get(HeaderFields.member), message.body
        is_of_session = member == "PropertiesChanged" and body[0] == SESSION
        is_of_saver = member == "NameOwnerChanged" and body[0] == SAVER
        if member == "ActiveChanged" or is_of_saver or is_of_session:
            self._asking = asyncio.ensure_future(self.ask())

    def _lost(self) -> None:
        pass                                    # what was said last stays true until somebody tells
