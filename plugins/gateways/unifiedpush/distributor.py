"""The user's distributor of UnifiedPush: the program that has a connection to a push server for all
apps. Both versions of its interface on the session bus."""
from __future__ import annotations

import logging
from typing import Any, Dict, Iterable, Optional, Tuple

from bus import Bus, NoBus
from jeepney import DBusAddress, MatchRule, message_bus

log = logging.getLogger("unifiedpush")

NAMES = "org.unifiedpush.Distributor"
PATH = "/org/unifiedpush/Distributor"
VERSION_2, VERSION_1 = NAMES + "2", NAMES + "1"
UNKNOWN = frozenset("org.freedesktop.DBus.Error." + name for name in (
    "UnknownInterface", "UnknownMethod", "UnknownObject", "InvalidArgs"))
SUCCESS = frozenset(("REGISTRATION_SUCCEEDED", "NEW_ENDPOINT"))
REASONS = {
    "NETWORK": "it has no network",
    "ACTION_REQUIRED": "it needs something of you, such as a login",
    "VAPID_REQUIRED": "it needs the key of the app's server; use the option vapid",
    "INTERNAL_ERROR": "it has failed"}


class RegistrationFailed(Exception):
    """The distributor does not take an app; the text says why."""


def full_name(distributor: str) -> str:
    """A distributor may be named by the last part of its name."""
    return distributor if not distributor or "." in distributor else f"{NAMES}.{distributor}"


def choose(names: Iterable[str], wanted: str, former: str) -> Optional[str]:
    """The one that the user wants; else the former one, if it is still there; else the first. None
    if there is none, or not the wanted one."""
    there = sorted({name for name in names if name.startswith(NAMES + ".")})
    if wanted:
        return wanted if wanted in there else None
    if len(there) > 1 and former not in there:
        log.warning("there are several distributors (%s), and %s is used; choose one with: "
                    "callbroker plugin set unifiedpush distributor NAME", ", ".join(there),
                    there[0])
    return former if former in there else next(iter(there), None)


async def find(bus: Bus, wanted: str, former: str) -> Optional[str]:
    """The distributor to use, among those that run or that the bus can start."""
    (running,) = await bus.ask(message_bus.ListNames())
    (startable,) = await bus.ask(message_bus.ListActivatableNames())
    return choose([*running, *startable], wanted, former)


def owners_rule() -> MatchRule:
    """Tells when distributors come and go."""
    rule = MatchRule(type="signal", sender="org.freedesktop.DBus",
                     interface="org.freedesktop.DBus", member="NameOwnerChanged")
    rule.add_arg_condition(0, NAMES, kind="namespace")
    return rule


async def register(bus: Bus, name: str, service: str, token: str, description: str,
                   vapid: str = "") -> None:
    """Registers an app, whose endpoint comes to the connector. `RegistrationFailed` if the
    distributor does not take it, `NoBus` if it does not answer."""
    args = {"service": service, "token": token, "description": description}
    if vapid:
        args["vapid"] = vapid
    try:
        (reply,) = await bus.call(_address(name, VERSION_2), "Register", "a{sv}", (_dict(args),))
        result, reason = text(reply, "success"), text(reply, "reason")
    except NoBus as problem:
        if str(problem) not in UNKNOWN:
            raise
        result, reason = await bus.call(_address(name, VERSION_1), "Register", "sss",
                                        (service, token, description))
    if result not in SUCCESS:
        raise RegistrationFailed(REASONS.get(reason or "", "it gives no reason that is known"))


async def unregister(bus: Bus, name: str, token: str) -> None:
    """Nothing more is to come for the token. `NoBus` if the distributor does not answer."""
    try:
        await bus.call(_address(name, VERSION_2), "Unregister", "a{sv}", (_dict({"token": token}),))
    except NoBus as problem:
        if str(problem) not in UNKNOWN:
            raise
        await bus.call(_address(name, VERSION_1), "Unregister", "s", (token,))


def _address(name: str, interface: str) -> DBusAddress:
    return DBusAddress(PATH, bus_name=name, interface=interface)


def _dict(values: Dict[str, str]) -> Dict[str, Tuple[str, str]]:
    return {key: ("s", value) for key, value in values.items()}


def text(args: Dict[str, Tuple[str, Any]], key: str) -> Optional[str]:
    """A string of a dictionary of variants."""
    kind, value = args.get(key, ("", None))
    return value if kind == "s" else None
