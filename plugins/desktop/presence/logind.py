"""What logind knows of the session, and the lock that keeps the host awake during calls."""
from __future__ import annotations

import asyncio
import logging
import os
from typing import Any, Callable, List, Optional

from dbus_fast import BusType, Message, MessageType
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError, InvalidAddressError

from current import WITH_CALLS, Current

log = logging.getLogger("presence")

LOGIND, MANAGER, SESSION = (
    "org.freedesktop.login1", "org.freedesktop.login1.Manager", "org.freedesktop.login1.Session")
PROPERTIES, BUS = "org.freedesktop.DBus.Properties", "org.freedesktop.DBus"
# The session of the caller; of a service of the user, the one with the user's screen.
AUTO = "/org/freedesktop/login1/session/auto"
RULES = (f"type='signal',sender='{LOGIND}',interface='{PROPERTIES}',member='PropertiesChanged'",
         f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{LOGIND}'")
REPLY_SECONDS = 5.0
RETRY_SECONDS = 5.0


class NoLogind(Exception):
    """There is no bus, no logind, or it refuses; the text says which."""


class Logind:
    """A connection to the system's bus, which is opened again when it is lost.

    Args:
        changed: called when the session becomes active or inactive. Where nobody knows, it is
            active.
    """

    def __init__(self, changed: Callable[[bool], None]) -> None:
        self.is_active = True
        self._changed = changed
        self._bus: Optional[MessageBus] = None
        self._told = asyncio.Event()
        self._ready = asyncio.Event()
        self._lock: Optional[int] = None
        self._said = ""

    async def follow_session(self) -> None:
        """For ever."""
        while True:
            try:
                bus = await self._open()
                await self._follow(bus)
                self._say("the system's bus is gone")
            except NoLogind as problem:
                self._say(f"logind is not followed: {problem}")
            finally:
                self._close()
            self._set_active(True)
            await asyncio.sleep(RETRY_SECONDS)

    async def keep_awake(self, current: Current) -> None:
        """Holds the lock while there are calls."""
        try:
            async for presence in current.changes():
                if presence is not None and presence.state in WITH_CALLS:
                    await self._ready.wait()
                    await self._take_lock()
                else:
                    self._drop_lock()
        finally:
            self._drop_lock()

    # -- The session

    async def _open(self) -> MessageBus:
        try:
            bus = MessageBus(bus_type=BusType.SYSTEM, negotiate_unix_fd=True)
            self._bus = await asyncio.wait_for(bus.connect(), REPLY_SECONDS)
        except (OSError, EOFError, ValueError, AuthError, InvalidAddressError,
                asyncio.TimeoutError) as error:
            raise NoLogind(f"no system bus ({error})") from None
        bus.add_message_handler(self._receive)
        for rule in RULES:
            await self._call(bus, BUS, "/org/freedesktop/DBus", BUS, "AddMatch", "s", [rule])
        return bus

    async def _follow(self, bus: MessageBus) -> None:
        gone = asyncio.ensure_future(bus.wait_for_disconnect())
        while not gone.done():
            self._told.clear()
            self._set_active(await self._ask_active(bus))
            self._ready.set()
            told = asyncio.ensure_future(self._told.wait())
            await asyncio.wait({gone, told}, return_when=asyncio.FIRST_COMPLETED)
            told.cancel()
        gone.exception()

    async def _ask_active(self, bus: MessageBus) -> bool:
        try:
            reply = await self._call(bus, LOGIND, AUTO, PROPERTIES, "Get", "ss",
                                     [SESSION, "Active"])
            self._said = ""
            return bool(reply.body[0].value)
        except NoLogind as problem:             # such as a user without a session
            self._say(f"logind knows no session: {problem}")
            return True

    def _receive(self, message: Message) -> None:
        if message.member == "NameOwnerChanged" or (
                message.member == "PropertiesChanged" and message.body[:1] == [SESSION]):
            self._told.set()

    def _set_active(self, is_active: bool) -> None:
        if is_active != self.is_active:
            self.is_active = is_active
            log.info("the session is %s", "active" if is_active else "not active")
            self._changed(is_active)

    def _close(self) -> None:
        bus, self._bus = self._bus, None
        self._ready.clear()
        if bus is not None and bus.connected:
            bus.disconnect()

    # -- The lock

    async def _take_lock(self) -> None:
        """Against sleep and idleness; against idleness only, where logind refuses more."""
        for what in ("sleep:idle", "idle"):
            if self._lock is None and self._bus is not None:
                try:
                    self._lock = await self._inhibit(self._bus, what)
                    log.info("logind keeps the host from %s", what.replace(":", " and "))
                except NoLogind as problem:
                    log.warning("logind does not keep the host from %s: %s",
                                what.replace(":", " and "), problem)

    async def _inhibit(self, bus: MessageBus, what: str) -> int:
        reply = await self._call(bus, LOGIND, "/org/freedesktop/login1", MANAGER, "Inhibit", "ssss",
                                 [what, "CallBroker", "There is a call", "block"])
        if not reply.unix_fds:
            raise NoLogind("the reply has no lock")
        return int(reply.unix_fds[0])

    def _drop_lock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
            log.info("logind may let the host sleep")

    async def _call(self, bus: MessageBus, name: str, path: str, interface: str, member: str,
                    signature: str, body: List[Any]) -> Message:
        message = Message(destination=name, path=path, interface=interface, member=member,
                          signature=signature, body=body)
        try:
            reply = await asyncio.wait_for(bus.call(message), REPLY_SECONDS)
        except (OSError, EOFError, asyncio.TimeoutError) as error:
            raise NoLogind(str(error) or "no reply in time") from None
        if reply is None or reply.message_type is MessageType.ERROR:
            raise NoLogind(reply.error_name if reply else "no reply")
        return reply

    def _say(self, text: str) -> None:
        if text != self._said:
            log.info("%s", text)
        self._said = text
