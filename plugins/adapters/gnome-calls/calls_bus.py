"""GNOME Calls on the session bus: its calls as objects."""
from __future__ import annotations

import asyncio
import contextlib
from typing import Any, Callable, Dict, List, Optional

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError

NAME, ROOT, CALL = "org.gnome.Calls", "/org/gnome/Calls", "org.gnome.Calls.Call"
MANAGER, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
ANSWER_SECONDS = 10.0                           # then it counts as gone

Properties = Dict[str, Any]
Changed = Callable[[str, Optional[Properties]], None]   # the path of a call; None: it is gone


class Refused(Exception):
    """GNOME Calls, or the bus, said no, and why."""


def plain(value: Any) -> Any:
    """Without the types of D-Bus."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


class CallsBus:
    """One connection to one life of GNOME Calls. `lost` is done when that, or the bus, is gone."""

    def __init__(self, changed: Changed) -> None:
        self._changed = changed
        self._bus: Optional[MessageBus] = None
        self.life = ""                          # another one each time it starts
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self) -> Dict[str, Properties]:
        """Connects; the calls by their paths. OSError or Refused while it does not run: it is not
        started for this."""
        try:
            self._bus = await MessageBus(bus_type=BusType.SESSION).connect()
        except (DBusError, ValueError, EOFError) as error:
            raise ConnectionError(str(error)) from None
        self._bus.add_message_handler(self._receive)
        self._watching = asyncio.ensure_future(self._watch(self._bus))
        for rule in (f"type='signal',sender='{NAME}',path_namespace='{ROOT}'",
                     "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
                     f"arg0='{NAME}'"):
            await self._call("org.freedesktop.DBus", "/org/freedesktop/DBus",
                             "org.freedesktop.DBus", "AddMatch", "s", rule)
        (self.life,) = await self._call("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                        "org.freedesktop.DBus", "GetNameOwner", "s", NAME)
        (found,) = await self._call(NAME, ROOT, MANAGER, "GetManagedObjects")
        return {path: each[CALL] for path, each in found.items() if CALL in each}

    def close(self) -> None:
        """Leaves it to itself."""
        if self._bus is not None and self._bus.connected:
            self._bus.disconnect()
        self._lose()

    def _lose(self) -> None:
        if not self.lost.done():
            self.lost.set_result(None)

    async def _watch(self, bus: MessageBus) -> None:
        with contextlib.suppress(Exception):    # whatever it was, it is over
            await bus.wait_for_disconnect()
        self._lose()

    async def call(self, path: str, member: str, signature: str = "", *values: Any) -> None:
        """A method of one call."""
        await self._call(NAME, path, CALL, member, signature, *values)

    async def _call(self, destination: str, path: str, interface: str, member: str,
                    signature: str = "", *values: Any) -> List[Any]:
        if self._bus is None or self.lost.done():
            raise ConnectionError("GNOME Calls is gone")
        reply = await asyncio.wait_for(self._bus.call(Message(
            destination=destination, path=path, interface=interface, member=member,
            signature=signature, body=list(values))), ANSWER_SECONDS)
        if reply is None or reply.message_type is MessageType.ERROR:
            raise Refused(str(reply.body[0]) if reply and reply.body else "no reason")
        return list(plain(reply.body))

    def _receive(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        values = plain(message.body)
        if message.member == "NameOwnerChanged" and values[0] == NAME:
            self._lose()
        elif message.member == "InterfacesAdded" and CALL in values[1]:
            self._changed(values[0], values[1][CALL])
        elif message.member == "InterfacesRemoved" and CALL in values[1]:
            self._changed(values[0], None)
        elif message.member == "PropertiesChanged" and values[0] == CALL:
            self._changed(str(message.path), values[1])
