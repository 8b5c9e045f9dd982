"""Objects on a D-Bus: properties, methods and signals, in the order that their owner wants."""
from __future__ import annotations

import asyncio
import logging
import os
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Awaitable, Callable, Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

from dbus_fast import Message, MessageFlag, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.signature import SignatureTree

from markup import quoted

log = logging.getLogger("dialers")

BUS = "org.freedesktop.DBus"
BUS_PATH = "/org/freedesktop/DBus"
INTROSPECTABLE = BUS + ".Introspectable"
MANAGER = BUS + ".ObjectManager"
PEER = BUS + ".Peer"
PROPERTIES = BUS + ".Properties"
UNKNOWN_INTERFACE = BUS + ".Error.UnknownInterface"
UNKNOWN_METHOD = BUS + ".Error.UnknownMethod"
UNKNOWN_OBJECT = BUS + ".Error.UnknownObject"
UNKNOWN_PROPERTY = BUS + ".Error.UnknownProperty"
ACCESS_DENIED = BUS + ".Error.AccessDenied"
INVALID_ARGS = BUS + ".Error.InvalidArgs"
READ_ONLY = BUS + ".Error.PropertyReadOnly"
SENDERS_KNOWN = 256

Properties = Dict[str, Variant]
SENDER: ContextVar[str] = ContextVar("sender")
"""The unique name of the program whose method is performed."""


class Refused(Exception):
    """The error of a method: its name on the bus, and a sentence."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name


class Method(NamedTuple):
    """A method with the signatures of its arguments and of its result."""
    takes: str
    gives: str
    perform: Callable[..., Awaitable[Any]]


class Interface:
    """One interface of one object."""

    def __init__(self, name: str, properties: Optional[Properties] = None,
                 methods: Optional[Dict[str, Method]] = None,
                 signals: Optional[Dict[str, str]] = None) -> None:
        self.name = name
        self.properties = properties or {}
        self.methods = methods or {}
        self.signals = signals or {}

    def xml(self) -> str:
        """The interface as introspection shows it."""
        parts = [f"<method name={quoted(name)}>{arguments(each.takes, 'in')}"
                 f"{arguments(each.gives, 'out')}</method>" for name, each in self.methods.items()]
        parts += [f"<signal name={quoted(name)}>{arguments(signature)}</signal>"
                  for name, signature in self.signals.items()]
        parts += [f"<property name={quoted(name)} type={quoted(value.signature)} "
                  'access="read"/>' for name, value in self.properties.items()]
        return f"<interface name={quoted(self.name)}>{''.join(parts)}</interface>"


def arguments(signature: str, direction: str = "") -> str:
    """The arguments of a signature, for introspection."""
    way = f' direction="{direction}"' if direction else ""
    return "".join(f"<arg type={quoted(each.signature)}{way}/>"
                   for each in SignatureTree(signature).types)


def program(process: int) -> str:
    """The name of a process; empty if it cannot be known."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


