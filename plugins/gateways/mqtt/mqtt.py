#!/usr/bin/python3
"""Delivers what servers publish at an MQTT broker to the apps of this host, which it starts.

    mqtt.py [--option NAME=VALUE]... [--state FILE] [--socket PATH] [--verbose]
"""
from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Set

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

import settings
from callbroker import run_program
from mqtt_connection import Unusable
from push_gateway import Address, PushGateway, check_options, gateway_options, idle
from topics import Topics

log = logging.getLogger("mqtt")

IDENTITY = "org.callbroker.mqtt"
SESSION_SECONDS_MAX = 0xFFFF_FFFE               # the next one is for ever
OPTIONS: Dict[str, Any] = gateway_options({
    "host": "", "port": 0, "tls": False, "ca_file": "", "login_file": "", "topic": "",
    "secret": True, "session_seconds": 86_400})


class Program:
    """The topics on one side, the broker on the other."""

    def __init__(self, options: Dict[str, Any], state: Path, socket: Optional[str]) -> None:
        self._topics = Topics(options, asyncio.get_running_loop(), self._receive,
                              self._confirm)
        self._gateway = PushGateway("mqtt", state, options, self._open, self._topics.remove,
                                    identity=IDENTITY, socket=socket)
        self._delivering: Set[asyncio.Future[None]] = set()

    async def serve(self) -> None:
        """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
        await self._gateway.serve_beside(self._topics.serve())

    def _open(self, address: Address) -> Optional[str]:
        topic = self._topics.add(address)
        return topic if topic == address.kept.get("topic") else None

    def _confirm(self, address: Address, topic: Optional[str]) -> None:
        """The app gets its address once nothing is lost that is published there."""
        if address.kept.get("topic") != topic:
            address.kept["topic"] = topic
            self._gateway.save()
        self._gateway.set_token(address, topic)

    def _receive(self, address: Address, text: bytes, expiry_ms: Optional[int],
                 is_retained: bool) -> None:
        if is_retained:
            return self._gateway.refuse(address, "it is retained; publish it without that flag")
        delivering = asyncio.ensure_future(self._gateway.deliver(address, text, expiry_ms))
        self._delivering.add(delivering)
        delivering.add_done_callback(self._delivering.discard)


def check(chosen: Dict[str, Any]) -> None:
    """`Unusable` for options with which nothing can be received."""
    if not chosen["host"]:
        raise Unusable("no MQTT broker is set; use: callbroker plugin set mqtt host HOST")
    if not 1 <= chosen["session_seconds"] <= SESSION_SECONDS_MAX:
        raise Unusable(f"session_seconds is not between 1 and {SESSION_SECONDS_MAX}")
    check_options(chosen)


async def serve(arguments: argparse.Namespace) -> None:
    """Serves; or, where that cannot be, waits for other options."""
    chosen = settings.chosen(OPTIONS, arguments)
    try:
        check(chosen)
        program = Program(chosen, arguments.state, arguments.socket)
    except ImportError:
        log.warning("no pushes: the library is missing; install python3-paho-mqtt")
    except (Unusable, ValueError) as problem:
        log.warning("no pushes: %s", problem)
    else:
        return await program.serve()
    await idle("mqtt", IDENTITY, arguments.socket)


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Delivers what servers publish at an MQTT broker to the apps of this host.")
    settings.add_option(parser, OPTIONS)
    parser.add_argument("--state", type=Path, default=settings.state_file("mqtt"), metavar="FILE",
                        help="where addresses are remembered (~/.local/state/callbroker-mqtt.json)")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("mqtt", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
