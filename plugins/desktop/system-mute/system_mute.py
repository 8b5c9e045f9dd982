#!/usr/bin/env python3
"""Gives the live call and the microphone of the host one mute: the mute of the default source at the
sound server (PulseAudio, or PipeWire in its place) and that of the call follow each other.

    system_mute.py [--socket PATH] [--state FILE] [--patience SECONDS] [--verbose]
"""
from __future__ import annotations

import argparse
import collections
import logging
import os
import sys
from pathlib import Path
from typing import DefaultDict, List, Optional, Set

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

import kept_file
import microphone
import sound_server
from absence import lasting_absences
from agreement import Agreement, Change
from callbroker import BrokerError, Cancelled, Controller, Disconnected, Observer, run_program
from sound_server import NoServer

log = logging.getLogger("system_mute")

IDENTITY = "org.callbroker.system-mute"
FOLLOWED = ("source", "server")
RETRY_SECONDS = 0.1                             # between looks for a broker that is away


class User(Controller, Observer):
    """Follows calls, and mutes them in the name of the user."""

    roles = ("controller", "observer")


class SystemMute:
    """Keeps the two mutes the same.

    Args:
        kept: the file with what has to be undone, for a successor of a program that is killed.
        patience: seconds without a broker after which there are no calls any more.
    """

    def __init__(self, user: User, kept: Path, patience: float) -> None:
        self._user, self._kept, self._patience = user, kept, patience
        found = read(kept)
        self._agreement = Agreement(found["sources"], found["calls"])
        self._is_informed = False               # about the calls, by the broker
        self._has_lost_patience = False
        self._dirty = asyncio.Event()
        self._refused: Set[str] = set()         # calls about which that was logged

    async def follow_calls(self) -> None:
        """Until the connection is closed."""
        async for event in self._user:
            if event["topic"] == "snapshot":
                self._is_informed = True
                log.info("following %d calls", len(self._user.calls))
            self._dirty.set()

    async def lose_patience(self) -> None:
        """Calls whose broker is gone are nobody's to be muted for."""
        async for is_absent in lasting_absences(self._user, self._patience):
            self._has_lost_patience = is_absent
            self._dirty.set()

    async def follow_server(self) -> None:
        """For ever; a sound server that is not there is waited for."""
        async for _ in sound_server.lasting_changes(
                FOLLOWED, lambda problem: log.warning("the microphone cannot be followed: %s", problem)):
            self._dirty.set()

    async def work(self) -> None:
        """Brings one mute to where the other one is, whenever something changes."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            if self._is_informed or self._has_lost_patience:
                await self.settle(not self._has_lost_patience)

    async def settle(self, has_calls: bool) -> None:
        """Makes both mutes the same; without calls, gives back what is borrowed."""
        try:
            source = await microphone.read()
        except NoServer:                        # its end is noticed, and said, elsewhere
            return self._agreement.begin_anew()
        for change in self._agreement.step(source, self._user.calls if has_calls else {}):
            log.info("%s a %s: %s", "muting" if change.muted else "unmuting", change.kind,
                     change.because)
            kept_file.write(self._kept, self._agreement.kept())
            await (self._set_source(change) if change.kind == "source" else self._set_call(change))
        kept_file.write(self._kept, self._agreement.kept())

    async def _set_source(self, change: Change) -> None:
        try:
            await microphone.set_muted(change.name, change.muted)
        except NoServer as problem:             # the device may come back muted
            log.info("a source is not there: %s", problem)
            self._agreement.forget(change.name)
            return
        if not change.muted:
            self._agreement.borrowed.discard(change.name)

    async def _set_call(self, change: Change) -> None:
        """A request of the user's for the same call that came later counts, and is seen as any."""
        try:
            await self._user.set_muted(change.name, change.muted, wait="completed")
        except Cancelled:
            self._dirty.set()
        except Disconnected:
            self._agreement.begin_anew()
            while not (self._user.connected or self._has_lost_patience):
                await asyncio.sleep(RETRY_SECONDS)
            self._dirty.set()
        except BrokerError as error:
            call = self._user.calls.get(change.name)
            self._agreement.has_failed(change, bool(call and call.get("muted")))
            if change.name not in self._refused:
                log.warning("a call is not %s: %s", "muted" if change.muted else "unmuted", error)
            self._refused = (self._refused | {change.name}) & set(self._user.calls)


def read(path: Path) -> DefaultDict[str, Set[str]]:
    """What a predecessor has kept, by member."""
    found: DefaultDict[str, Set[str]] = collections.defaultdict(set)
    try:
        kept = kept_file.read(path) or {}
        found.update({member: set(map(str, names)) for member, names in kept.items()})
    except (OSError, ValueError, TypeError, AttributeError) as error:
        log.warning("%s is damaged (%s): a microphone may stay muted; unmute it in the mixer",
                    path, error)
    return found


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good; then what is borrowed is given back."""
    user = User("system_mute", identity=IDENTITY, socket=options.socket, topics=("call.*",))
    program = SystemMute(user, options.state, options.patience)
    try:
        await user.serve_beside(program.follow_calls(), program.follow_server(), program.work(),
                                program.lose_patience())
    finally:
        await program.settle(False)


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(
        description="Gives the live call and the microphone of the host one mute.")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--state", type=Path, help="where to keep what has to be undone",
                        default=Path(state, "callbroker-system-mute", "borrowed.json"))
    parser.add_argument("--patience", type=float, default=20.0, metavar="SECONDS",
                        help="without a broker, before the microphone is given back (20)")
    parser.add_argument("--verbose", action="store_true", help="log what is done")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("system_mute", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
