"""The notifications of the desktop, over D-Bus (org.freedesktop.Notifications)."""
from __future__ import annotations

import asyncio
import html
import logging
import os
from typing import Any, Callable, Dict, Optional, Set, Tuple

from jeepney import (DBusAddress, DBusErrorResponse, HeaderFields, MatchRule, Message, MessageType,
                     message_bus, new_method_call)
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

from cards import Card

log = logging.getLogger("callbroker_notify")

SERVICE = "org.freedesktop.Notifications"
NOTIFICATIONS = DBusAddress("/org/freedesktop/Notifications", bus_name=SERVICE, interface=SERVICE)
REPLY_SECONDS = 5.0
NORMAL, CRITICAL = 1, 2
AS_THE_SERVER_LIKES, NEVER = -1, 0              # when a notification expires
DISMISSED = 2                                   # by the user, says the specification

Pressed = Callable[[int, str], None]
Closed = Callable[[int, bool], None]


class NoDesktop(Exception):
    """There is nobody to show notifications; the text says who is missing."""


class Desktop:
    """The notification server of this session, whoever that is at the moment.

    Args:
        pressed: called with a notification and what its button means.
        closed: called with a notification that is gone, and whether the user sent it away.
        restarted: called when another server has taken over, which shows nothing yet.
    """

    def __init__(self, pressed: Pressed, closed: Closed, restarted: Callable[[], None]) -> None:
        self._pressed, self._closed, self._restarted = pressed, closed, restarted
        self._bus: Optional[DBusConnection] = None
        self._reading: Optional[asyncio.Task[None]] = None
        self._replies: Dict[int, asyncio.Future[Message]] = {}
        self._opening = asyncio.Lock()
        self._owner = ""                        # the server's name of this life
        self._abilities: Set[str] = set()

    async def show(self, card: Card, instead_of: int = 0) -> int:
        """Shows it, and returns its number. `NoDesktop` when nobody can."""
        await self._open()
        can_press = "actions" in self._abilities
        buttons = [word for action in card.actions for word in action] if can_press else []
        body = html.escape(card.body, quote=False) if self._has_markup else card.body
        hints: Dict[str, Tuple[str, Any]] = {
            "urgency": ("y", CRITICAL if card.is_urgent else NORMAL),
            "category": ("s", card.category), "suppress-sound": ("b", True)}
        expires = NEVER if card.is_urgent else AS_THE_SERVER_LIKES
        (number,) = await self._call("Notify", "susssasa{sv}i", (
            "CallBroker", instead_of, card.icon, card.summary, body, buttons, hints, expires))
        return int(number)

    async def close(self, number: int) -> None:
        """Takes it away."""
        try:
            await self._call("CloseNotification", "u", (number,))
        except NoDesktop:
            pass                                # then it is gone

    async def leave(self) -> None:
        """Says goodbye to the bus."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})

    @property
    def _has_markup(self) -> bool:
        return "body-markup" in self._abilities

    # ---- The bus

    async def _open(self) -> None:
        async with self._opening:
            if self._bus is None:
                try:
                    self._bus = await open_dbus_connection(session_bus())
                except (OSError, EOFError, ValueError, RuntimeError, asyncio.TimeoutError) as error:
                    raise NoDesktop(f"no session bus ({error})") from None
                self._reading = asyncio.ensure_future(self._read(self._bus))
                for rule in (MatchRule(type="signal", interface=SERVICE), owner_rule()):
                    await self._ask(message_bus.AddMatch(rule))
            if not self._owner:
                abilities = await self._call("GetCapabilities")
                (self._owner,) = await self._ask(message_bus.GetNameOwner(SERVICE))
                self._abilities = set(abilities[0])

    async def _call(self, method: str, signature: str = "", body: Tuple[Any, ...] = ()) -> Any:
        return await self._ask(new_method_call(NOTIFICATIONS, method, signature or None, body))

    async def _ask(self, message: Message) -> Any:
        if self._bus is None:
            raise NoDesktop("the session bus is gone")
        serial = next(self._bus.outgoing_serial)
        reply = self._replies[serial] = asyncio.get_running_loop().create_future()
        try:
            await self._bus.send(message, serial=serial)
            answer = await asyncio.wait_for(reply, REPLY_SECONDS)
        except asyncio.TimeoutError:
            raise NoDesktop("the notification server does not answer") from None
        except OSError as error:
            raise NoDesktop(f"the session bus is gone ({error})") from None
        finally:
            self._replies.pop(serial, None)
        if answer.header.message_type is MessageType.error:
            raise NoDesktop(f"no notification server ({DBusErrorResponse(answer).name})")
        return answer.body

    async def _read(self, bus: DBusConnection) -> None:
        try:
            while True:
                self._receive(await bus.receive())
        except (OSError, EOFError) as error:
            log.info("the session bus is gone: %s", error)
        finally:
            self._bus, self._owner = None, ""
            for reply in self._replies.values():
                if not reply.done():
                    reply.set_exception(NoDesktop("the session bus is gone"))
            bus.writer.close()

    def _receive(self, message: Message) -> None:
        fields = message.header.fields
        reply = self._replies.get(fields.get(HeaderFields.reply_serial, 0))
        if reply is not None:
            if not reply.done():
                reply.set_result(message)
            return
        if message.header.message_type is not MessageType.signal:
            return
        member, sender = fields.get(HeaderFields.member), fields.get(HeaderFields.sender)
        if member == "NameOwnerChanged" and message.body[0] == SERVICE:
            self._owner = ""
            if message.body[2]:
                self._restarted()
        elif sender == self._owner and member == "ActionInvoked":
            self._pressed(*message.body)
        elif sender == self._owner and member == "NotificationClosed":
            self._closed(message.body[0], message.body[1] == DISMISSED)


def session_bus() -> str:
    """Where it listens, for jeepney. `ValueError` where there is none."""
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return "SESSION"
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), "bus")
    if os.path.isabs(path) and os.path.exists(path):
        return "unix:path=" + path
    raise ValueError("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR leads to one")


def owner_rule() -> MatchRule:
    """Tells when the server comes and goes."""
    rule = MatchRule(type="signal", sender="org.freedesktop.DBus",
                     interface="org.freedesktop.DBus", member="NameOwnerChanged")
    rule.add_arg_condition(0, SERVICE)
    return rule
