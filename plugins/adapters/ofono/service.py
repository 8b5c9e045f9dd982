"""A telephony service on D-Bus: its calls as plain values, its signals in the order of their
coming. What the services have in common is in ofono's words, which the others translate to."""
from __future__ import annotations

import asyncio
import logging
import os
from typing import Any, Callable, Coroutine, Dict, FrozenSet, List, Optional, Set, Tuple

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError

log = logging.getLogger("ofono_provider")

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
ANSWER_SECONDS = 30.0                           # a modem may take its time; then it is gone

# ofono's interfaces, in whose words a service speaks of a modem and of its calls.
CALLS, CALL = "org.ofono.VoiceCallManager", "org.ofono.VoiceCall"
TRANSFER, DEFLECT, SPLIT = "transfer", "deflect", "split"    # what not every service can

Properties = Dict[str, Any]
Signal = Callable[[str, str, List[Any]], None]  # path, interface and member, values


class Refused(Exception):
    """The service, or the bus, said no, and why; `name` is the last word of the error's."""

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


def session_address() -> Optional[str]:
    """The session bus, which a service of systemd finds without the variable; None leaves it to
    the library."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    is_there = runtime is not None and os.path.exists(f"{runtime}/bus")
    return os.environ.get("DBUS_SESSION_BUS_ADDRESS") or (
        f"unix:path={runtime}/bus" if is_there else None)


class Service:
    """One connection to the bus of a service. `lost` is done when the service, or the bus, is gone.

    Attributes:
        name: on the bus.
        title: for people.
        display_name: of the provider, for people.
        advice: what to do where the service is not there.
        no_modem: what to say where it has no modem.
        abilities: what it can do besides what all of them can.
        silent_end: the reason of a call that ends without one.
        life: another one each time the service starts.
        modem: the path of the modem whose calls are followed.
        changed: something about the modems is different.
    """

    name = title = display_name = advice = no_modem = silent_end = ""
    is_of_session = False
    abilities: FrozenSet[str] = frozenset()

    def __init__(self, on_signal: Signal) -> None:
        self._on_signal = on_signal
        self._bus: Optional[MessageBus] = None
        self.life = self.modem = ""
        self.changed = asyncio.Event()
        self._tasks: Set[asyncio.Task[None]] = set()
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def open(self, address: Optional[str]) -> None:
        """Connects. Raises OSError or Refused while there is no bus, or no service on it."""
        if address is None and self.is_of_session:
            address = session_address()
        kind = BusType.SESSION if self.is_of_session else BusType.SYSTEM
        try:
            self._bus = await MessageBus(bus_address=address, bus_type=kind).connect()
        except (DBusError, ValueError, EOFError) as error:
            raise ConnectionError(str(error)) from None
        self._bus.add_message_handler(self._receive)
        self._watching = asyncio.ensure_future(self._watch(self._bus))
        for rule in (f"type='signal',sender='{self.name}'",
                     f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{self.name}'"):
            await self._ask_bus("AddMatch", rule)
        (self.life,) = await self._ask_bus("GetNameOwner", self.name)

    def close(self) -> None:
        """Leaves the service to itself."""
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

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Something that nobody waits for."""
        async def guarded() -> None:
            try:
                await work
            except (Refused, ConnectionError, asyncio.TimeoutError) as error:
                log.info("left undone: %s", error)
        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask_bus(self, member: str, text: str) -> List[Any]:
        return await self._send(BUS, BUS_PATH, BUS, member, "s", text)

    async def _call(self, path: str, interface: str, member: str, signature: str = "",
                    *values: Any) -> List[Any]:
        return await self._send(self.name, path, interface, member, signature, *values)

    async def _send(self, destination: str, path: str, interface: str, member: str,
                    signature: str, *values: Any) -> List[Any]:
        if self._bus is None or self.lost.done():
            raise ConnectionError(f"{self.title} is gone")
        reply = await asyncio.wait_for(self._bus.call(Message(
            destination=destination, path=path, interface=interface, member=member,
            signature=signature, body=list(values))), ANSWER_SECONDS)
        if self.lost.done():                    # who is gone refuses nothing
            raise ConnectionError(f"{self.title} is gone")
        if reply is None or reply.message_type is MessageType.ERROR:
            name = str(reply.error_name if reply and reply.error_name else "no reply")
            said = plain(reply.body)[0] if reply and reply.body else "no reason"
            raise Refused(name.rpartition(".")[2], str(said))
        return list(plain(reply.body))

    def _receive(self, message: Message) -> None:
        if message.message_type is not MessageType.SIGNAL:
            return
        values = plain(message.body)
        if message.member == "NameOwnerChanged" and values[0] == self.name:
            self._lose()
        else:
            self._heard(str(message.path), str(message.interface), str(message.member), values)

    # ---- What each service does in its own way

    def _heard(self, path: str, interface: str, member: str, values: List[Any]) -> None:
        """Follows a signal of the service."""
        raise NotImplementedError

    async def modems(self) -> List[Tuple[str, Properties]]:
        """The paths of the modems, and their Powered, Online and Interfaces."""
        raise NotImplementedError

    async def set_modem(self, path: str, name: str, value: bool) -> None:
        """Sets Powered or Online of a modem."""
        raise NotImplementedError

    async def properties(self, interface: str) -> Properties:
        """The properties of an interface of the modem; empty while it does not have it."""
        raise NotImplementedError

    async def set_property(self, interface: str, name: str, signature: str, value: Any) -> None:
        """Sets a property of the modem, of a type of D-Bus."""
        raise NotImplementedError

    async def calls(self) -> List[Tuple[str, Properties]]:
        """The paths of the modem's calls, and their properties."""
        raise NotImplementedError

    async def dial(self, number: str) -> None:
        """Calls a number. The call is signaled."""
        raise NotImplementedError

    async def answer(self, path: str) -> None:
        """Answers a call that is incoming."""
        raise NotImplementedError

    async def hang_up(self, path: str) -> None:
        """Ends a call."""
        raise NotImplementedError

    async def deflect(self, path: str, number: str) -> None:
        """Sends a call that is incoming or waiting to another number."""
        raise NotImplementedError

    async def swap(self) -> None:
        """Holds what is active, and activates what is held."""
        raise NotImplementedError

    async def hold_and_answer(self) -> None:
        """Holds what is active, and answers the call that waits."""
        raise NotImplementedError

    async def join(self) -> None:
        """Makes a conference of what is active and what is held."""
        raise NotImplementedError

    async def split(self, path: str) -> None:
        """Takes a call out of the conference, which is held."""
        raise NotImplementedError

    async def transfer(self) -> None:
        """Joins the active and the held call with each other, and leaves both."""
        raise NotImplementedError

    async def send_tones(self, path: str, digits: str) -> None:
        """Plays tones in a call that is active."""
        raise NotImplementedError
