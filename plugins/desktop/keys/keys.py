#!/usr/bin/python3
"""Headset and media keys for whichever app has the call.

    keys.py [--socket PATH] [--no-media-keys] [--no-shortcuts] [--no-hid] [--devices FOLDER]
            [--descriptions FOLDER] [--long-press MS] [--settling MS] [--repeat MS]
            [--spring MS] [--verbose]

Keys come from the desktop, as those of a player of music (MPRIS) and as global shortcuts, and from
headsets by hidraw; what they are pressed for is asked of the broker.
"""
from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import Any, Coroutine, List, Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

from bus import Bus, session_bus
from callbroker import plugin_options, run_program
from hid.devices import Devices
from lock import Lock
from mpris import Player
from presses import Presses, User
from shortcuts import Shortcuts

log = logging.getLogger("keys")

IDENTITY = "org.callbroker.keys"
TOPICS = ("call.*", "transaction.completed")


class Keys:
    """All ways on which keys come, beside the calls that they are for."""

    def __init__(self, user: User, options: argparse.Namespace) -> None:
        self._user = user
        self._presses = Presses(user, options.settling / 1000, options.repeat / 1000)
        self._session, self._system = Bus(session_bus), Bus(lambda: "SYSTEM")
        self._player: Optional[Player] = None
        self._devices: Optional[Devices] = None
        self._work: List[Coroutine[Any, Any, None]] = []
        if not options.no_media_keys:
            lock = Lock(self._session, self._system, self._lock_changed)
            self._player = Player(self._session, lock, self._presses)
            self._work.append(self._player.work())
        if not options.no_shortcuts:
            shortcuts = Shortcuts(self._session, self._presses, options.long_press / 1000)
            self._work.append(shortcuts.work())
        if not options.no_hid:
            self._devices = Devices(options.devices, options.descriptions, self._presses.press,
                                    options.spring / 1000)
            self._presses.on_nothing(self._devices.follow)
        user.changed = self.show

    async def serve(self) -> None:
        """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
        if self._devices is not None:
            self._devices.start()
        try:
            await self._user.serve_beside(self._follow(), *self._work)
        finally:
            self._user.changed = lambda: None
            await self._leave()

    async def _follow(self) -> None:
        async for event in self._user:
            if event["topic"] == "snapshot":
                log.info("following %d calls", len(self._user.calls))
            self.show()
            if event["topic"] == "transaction.completed" and self._devices is not None:
                self._devices.follow()

    def show(self) -> None:
        """Everything follows the calls as they are now."""
        situation = self._user.situation
        self._presses.show(situation)
        for each in (self._player, self._devices):
            if each is not None:
                each.show(situation)

    async def _leave(self) -> None:
        if self._devices is not None:
            self._devices.close()
        if self._player is not None:
            await self._player.leave()
        for bus in (self._session, self._system):
            await bus.leave()

    def _lock_changed(self) -> None:
        if self._player is not None:
            self._player.lock_changed()


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    user = User("keys", identity=IDENTITY, socket=options.socket, topics=TOPICS,
                features=["alerting"])
    await Keys(user, options).serve()


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    set_by_user = plugin_options()
    parser = argparse.ArgumentParser(
        description="Headset and media keys for whichever app has the call.")
    parser.add_argument("--socket", help="of the broker")
    for way, what in (("media_keys", "no player that gets the keys for media"),
                      ("shortcuts", "no shortcuts of the desktop"), ("hid", "no headsets")):
        parser.add_argument(f"--no-{way.replace('_', '-')}", action="store_true",
                            default=not set_by_user.get(way, True), help=what)
    parser.add_argument("--devices", type=Path, metavar="FOLDER", help="that has hidrawN (/dev)",
                        default=Path(set_by_user.get("devices") or "/dev"))
    parser.add_argument("--descriptions", type=Path, metavar="FOLDER", help="that has "
                        "hidrawN/device/report_descriptor (/sys/class/hidraw)",
                        default=Path(set_by_user.get("descriptions") or "/sys/class/hidraw"))
    parser.add_argument("--long-press", type=int, metavar="MS", help="of a shortcut (800)",
                        default=set_by_user.get("long_press_ms", 800))
    parser.add_argument("--settling", type=int, metavar="MS", help="after a call came, in which "
                        "keys for media are not meant for it (1000)",
                        default=set_by_user.get("settling_ms", 1000))
    parser.add_argument("--repeat", type=int, metavar="MS", help="in which further presses of a key "
                        "are the same one (750)", default=set_by_user.get("repeat_ms", 750))
    parser.add_argument("--spring", type=int, metavar="MS", help="in which a hook that springs back "
                        "is a push button (500)", default=set_by_user.get("spring_ms", 500))
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("keys", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
