#!/usr/bin/python3
"""Shows all calls in the dialers that Linux has, as those of a voice modem of ModemManager.

    dialers.py [--socket PATH] [--bus ADDRESS | --own-bus] [--verbose]

GNOME Calls, Plasma Dialer, mmcli and the hands-free gateway of PipeWire read a modem on D-Bus, and
ask it to answer, hold and hang up; this program is that modem, and asks it of the broker.
"""
from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from pathlib import Path
from typing import List, Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

from dbus_fast import BusType, Message, NameFlag, RequestNameReply
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError

from callbroker import plugin_options, run_program
from exported import BUS, Exported
from face import TOPICS, Face, User
from modem import MM, ROOT
from own_bus import OwnBus

log = logging.getLogger("dialers")

IDENTITY = "org.callbroker.dialers"
POLICY = HERE / "org.callbroker.dialers.conf"
TAKEN = (f"the name {MM} belongs to another program, which is ModemManager as a rule; calls are "
         "shown when it ends (sudo systemctl mask --now ModemManager). Where both are needed use "
         "--own-bus, or as a plugin: callbroker plugin set dialers own_bus true")
NOT_ALLOWED = (f"this user may not have the name {MM}; allow it with: sudo install -m 644 {POLICY} "
               "/etc/dbus-1/system.d/ && sudo groupadd -f callbroker && "
               'sudo usermod -aG callbroker "$USER", and log in again; or use --own-bus, or as a '
               "plugin: callbroker plugin set dialers own_bus true")


class NoBus(Exception):
    """The bus is not there, or does not give the name, and what to do about it."""


async def connected(address: Optional[str]) -> MessageBus:
    """A connection to that bus, or to the system's."""
    try:
        return await MessageBus(bus_address=address, bus_type=BusType.SYSTEM).connect()
    except (DBusError, OSError, ValueError, EOFError) as error:
        raise NoBus(f"there is no bus at {address or 'the address of the system bus'}: {error}; "
                    "start it, correct the address, or use --own-bus") from None


async def named(bus: MessageBus) -> None:
    """Waits in the queue for the name of ModemManager, which a real one may have."""
    acquired = asyncio.Event()

    def receive(message: Message) -> None:
        if message.interface == BUS and message.member == "NameAcquired" and MM in message.body:
            acquired.set()

    bus.add_message_handler(receive)
    try:
        reply = await bus.request_name(MM, NameFlag.NONE)
    except DBusError as error:
        raise NoBus(f"{error}: {NOT_ALLOWED}") from None
    if reply is RequestNameReply.IN_QUEUE:
        log.warning(TAKEN)
        await acquired.wait()
    log.info("ready")


async def lost(bus: MessageBus) -> None:
    """Raises when the bus has ended: whoever started this program starts it again."""
    with contextlib.suppress(Exception):        # whatever it was, it is over
        await bus.wait_for_disconnect()
    raise NoBus("the bus has gone; this program is to be started again")


async def serve(options: argparse.Namespace, address: Optional[str]) -> None:
    """Until SIGTERM, Ctrl-C, the broker's goodbye for good, or the end of the bus."""
    user = User("dialers", identity=IDENTITY, socket=options.socket, topics=TOPICS,
                features=["alerting"])
    bus = await connected(address)
    face = Face(user, Exported(bus, ROOT))
    try:
        await user.serve_beside(named(bus), lost(bus), face.watch())
    finally:
        face.disappear()
        if bus.connected:
            bus.disconnect()


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    set_by_user = plugin_options()
    parser = argparse.ArgumentParser(
        description="Shows all calls in the dialers that Linux has, as those of a modem.")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--bus", metavar="ADDRESS", default=set_by_user.get("bus") or None,
                        help="instead of the system bus")
    parser.add_argument("--own-bus", action="store_true", default=bool(set_by_user.get("own_bus")),
                        help="start a bus for this purpose, and say its address")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


async def serve_on_bus(options: argparse.Namespace) -> None:
    """On the bus of its own, or on the one that is there."""
    if not options.own_bus:
        return await serve(options, options.bus)
    with OwnBus() as own:
        log.warning("start dialers with DBUS_SYSTEM_BUS_ADDRESS=%s", own.address)
        await serve(options, own.address)


def main() -> int:
    options = arguments()
    return run_program("dialers", lambda: serve_on_bus(options), options.verbose, NoBus)


if __name__ == "__main__":
    sys.exit(main())
