#!/usr/bin/python3
"""Pauses media players during calls, or makes them quieter, and undoes it afterwards.

    media_pause.py [--action pause|lower] [--when ring|talk] [--percent N] [--ignore PLAYER ...]
                   [--app IDENTITY=PROGRAM ...] [--socket PATH] [--state FOLDER]
                   [--patience SECONDS] [--verbose]
"""
from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Any, List, Optional, Protocol

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

import sound_server
from absence import lasting_absences
from bus import Bus, session_bus
from callbroker import Observer, plugin_options, run_program
from muted_streams import Debts, InUse
from occasion import MOMENTS, is_due
from players import Players
from quieter import Quieter, to_be_lowered
from sound_server import App, NoServer

log = logging.getLogger("media_pause")

IDENTITY = "org.callbroker.media-pause"
ACTIONS = ("pause", "lower")


class Means(Protocol):
    """What makes media quiet."""

    async def begin(self) -> None:
        """Reads what a predecessor has left."""

    async def settle(self, is_due: bool) -> None:
        """Makes them quiet, or undoes it."""

    async def end(self) -> None:
        """The program ends."""

    async def follow(self, changed: asyncio.Event) -> None:
        """Sets the event when something has changed outside; for ever."""


class Pausing(Players):
    """Players are paused. At the end of the program they stay so: its successor resumes them."""

    def __init__(self, options: argparse.Namespace) -> None:
        super().__init__(Bus(session_bus), options.state / "paused.json", options.ignore)

    async def follow(self, changed: asyncio.Event) -> None:
        """Nothing: a player that begins during a call is the user's."""
        await asyncio.Event().wait()


class Lowering:
    """Streams are made quieter at the sound server, those that begin during a call, too."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._apps: List[App] = options.app
        self._quieter = Quieter(Debts(options.state / "lowered.json"), options.percent)

    async def begin(self) -> None:
        """The debts of a predecessor are read already."""

    async def settle(self, is_due: bool) -> None:
        with contextlib.suppress(NoServer):     # its end is noticed, and said, elsewhere
            life, streams = await sound_server.life(), await sound_server.streams()
            await self._quieter.settle(
                streams, life, to_be_lowered(streams, self._apps) if is_due else ())

    async def end(self) -> None:
        await self.settle(False)

    async def follow(self, changed: asyncio.Event) -> None:
        async for _ in sound_server.lasting_changes(
                missing=lambda problem: log.warning("nothing can be made quieter: %s", problem)):
            changed.set()


class MediaPause:
    """Keeps media in step with the calls.

    Args:
        patience: seconds without a broker after which there are no calls any more.
    """

    def __init__(self, watch: Observer, means: Means, when: str, patience: float) -> None:
        self._watch, self._means, self._when, self._patience = watch, means, when, patience
        self._is_informed = False               # about the calls, by the broker
        self._has_lost_patience = False
        self._dirty = asyncio.Event()

    async def follow_calls(self) -> None:
        """Until the connection is closed."""
        async for event in self._watch:
            if event["topic"] == "snapshot":
                self._is_informed = True
                log.info("following %d calls", len(self._watch.calls))
            self._dirty.set()

    async def lose_patience(self) -> None:
        """Calls whose broker is gone are nobody's to be quiet for."""
        async for is_absent in lasting_absences(self._watch, self._patience):
            self._has_lost_patience = is_absent
            self._dirty.set()

    async def follow_media(self) -> None:
        """For ever."""
        await self._means.follow(self._dirty)

    async def work(self) -> None:
        """Brings media to where the calls are, whenever one changes."""
        await self._means.begin()
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            if self._is_informed or self._has_lost_patience:
                await self._means.settle(not self._has_lost_patience and is_due(
                    self._watch.calls.values(), self._when))


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    means = Lowering(options) if options.action == "lower" else Pausing(options)
    watch = Observer("media_pause", identity=IDENTITY, socket=options.socket, topics=("call.*",))
    program = MediaPause(watch, means, options.when, options.patience)
    try:
        await watch.serve_beside(program.follow_calls(), program.follow_media(), program.work(),
                                 program.lose_patience())
    finally:
        await means.end()


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    chosen = plugin_options()
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(
        description="Pauses media players during calls, or makes them quieter.")
    parser.add_argument("--action", choices=ACTIONS, default=word(chosen, "action", ACTIONS),
                        help="pause players (the default), or lower the volumes of their streams")
    parser.add_argument("--when", choices=MOMENTS, default=word(chosen, "when", MOMENTS),
                        help="from the ring on (the default), or while the user talks")
    parser.add_argument("--percent", type=int, default=chosen.get("percent", 20), metavar="N",
                        help="lower volumes to N %% of what they are (20)")
    parser.add_argument("--ignore", action="append", default=chosen.get("ignore") or [],
                        metavar="PLAYER", help="a player that is left alone, such as vlc")
    parser.add_argument("--app", type=App.parsed, action="append", metavar="IDENTITY=PROGRAM",
                        default=apps(chosen), help="a program whose streams are of calls; "
                        "or IDENTITY=PROPERTY=VALUE, with any property of a stream")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--state", type=Path, help="where to keep what has to be undone",
                        default=Path(state, "callbroker-media-pause"))
    parser.add_argument("--patience", type=float, default=20.0, metavar="SECONDS",
                        help="without a broker, before everything is undone (20)")
    parser.add_argument("--verbose", action="store_true", help="log what is done")
    options = parser.parse_args(given)
    options.percent = min(max(options.percent, 0), 100)
    return options


def word(chosen: Any, option: str, words: Any) -> str:
    """What the user set, or the first of the words, with a warning for another one."""
    found = chosen.get(option) or words[0]
    if found not in words:
        log.warning("option %s: %r is none of %s; %s is used", option, found, ", ".join(words), words[0])
        return str(words[0])
    return str(found)


def apps(chosen: Any) -> List[App]:
    """What the user set, without what is wrong with it."""
    found: List[App] = []
    for text in chosen.get("apps") or []:
        try:
            found.append(App.parsed(text))
        except ValueError as error:
            log.warning("option apps: %s", error)
    return found


def main() -> int:
    options = arguments()
    return run_program("media_pause", lambda: serve(options), options.verbose, InUse, ValueError)


if __name__ == "__main__":
    sys.exit(main())
