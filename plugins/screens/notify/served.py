"""An object of this program on the bus, whose methods and properties are rows of a table."""
from __future__ import annotations

import asyncio
from typing import Any, Callable, Dict, Mapping, Set, Tuple

from jeepney import (DBusAddress, HeaderFields, Message, new_error, new_method_return, new_signal)

from bus import Bus

PROPERTIES = "org.freedesktop.DBus.Properties"
INTROSPECTABLE = "org.freedesktop.DBus.Introspectable"
PEER = "org.freedesktop.DBus.Peer"
UNKNOWN = "org.freedesktop.DBus.Error.UnknownMethod"
INVALID = "org.freedesktop.DBus.Error.InvalidArgs"

Variant = Tuple[str, Any]
Method = Tuple[str, str, Callable[..., Tuple[Any, ...]]]    # signatures of arguments and result


class Served:
    """One interface at one path, beside those of D-Bus itself.

    Args:
        methods: by name. They get the arguments and return the values of the result.
        properties: returns the present values.
        signals: the signature of each.
    """

    def __init__(self, bus: Bus, path: str, interface: str, methods: Mapping[str, Method],
                 properties: Callable[[], Dict[str, Variant]], signals: Mapping[str, str]) -> None:
        self._bus, self._address = bus, DBusAddress(path, interface=interface)
        self._interface, self._methods = interface, methods
        self._properties, self._signals = properties, signals
        self._sending: Set[asyncio.Future[None]] = set()
        bus.offer(path, self._receive)

    def signal(self, name: str, *values: Any) -> None:
        self._send(new_signal(self._address, name, self._signals[name] or None, values))

    def _send(self, message: Message) -> None:
        sending = asyncio.ensure_future(self._bus.send(message))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    def _receive(self, message: Message) -> None:
        fields = message.header.fields
        interface = fields.get(HeaderFields.interface, self._interface)
        method = fields.get(HeaderFields.member, "")
        arguments, answer = fields.get(HeaderFields.signature, ""), None
        if interface == self._interface and method in self._methods:
            expected, signature, perform = self._methods[method]
            answer = new_method_return(message, signature or None, perform(*message.body)) \
                if arguments == expected else new_error(message, INVALID)
        elif interface == PROPERTIES:
            answer = self._property(message, method, arguments)
        elif interface == INTROSPECTABLE and method == "Introspect":
            answer = new_method_return(message, "s", (self._description(),))
        elif interface == PEER and method == "Ping":
            answer = new_method_return(message)
        self._send(answer or new_error(message, UNKNOWN))

    def _property(self, message: Message, method: str, arguments: str) -> Message:
        values = self._properties()
        if method == "GetAll" and arguments == "s":
            return new_method_return(message, "a{sv}", (values,))
        if method == "Get" and arguments == "ss" and message.body[1] in values:
            return new_method_return(message, "v", (values[message.body[1]],))
        return new_error(message, INVALID)

    def _description(self) -> str:
        rows = []
        for name, (arguments, result, _) in self._methods.items():
            rows.append(f'<method name="{name}">{parameters(arguments, "in")}'
                        f'{parameters(result, "out")}</method>')
        rows += [f'<property name="{name}" type="{kind}" access="read"/>'
                 for name, (kind, _) in self._properties().items()]
        rows += [f'<signal name="{name}">{parameters(signature, "out", False)}</signal>'
                 for name, signature in self._signals.items()]
        return f'<node><interface name="{self._interface}">{"".join(rows)}</interface></node>'


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
