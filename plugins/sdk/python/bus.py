"""A connection to a message bus: calls, signals, and the objects that this program has there."""
from __future__ import annotations

import asyncio
import logging
import os
from typing import Any, Callable, Dict, List, Optional, Set, Tuple

from jeepney import (DBusAddress, DBusErrorResponse, HeaderFields, MatchRule, Message, MessageType,
                     message_bus, new_error, new_method_call)
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

log = logging.getLogger("bus")

REPLY_SECONDS = 5.0
UNKNOWN_OBJECT = "org.freedesktop.DBus.Error.UnknownObject"

Receive = Callable[[Message], None]
Address = Callable[[], str]


class NoBus(Exception):
    """The bus, or the program that was called there, is missing; the text says which."""


class Bus:
    """One connection, opened when it is first needed, and again after it was lost.

    Args:
        address: of the bus, for jeepney; `ValueError` where there is none.
    """

    def __init__(self, address: Address) -> None:
        self._address = address
        self._connection: Optional[DBusConnection] = None
        self._reading: Optional[asyncio.Task[None]] = None
        self._replies: Dict[int, asyncio.Future[Message]] = {}
        self._opening = asyncio.Lock()
        self._rules: List[MatchRule] = []
        self._receivers: List[Receive] = []
        self._objects: Dict[str, Receive] = {}  # by path
        self._losses: List[Callable[[], None]] = []
        self._sending: Set[asyncio.Future[None]] = set()

    def listen(self, rules: List[MatchRule], receive: Receive, lost: Callable[[], None]) -> None:
        """From the opening on, `receive` has the signals; `lost` is called when the bus is gone."""
        self._rules += rules
        self._receivers.append(receive)
        self._losses.append(lost)

    def offer(self, path: str, receive: Receive) -> None:
        """An object that others can call; `receive` answers each call with `send`."""
        self._objects[path] = receive

    @property
    def unique_name(self) -> Optional[str]:
        """The name that the bus has given to this program; None while it is not open."""
        return self._connection.unique_name if self._connection is not None else None

    async def open(self) -> None:
        """Does nothing if it is open. `NoBus` if it cannot be."""
        async with self._opening:
            if self._connection is not None:
                return
            try:
                self._connection = await open_dbus_connection(self._address())
            except (OSError, EOFError, ValueError, RuntimeError, asyncio.TimeoutError) as error:
                raise NoBus(f"no message bus ({error})") from None
            self._reading = asyncio.ensure_future(self._read(self._connection))
            for rule in self._rules:
                await self.ask(message_bus.AddMatch(rule))

    async def call(self, address: DBusAddress, method: str, signature: str = "",
                   body: Tuple[Any, ...] = ()) -> Any:
        """The values of the reply. `NoBus` if there is none, or an error."""
        return await self.ask(new_method_call(address, method, signature or None, body))

    async def ask(self, message: Message) -> Any:
        if self._connection is None:
            raise NoBus("the bus is gone")
        serial = next(self._connection.outgoing_serial)
        reply = self._replies[serial] = asyncio.get_running_loop().create_future()
        try:
            await self._connection.send(message, serial=serial)
            answer = await asyncio.wait_for(reply, REPLY_SECONDS)
        except asyncio.TimeoutError:
            raise NoBus("it does not answer") from None
        except OSError as error:
            raise NoBus(f"the bus is gone ({error})") from None
        finally:
            self._replies.pop(serial, None)
        if answer.header.message_type is MessageType.error:
            raise NoBus(DBusErrorResponse(answer).name)
        return answer.body

    async def send(self, message: Message) -> None:
        """A reply or a signal. Without a bus it is dropped: the bus is opened again when needed."""
        if self._connection is not None:
            try:
                await self._connection.send(message)
            except OSError as error:
                log.info("not sent: the bus is gone (%s)", error)

    async def leave(self) -> None:
        """Says goodbye to the bus."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})

    async def _read(self, connection: DBusConnection) -> None:
        try:
            while True:
                self._receive(await connection.receive())
        except (OSError, EOFError) as error:
            log.info("the bus is gone: %s", error)
        finally:
            self._connection = None
            for reply in self._replies.values():
                if not reply.done():
                    reply.set_exception(NoBus("the bus is gone"))
            connection.writer.close()
            for lost in self._losses:
                lost()

    def _receive(self, message: Message) -> None:
        fields, kind = message.header.fields, message.header.message_type
        reply = self._replies.get(fields.get(HeaderFields.reply_serial, 0))
        if reply is not None:
            if not reply.done():
                reply.set_result(message)
        elif kind is MessageType.signal:
            for receive in self._receivers:
                receive(message)
        elif kind is MessageType.method_call:
            self._objects.get(fields.get(HeaderFields.path, ""), self._refuse)(message)

    def _refuse(self, message: Message) -> None:
        """Whoever calls an object that is not there is not to wait for it."""
        sending = asyncio.ensure_future(self.send(new_error(message, UNKNOWN_OBJECT)))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)


def session_bus() -> str:
    """Where it listens, for jeepney. `ValueError` where there is none."""
    if os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return "SESSION"
    path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", ""), "bus")
    if os.path.isabs(path) and os.path.exists(path):
        return "unix:path=" + path
    raise ValueError("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR leads to one")


def owner_rule(name: str) -> MatchRule:
    """Tells when the program of a name comes and goes."""
    rule = MatchRule(type="signal", sender="org.freedesktop.DBus",
                     interface="org.freedesktop.DBus", member="NameOwnerChanged")
    rule.add_arg_condition(0, name)
    return rule
