#!/usr/bin/python3
"""Finds people to call in the search of GNOME Shell and in KRunner.

    search.py [--socket PATH] [--verbose]

The desktop asks over the session bus; contacts come from the broker, and calls are requested of it.
"""
from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import List, Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

from jeepney import message_bus

from apps import Apps
from bus import Bus, NoBus, session_bus
from callbroker import BrokerError, Disconnected, run_program
from interfaces import NAME, PATH, Front
from lock import Lock
from results import Search, User
from served import Served

log = logging.getLogger("search")

IDENTITY = "org.callbroker.search"
TOPICS = ("call.*", "provider.added", "provider.changed", "provider.resumed", "provider.removed")
AGAIN_SECONDS = 5.0                             # before a session bus that is not there is tried again
NOT_QUEUED, IS_OWNER = 4, (1, 4)                # a flag of RequestName, and two of its replies


class Program:
    """The objects on the session bus, beside the connection to the broker."""

    def __init__(self, user: User) -> None:
        self._user, self._apps = user, Apps()
        self._session, self._system = Bus(session_bus), Bus(lambda: "SYSTEM")
        self._gone = asyncio.Event()
        self._lock = Lock(self._session, self._system, self._lock_changed)
        self._front = Front(Search(user, self._apps))
        self._object = Served(self._session, PATH, *self._front.interfaces())
        self._session.listen([], lambda message: None, self._gone.set)
        self._said = ""

    async def serve(self) -> None:
        """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
        try:
            await self._user.serve_beside(self._follow(), self._publish())
        finally:
            for bus in (self._session, self._system):
                await bus.leave()

    async def _follow(self) -> None:
        async for event in self._user:
            try:
                await self._apps.follow(self._user, event)
            except (BrokerError, Disconnected) as problem:
                log.info("apps are not known: %s", problem)
            if event["topic"] == "snapshot":
                log.info("following %d apps", len(self._apps))

    async def _publish(self) -> None:
        """Has the name on one bus after the other."""
        while True:
            self._gone.clear()
            try:
                await self._session.open()
                await self._lock.ask()
                self._lock_changed()
                (reply,) = await self._session.ask(message_bus.RequestName(NAME, NOT_QUEUED))
                self._say("" if reply in IS_OWNER else f"another program has the name {NAME}; end it")
                log.info("searching" if reply in IS_OWNER else "not searching")
                await self._gone.wait()
            except NoBus as problem:
                self._say(f"nothing is found: no session bus ({problem})")
            self._front.is_locked = True
            await asyncio.sleep(AGAIN_SECONDS)

    def _lock_changed(self) -> None:
        self._front.is_locked = self._lock.is_locked
        log.info("the session is %s", "locked" if self._lock.is_locked else "not locked")

    def _say(self, problem: str) -> None:
        if problem and problem != self._said:
            log.warning("%s", problem)
        self._said = problem


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    await Program(User("search", identity=IDENTITY, socket=options.socket, topics=TOPICS)).serve()


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Finds people to call in the search of GNOME Shell and in KRunner.")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("search", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
