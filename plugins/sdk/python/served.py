"""Objects of this program on a message bus, whose methods and properties are rows of a table."""
from __future__ import annotations

import asyncio
import dataclasses
import logging
from typing import Any, Awaitable, Callable, Dict, Iterable, Mapping, Optional, Set, Tuple, Union

from jeepney import (DBusAddress, HeaderFields, Message, new_error, new_method_return, new_signal)

from bus import Bus

PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"
PEER = "org.freedesktop.DBus.Peer"
UNKNOWN = "org.freedesktop.DBus.Error.UnknownMethod"
INVALID = "org.freedesktop.DBus.Error.InvalidArgs"
READ_ONLY = "org.freedesktop.DBus.Error.PropertyReadOnly"

FAILED = "org.freedesktop.DBus.Error.Failed"

log = logging.getLogger("served")

Variant = Tuple[str, Any]
Values = Tuple[Any, ...]
# The signatures of arguments and result; what performs it may take its time.
Method = Tuple[str, str, Callable[..., Union[Values, Awaitable[Values]]]]


@dataclasses.dataclass(frozen=True)
class Interface:
    """An interface of an object: its methods by name, which get the arguments and return the values
    of the result; what returns the present properties; the signature of each signal."""

    name: str
    methods: Mapping[str, Method]
    properties: Callable[[], Dict[str, Variant]] = dict
    signals: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def description(self) -> str:
        """The interface as introspection shows it."""
        rows = []
        for name, (arguments, result, _) in self.methods.items():
            rows.append(f'<method name="{name}">{parameters(arguments, "in")}'
                        f'{parameters(result, "out")}</method>')
        rows += [f'<property name="{name}" type="{kind}" access="read"/>'
                 for name, (kind, _) in self.properties().items()]
        rows += [f'<signal name="{name}">{parameters(signature, "out", False)}</signal>'
                 for name, signature in self.signals.items()]
        return f'<interface name="{self.name}">{"".join(rows)}</interface>'


class Served:
    """The object at one path: its interfaces, beside those of D-Bus itself."""

    def __init__(self, bus: Bus, path: str, *interfaces: Interface) -> None:
        self._bus, self._path = bus, path
        self._interfaces = {each.name: each for each in interfaces}
        self._sending: Set[asyncio.Future[None]] = set()
        bus.offer(path, self._receive)

    def signal(self, interface: str, name: str, *values: Any) -> None:
        """Sends a signal of one of the interfaces."""
        self._emit(interface, name, self._interfaces[interface].signals[name], values)

    def changed(self, interface: str, names: Iterable[str]) -> None:
        """Publishes the present values of those properties."""
        present = self._interfaces[interface].properties()
        self._emit(PROPERTIES, "PropertiesChanged", "sa{sv}as",
                   (interface, {name: present[name] for name in names}, []))

    def _emit(self, interface: str, name: str, signature: str, values: Tuple[Any, ...]) -> None:
        address = DBusAddress(self._path, interface=interface)
        self._send(new_signal(address, name, signature or None, values))

    def _send(self, message: Message) -> None:
        self._do(self._bus.send(message))

    def _do(self, work: Awaitable[None]) -> None:
        doing = asyncio.ensure_future(work)
        self._sending.add(doing)
        doing.add_done_callback(self._sending.discard)

    async def _answer_later(self, message: Message, signature: str,
                            values: Awaitable[Values]) -> None:
        """Whoever calls is not to wait for a method that has failed."""
        try:
            answer = new_method_return(message, signature or None, await values)
        except Exception:                       # a defect of this program
            log.exception("a method has failed")
            answer = new_error(message, FAILED)
        await self._bus.send(answer)

    def _receive(self, message: Message) -> None:
        fields = message.header.fields
        interface, method = fields.get(HeaderFields.interface), fields.get(HeaderFields.member, "")
        arguments, answer = fields.get(HeaderFields.signature, ""), None
        found = self._method(interface, method)
        if found is not None:
            expected, signature, perform = found
            if arguments != expected:
                return self._send(new_error(message, INVALID))
            values = perform(*message.body)
            if not isinstance(values, tuple):
                return self._do(self._answer_later(message, signature, values))
            answer = new_method_return(message, signature or None, values)
        elif interface == PROPERTIES:
            answer = self._property(message, method, arguments)
        elif interface == INTROSPECTABLE and method == "Introspect":
            rows = "".join(each.description() for each in self._interfaces.values())
            answer = new_method_return(message, "s", (f"<node>{rows}</node>",))
        elif interface == PEER and method == "Ping":
            answer = new_method_return(message)
        self._send(answer or new_error(message, UNKNOWN))

    def _method(self, interface: Optional[str], method: str) -> Optional[Method]:
        """The row of a method; a call may leave out the interface."""
        for each in self._interfaces.values():
            if interface in (None, each.name) and method in each.methods:
                return each.methods[method]
        return None

    def _property(self, message: Message, method: str, arguments: str) -> Message:
        interface = self._interfaces.get(message.body[0]) if arguments[:1] == "s" else None
        if interface is None:
            return new_error(message, INVALID)
        values = interface.properties()
        if method == "GetAll" and arguments == "s":
            return new_method_return(message, "a{sv}", (values,))
        if method == "Get" and arguments == "ss" and message.body[1] in values:
            return new_method_return(message, "v", (values[message.body[1]],))
        if method == "Set" and arguments == "ssv" and message.body[1] in values:
            return new_error(message, READ_ONLY)
        return new_error(message, INVALID)


def parameters(signature: str, direction: str, is_told: bool = True) -> str:
    """The elements of a signature in the description of an object."""
    told = f' direction="{direction}"' if is_told else ""
    return "".join(f'<arg type="{each}"{told}/>' for each in complete_types(signature))


def complete_types(signature: str) -> Tuple[str, ...]:
    """`ia{sv}` are `i` and `a{sv}`."""
    types, depth, begin = [], 0, 0
    for index, letter in enumerate(signature):
        depth += (letter in "({") - (letter in ")}")
        if depth == 0 and letter != "a":
            types.append(signature[begin:index + 1])
            begin = index + 1
    return tuple(types)