class Exported:
    """The objects of one connection.

    Args:
        root: the path of the object manager, which has the objects that are added as `managed`.

    Attributes:
        on_read: called when a program reads all of an interface, with the program's unique name,
            the name of its process, and the path.
        on_listed: called when a program was told the managed objects, with its unique name, and
            the name of its process.
    """

    def __init__(self, bus: MessageBus, root: str) -> None:
        self._bus, self._root = bus, root
        self.on_read: Callable[[str, str, str], None] = lambda *_: None
        self.on_listed: Callable[[str, str], None] = lambda *_: None
        self._objects: Dict[str, Dict[str, Interface]] = {}
        self._managed: Set[str] = set()
        self._senders: Dict[str, Tuple[int, str]] = {}  # users and programs, by unique name
        self._tasks: Set[asyncio.Task[None]] = set()
        self.add(root, Interface(MANAGER, methods={
            "GetManagedObjects": Method("", "a{oa{sa{sv}}}", self._managed_objects)}, signals={
                "InterfacesAdded": "oa{sa{sv}}", "InterfacesRemoved": "oas"}))
        bus.add_message_handler(self._receive)

    # ---- Objects

    def add(self, path: str, *interfaces: Interface, managed: bool = False) -> None:
        """Adds an object, or interfaces to one that is there."""
        self._objects.setdefault(path, {}).update({each.name: each for each in interfaces})
        if managed:
            self._managed.add(path)
            self.emit(self._root, MANAGER, "InterfacesAdded", path, self._state(path))

    def remove(self, path: str) -> None:
        """Removes an object, if it is there."""
        interfaces = self._objects.pop(path, {})
        if path in self._managed:
            self._managed.discard(path)
            self.emit(self._root, MANAGER, "InterfacesRemoved", path, list(interfaces))

    def get(self, path: str, interface: str, name: str) -> Any:
        """The value of a property."""
        return self._objects[path][interface].properties[name].value

    def set(self, path: str, interface: str, **values: Any) -> None:
        """Changes properties, and publishes those that have another value now."""
        properties = self._objects[path][interface].properties
        changed = {name: Variant(properties[name].signature, value)
                   for name, value in values.items() if properties[name].value != value}
        if changed:
            properties.update(changed)
            self._send(path, PROPERTIES, "PropertiesChanged", "sa{sv}as",
                       [interface, changed, []])

    def emit(self, path: str, interface: str, signal: str, *values: Any,
             to: Optional[str] = None) -> None:
        """Sends a signal, to all or to one program."""
        signature = self._objects[path][interface].signals[signal]
        self._send(path, interface, signal, signature, list(values), to)

    def _send(self, path: str, interface: str, member: str, signature: str, values: List[Any],
              to: Optional[str] = None) -> None:
        if self._bus.connected:
            self._bus.send(Message(to, path, interface, member, MessageType.SIGNAL,
                                   signature=signature, body=values))

    def _state(self, path: str) -> Dict[str, Properties]:
        return {name: each.properties for name, each in self._objects[path].items()}

    async def _managed_objects(self) -> Dict[str, Dict[str, Properties]]:
        return {path: self._state(path) for path in sorted(self._managed)}

    # ---- Methods

    def _receive(self, message: Message) -> Optional[bool]:
        """Handles the calls to the objects, and leaves the rest to the library."""
        if message.message_type is not MessageType.METHOD_CALL or message.interface == PEER or (
                not f"{message.path}/".startswith(self._root + "/")
                and message.interface != INTROSPECTABLE):
            return None
        task = asyncio.ensure_future(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _answer(self, message: Message) -> None:
        try:
            signature, values = await self._perform(message)
            reply = Message.new_method_return(message, signature, values)
        except Refused as error:
            reply = Message.new_error(message, error.name, str(error))
        except Exception:
            log.exception("%s failed", message.member)
            reply = Message.new_error(message, BUS + ".Error.Failed", "the program has a bug")
        if self._bus.connected and not message.flags & MessageFlag.NO_REPLY_EXPECTED:
            self._bus.send(reply)
        is_told = reply.message_type is MessageType.METHOD_RETURN
        if is_told and message.member == "GetManagedObjects":
            sender, name, _ = self._reader(message)
            self.on_listed(sender, name)

    async def _perform(self, message: Message) -> Any:
        await self._authorize(str(message.sender))
        if message.interface == INTROSPECTABLE:
            return "s", [self._introspected(str(message.path))]
        interfaces = self._objects.get(str(message.path))
        if interfaces is None:
            raise Refused(UNKNOWN_OBJECT, f"there is no object {message.path}")
        if message.interface == PROPERTIES:
            if message.member == "GetAll":
                self.on_read(*self._reader(message))
            return self._property(interfaces, str(message.member), message.body)
        method = self._method(interfaces, message)
        if message.signature != method.takes:
            raise Refused(INVALID_ARGS, f"{message.member} takes arguments of the types "
                          f"'{method.takes}', not '{message.signature}'")
        SENDER.set(str(message.sender))         # of this task alone
        result = await method.perform(*message.body)
        return method.gives, [result] if method.gives else []

    async def _authorize(self, sender: str) -> None:
        """Refuses other users of the bus: a real modem has polkit between it and them."""
        if sender not in self._senders:
            user = await self._credential(sender, "GetConnectionUnixUser")
            process = await self._credential(sender, "GetConnectionUnixProcessID")
            if len(self._senders) >= SENDERS_KNOWN:
                self._senders.clear()
            self._senders[sender] = (user, program(process))
        if self._senders[sender][0] not in (os.getuid(), 0):
            raise Refused(ACCESS_DENIED, "these calls belong to another user")

    def _reader(self, message: Message) -> Tuple[str, str, str]:
        sender = str(message.sender)
        return sender, self._senders.get(sender, (-1, ""))[1], str(message.path)

    async def _credential(self, sender: str, method: str) -> int:
        """A number that the bus knows of a program; -1 when that has gone."""
        reply = await self._bus.call(Message(BUS, BUS_PATH, BUS, method, signature="s",
                                             body=[sender]))
        is_known = reply is not None and reply.message_type is MessageType.METHOD_RETURN
        return int(reply.body[0]) if reply is not None and is_known else -1

    @staticmethod
    def _method(interfaces: Dict[str, Interface], message: Message) -> Method:
        asked: Iterable[Interface] = interfaces.values()
        if message.interface:
            asked = [each for each in asked if each.name == message.interface]
        for each in asked:
            if message.member in each.methods:
                return each.methods[str(message.member)]
        raise Refused(UNKNOWN_METHOD, f"{message.interface} has no method {message.member} here")

    @staticmethod
    def _property(interfaces: Dict[str, Interface], member: str, body: List[Any]) -> Any:
        if not body or body[0] not in interfaces:
            raise Refused(UNKNOWN_INTERFACE, "the object does not have this interface")
        properties = interfaces[body[0]].properties
        if member == "GetAll":
            return "a{sv}", [properties]
        if member != "Get":
            raise Refused(READ_ONLY, "no property can be set")
        if len(body) != 2 or body[1] not in properties:
            raise Refused(UNKNOWN_PROPERTY, f"{body[0]} does not have this property")
        return "v", [properties[body[1]]]

    def _introspected(self, path: str) -> str:
        below = path.rstrip("/") + "/"
        children = {each[len(below):].split("/")[0] for each in self._objects
                    if each.startswith(below)}
        interfaces = self._objects.get(path, {})
        if not children and not interfaces:
            raise Refused(UNKNOWN_OBJECT, f"there is no object {path}")
        parts = [each.xml() for each in interfaces.values()]
        parts += [f"<node name={quoted(name)}/>" for name in sorted(children)]
        return f"<node>{''.join(parts)}</node>"
