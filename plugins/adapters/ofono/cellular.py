"""ofono over D-Bus: its calls as plain values, its signals in the order of their coming."""
from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, List, Optional, Tuple

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError

OFONO = "org.ofono"
ANSWER_SECONDS = 30.0                           # a modem may take its time; then it is gone

Properties = Dict[str, Any]
Signal = Callable[[str, str, List[Any]], None]  # path, interface and member, values


class Refused(Exception):
    """ofono, or the bus, said no, and why; `name` is the last word of the error's."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"{name}: {why}")
        self.name = name


def plain(value: Any) -> Any:
    """Without the types of D-Bus."""
    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


class Ofono:
    """One connection to the bus. `lost` is done when ofono, or the bus, is gone."""

    def __init__(self, on_signal: Signal) -> None:
        self._on_signal = on_signal
        self._bus: Optional[MessageBus] = None
        self.life = ""                          # another one each time ofono starts
        self.modem = ""
        self.changed = asyncio.Event()          # something about the modems
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self, address: Optional[str]) -> None:
        """Connects. Raises OSError or Refused while there is no bus, or no ofono on it."""
        bus = MessageBus(bus_address=address, bus_type=BusType.SYSTEM)
        try:
            self._bus = await bus.connect()
        except (DBusError, ValueError, EOFError) as error:
            raise ConnectionError(str(error)) from None
        self._bus.add_message_handler(self._receive)
        self._watching = asyncio.ensure_future(self._watch(self._bus))
        for rule in ("type='signal',sender='org.ofono'",
                     "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
                     "arg0='org.ofono'"):
            await self._call("org.freedesktop.DBus", "/org/freedesktop/DBus",
                             "org.freedesktop.DBus", "AddMatch", "s", rule)
        (self.life,) = await self._call("org.freedesktop.DBus", "/org/freedesktop/DBus",
                                        "org.freedesktop.DBus", "GetNameOwner", "s", OFONO)

    def close(self) -> None:
        """Leaves ofono to itself."""
        if self._bus is not None and self._bus.connected:
            self._bus.disconnect()
        self._lose()

    def _lose(self) -> None:
        self.changed.set()
        if not self.lost.done():
            self.lost.set_result(None)

    async def _watch(self, bus: MessageBus) -> None:
        try:
            await bus.wait_for_disconnect()
        except Exception:                       # whatever it was, it is over
            pass
        self._lose()

    # ---- Methods

    async def _call(self, destination: str, path: str, interface: str, member: str,
                    signature: str = "", *values: Any) -> List[Any]:
        if self._bus is None or self.lost.done():
            raise ConnectionError("ofono is gone")
        reply = await asyncio.wait_for(self._bus.call(Message(
            destination=destination, path=path, interface=interface, member=member,
            signature=signature, body=list(values))), ANSWER_SECONDS)
        if reply is None or reply.message_type is MessageType.ERROR:
            name = str(reply.error_name if reply and reply.error_name else "no reply")
            said = plain(reply.body)[0] if reply and reply.body else "no reason"
            raise Refused(name.rpartition(".")[2], str(said))
        return list(plain(reply.body))

    async def modems(self) -> List[Tuple[str, Properties]]:
        (found,) = await self._call(OFONO, "/", "org.ofono.Manager", "GetModems")
        return [(path, properties) for path, properties in found]

    async def properties(self, interface: str) -> Properties:
        """The properties of an interface of the modem; empty while it does not have it."""
        try:
            (found,) = await self._call(OFONO, self.modem, interface, "GetProperties")
        except Refused:
            return {}
        return dict(found)

    async def set_property(self, interface: str, name: str, signature: str, value: Any) -> None:
        """Sets a property of the modem, of a type of D-Bus."""
        await self._call(OFONO, self.modem, interface, "SetProperty", "sv", name,
                         Variant(signature, value))

    async def set_modem(self, path: str, name: str, value: bool) -> None:
        await self._call(OFONO, path, "org.ofono.Modem", "SetProperty", "sv", name,
                         Variant("b", value))

    async def calls(self) -> List[Tuple[str, Properties]]:
        (found,) = await self.manager("GetCalls")
        return [(path, properties) for path, properties in found]

    async def manager(self, member: str, signature: str = "", *values: Any) -> List[Any]:
        """A method of the modem's calls."""
        return await self._call(OFONO, self.modem, "org.ofono.VoiceCallManager", member, signature,
                                *values)

    async def voice(self, path: str, member: str, signature: str = "", *values: Any) -> None:
        """A method of one call."""
        await self._call(OFONO, path, "org.ofono.VoiceCall", member, signature, *values)

    # ---- Signals

    def _receive(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        values = plain(message.body)
        if message.member == "NameOwnerChanged" and values[0] == OFONO:
            self._lose()
        elif message.interface in ("org.ofono.Manager", "org.ofono.Modem"):
            self.changed.set()
        elif self.modem and f"{message.path}/".startswith(self.modem + "/"):
            self._on_signal(str(message.path), f"{message.interface}.{message.member}", values)
