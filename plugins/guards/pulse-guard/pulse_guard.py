#!/usr/bin/env python3
"""Sees to it that an app whose call is held is neither heard nor hears.

    pulse_guard.py --app IDENTITY=PROGRAM [--app ...] [--roles] [--socket PATH] [--state FILE]
                   [--patience SECONDS] [--verbose]

Follows who has the audio, and mutes the streams of the others at the sound server (PulseAudio, or
PipeWire in its place), until they may be heard again.
"""
from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import List, Optional, Set

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

import sound_server
from absence import lasting_absences
from callbroker import JSON, Failed, Observer, plugin_options, run_program
from muted_streams import Debts, InUse, Muter
from roles import Roles
from rules import Grant, streams_of
from sound_server import App, NoServer

log = logging.getLogger("pulse_guard")

IDENTITY = "org.callbroker.pulse-guard"
TOPICS = ("call.*", "audio.changed")
SHOWN_SECONDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 0.8)    # after each look at streams that show no mute yet


class Guard:
    """Keeps the sound server in step with the calls.

    Args:
        apps: what is known of the programs; further ones may come from the broker.
        patience: seconds without a broker after which everything is given back.
        roles: gives the streams of live calls their role, if there is one.
    """

    def __init__(self, watch: Observer, debts: Debts, apps: List[App], patience: float,
                 roles: Optional[Roles] = None) -> None:
        self._watch, self._muter, self._patience = watch, Muter(debts), patience
        self._given, self._roles = apps, roles
        self._grant = Grant()
        self._has_followed = asyncio.Condition()    # what the broker has sent
        self._turn = asyncio.Lock()             # one thing at a time is asked of the server
        self._is_informed = False               # about the calls, by the broker
        self._has_lost_patience = False
        self._dirty = asyncio.Event()
        self._unknown: Set[str] = set()         # what was said once: providers without a program
        watch.on("audio.handover")(self.prepare)

    async def follow_calls(self) -> None:
        """Until the connection is closed."""
        async for event in self._watch:
            if event["topic"] == "snapshot":
                self._grant.begin(self._watch.calls)
                self._is_informed = True
                log.info("following %d calls", len(self._watch.calls))
            else:
                self._grant.happened(event["topic"], event.get("data", {}))
            async with self._has_followed:
                self._has_followed.notify_all()
            self._dirty.set()

    async def prepare(self, params: JSON) -> JSON:
        """An app gets the audio of a call, and the policy has it wait for this plugin. Done when the
        streams of the others are muted, and the server shows it."""
        async with self._has_followed:
            await self._has_followed.wait_for(lambda: self._grant.is_of(params.get("group", "")))
        try:
            for seconds in SHOWN_SECONDS:
                silent = self._grant.silent()
                if not silent or await self.settle(silent, self._grant.live()):
                    break
                await asyncio.sleep(seconds)
        except NoServer as problem:
            raise Failed("no_sound_server", str(problem)) from None
        return {}

    async def lose_patience(self) -> None:
        """Calls whose broker is gone are nobody's to mute."""
        async for is_absent in lasting_absences(self._watch, self._patience):
            self._has_lost_patience = is_absent
            self._dirty.set()

    async def follow_streams(self) -> None:
        """For ever; a sound server that is not there is waited for."""
        async for problem in sound_server.lasting_changes(
                missing=lambda problem: log.warning("nothing can be muted: %s", problem)):
            if problem is None:
                self._dirty.set()

    async def work(self) -> None:
        """Brings the sound server to where the calls are, whenever either changes."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            if self._is_informed or self._has_lost_patience:
                with contextlib.suppress(NoServer):     # its end is noticed, and said, elsewhere
                    if self._has_lost_patience:
                        await self.settle(set(), set())
                    else:
                        await self.settle(self._grant.silent(), self._grant.live())

    async def settle(self, silent: Set[str], live: Set[str]) -> bool:
        """Mutes what has to be silent, and gives back the rest. Returns whether all that has to be
        silent was muted before.

        Args:
            live: the providers that have the audio.
        """
        async with self._turn:
            life, streams = await sound_server.life(), await sound_server.streams()
            apps = self._apps(silent)
            to_mute = streams_of(silent, streams, apps)
            await self._muter.settle(streams, life, to_mute)
            if self._roles is not None:
                await self._roles.settle(streams, life, streams_of(live, streams, apps))
        return all(stream.muted for stream in streams if stream.key in to_mute)

    def _apps(self, silent: Set[str]) -> List[App]:
        apps = [*self._given, *self._chosen()]
        for identity in sorted(silent - {app.identity for app in apps} - self._unknown):
            self._unknown.add(identity)
            log.warning("%s is held and cannot be muted: its program is not known; "
                        "add --app %s=PROGRAM, for a plugin with callbroker plugin set "
                        "pulse-guard apps", identity, identity)
        return apps

    def _chosen(self) -> List[App]:
        """What the user set for this plugin, without what is wrong with it."""
        apps: List[App] = []
        for text in (self._watch.hello.get("options") or {}).get("apps") or []:
            try:
                apps.append(App.parsed(text))
            except ValueError as error:
                if text not in self._unknown:
                    log.warning("option apps: %s", error)
                self._unknown.add(text)
        return apps


async def serve(options: argparse.Namespace, debts: Debts) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good; then everything is given back."""
    watch = Observer("pulse_guard", identity=IDENTITY, socket=options.socket, topics=TOPICS)
    guard = Guard(watch, debts, options.app, options.patience, Roles() if options.roles else None)
    try:
        await watch.serve_beside(guard.follow_calls(), guard.follow_streams(), guard.work(),
                                 guard.lose_patience())
    finally:
        with contextlib.suppress(NoServer):
            await guard.settle(set(), set())


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(
        description="Mutes apps whose call is held, at the sound server.")
    parser.add_argument("--app", type=App.parsed, action="append", default=[],
                        metavar="IDENTITY=PROGRAM", help="how the streams of a provider are known; "
                        "or IDENTITY=PROPERTY=VALUE, with any property of a stream")
    parser.add_argument("--roles", action="store_true", default=plugin_options().get("roles") is True,
                        help="give the streams of live calls the role phone (PulseAudio)")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--state", type=Path, help="where to keep what has to be given back",
                        default=Path(state, "callbroker-pulse-guard", "muted.json"))
    parser.add_argument("--patience", type=float, default=20.0, metavar="SECONDS",
                        help="without a broker, before everything is given back (20)")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("pulse_guard", lambda: serve(options, Debts(options.state)), options.verbose,
                       InUse, ValueError)


if __name__ == "__main__":
    sys.exit(main())
