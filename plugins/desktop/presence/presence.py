#!/usr/bin/python3
"""Shows what the user is doing, in one word for all calls, wherever it is wanted: in a file, at an
MQTT broker, on busy lights, and to logind.

    presence.py [--option NAME=VALUE]... [--file PATH] [--socket PATH] [--verbose]
"""
from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path
from typing import Any, Coroutine, Dict, List, Optional, Tuple

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

import mqtt_presence
import settings
from absence import Absence
from callbroker import BrokerError, Controller, Disconnected, Observer, run_program
from current import Current, Presence
from lights import show_on_lights
from state_file import keep_file

log = logging.getLogger("presence")

IDENTITY = "org.callbroker.presence"
TOPICS = ("call.*", "host.presence")
DEFAULTS: Dict[str, Any] = {
    "state_file": True, "mqtt_host": "", "mqtt_port": 0, "mqtt_tls": False, "mqtt_ca_file": "",
    "mqtt_login_file": "", "mqtt_topic": "", "mqtt_discovery": "homeassistant",
    "lights": True, "colors": [], "devices": "/dev", "descriptions": "/sys/class/hidraw",
    "keep_awake": True, "when_inactive": "hold"}


class Watch(Controller, Observer):
    """Watches the calls, and may hold and silence them."""

    roles: Tuple[str, ...] = ("observer", "controller")


class Follower:
    """Keeps the current presence in step with the broker's.

    Args:
        absence: looks at the calls after each event.
        patience: seconds without a broker after which nothing is known.
    """

    def __init__(self, watch: Watch, current: Current, absence: Absence, patience: float) -> None:
        self._watch, self._current, self._patience = watch, current, patience
        self._absence = absence

    async def follow(self) -> None:
        """Until the connection is closed."""
        async for event in self._watch:
            if event["topic"] == "snapshot":
                await self._ask()
                log.info("following")
            elif event["topic"] == "host.presence":
                self._set(event.get("data", {}))
            self._absence.look()

    async def _ask(self) -> None:
        try:
            host = await self._watch.request("host.get")
        except (BrokerError, Disconnected):     # the next session asks again
            return
        self._set(host.get("presence") or {})

    def _set(self, presence: Dict[str, Any]) -> None:
        if isinstance(presence.get("state"), str):
            self._current.set(Presence(presence["state"], int(presence.get("since_ms", 0))))

    async def lose_patience(self) -> None:
        """Short absences of the broker make no difference."""
        step, absent = self._patience / 4, 0.0
        while True:
            await asyncio.sleep(step)
            absent = 0.0 if self._watch.connected else absent + step
            if absent >= self._patience:
                self._current.set(None)         # a session that is resumed is sent it again


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    chosen = settings.chosen(DEFAULTS, options)
    watch = Watch("presence", identity=IDENTITY, socket=options.socket, topics=TOPICS)
    current, absence = Current(), Absence(watch)
    follower = Follower(watch, current, absence, options.patience)
    work: List[Coroutine[Any, Any, None]] = [
        follower.follow(), follower.lose_patience(),
        mqtt_presence.publish(chosen, current)]
    if chosen["state_file"]:
        work.append(keep_file(options.file, current))
    if chosen["lights"]:
        work.append(show_on_lights(chosen["colors"], current, Path(chosen["descriptions"]),
                                   Path(chosen["devices"])))
    work += logind_work(chosen, current, absence)
    await watch.serve_beside(*work)


def logind_work(chosen: Dict[str, Any], current: Current,
                absence: Absence) -> List[Coroutine[Any, Any, None]]:
    """Nothing where it is not wanted, or the library is missing."""
    is_held = chosen["when_inactive"] != "nothing"
    if not chosen["keep_awake"] and not is_held:
        return []
    try:
        from logind import Logind
    except ImportError:
        log.warning("logind is not used: the library is missing; install python3-dbus-fast")
        return []
    logind = Logind(absence.set_active if is_held else lambda _: None)
    lock = [logind.keep_awake(current)] if chosen["keep_awake"] else []
    return [logind.follow_session(), *lock]


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    parser = argparse.ArgumentParser(description="Shows what the user is doing wherever wanted.")
    settings.add_option(parser, DEFAULTS)
    parser.add_argument("--file", type=Path, default=Path(runtime, "callbroker", "presence.json"),
                        help="with the presence ($XDG_RUNTIME_DIR/callbroker/presence.json)")
    parser.add_argument("--patience", type=float, default=10.0, metavar="SECONDS",
                        help="without a broker, before the presence is unknown (10)")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("presence", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
