#!/usr/bin/env python3
"""Makes the calls of apps that know nothing of CallBroker visible to it, and mutes them while another
call is live: an app that records from a microphone is in a call.

    watcher.py [--rules FOLDER] [--ignore APP ...] [--socket PATH] [--state FOLDER]
               [--patience SECONDS] [--verbose]

The apps are those of apps.json, and of the user's own files. The sound server is PulseAudio, or
PipeWire in its place.
"""
from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

import kept_calls
import recognition
import sound_server
from absence import lasting_absences
from callbroker import BrokerError, Disconnected, Failed, Observer, plugin_options
from muted_streams import Debts, InUse, Muter
from presence import Presence
from recognition import Rule, Streams, WrongRules
from sound_server import NoServer, Stream
from watched import IDENTITY, REPORTED_BY_ANOTHER, Kept, WatchedApp

log = logging.getLogger("watcher")



class Watcher:
    """Keeps the broker in step with the apps that record, and the sound server with the broker.

    Args:
        rules: of the apps.
        kept: the file with the calls for a successor.
        patience: seconds without a broker after which everything is given back.
    """

    def __init__(self, watch: Observer, rules: List[Rule], debts: Debts, kept: Path,
                 patience: float, socket: Optional[str]) -> None:
        self._watch, self._socket, self._patience = watch, socket, patience
        self._rules = {rule.app: rule for rule in rules}
        self._muter, self._kept = Muter(debts), kept
        self._presence = Presence(self._rules)
        self._apps: Dict[str, WatchedApp] = {}
        self._providers: Set[str] = set()       # of other apps
        self._muted: Set[Tuple[str, int]] = set()   # streams that were seen muted because of us
        self._written: Dict[str, Kept] = {}
        self._dirty = asyncio.Event()
        self._waiting: List[asyncio.Future[None]] = []
        self._silent: Dict[str, Tuple[bool, bool]] = {}     # microphones, and all, by app

    def restore(self) -> None:
        """Goes on with the calls of a predecessor."""
        now = asyncio.get_running_loop().time()
        for app, kept in kept_calls.read(self._kept).items():
            if app in self._rules:
                self._presence.restore(app, now)
                self._begin(app, kept)

    # ---- What happens

    async def follow_providers(self) -> None:
        """Until the connection is closed."""
        async for _ in self._watch:
            with contextlib.suppress(BrokerError, Disconnected):
                self._providers = await self._others()
                self._dirty.set()

    async def _others(self) -> Set[str]:
        found: Set[str] = set()
        page = await self._watch.request("provider.list", {})
        while True:
            found |= {each["provider"] for each in page["providers"] if each["connected"]}
            if "next" not in page:
                return {each for each in found if not each.startswith(IDENTITY + ".")}
            page = await self._watch.request("provider.list", {"after": page["next"]})

    async def lose_patience(self) -> None:
        """Calls whose broker is gone are nobody's to mute."""
        async for is_absent in lasting_absences(self._watch, self._patience):
            if is_absent:
                for app in self._apps.values():
                    app.let_go()

    async def follow_streams(self) -> None:
        """For ever; a sound server that is not there is waited for."""
        async for _ in sound_server.lasting_changes(
                missing=lambda problem: log.warning("no app can be watched: %s", problem)):
            self._dirty.set()

    async def settled(self) -> None:
        """Returns when the sound server is as the apps have it now; `Failed` if it is not."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        self._dirty.set()
        await waiting

    # ---- What is done about it

    async def work(self) -> None:
        """Brings broker and sound server to where the apps are, whenever one of them changes."""
        loop = asyncio.get_running_loop()
        log.info("watching %d apps", sum(rule.watch for rule in self._rules.values()))
        while True:
            wait = self._presence.wait(loop.time())
            timer = None if wait is None else loop.call_later(wait, self._dirty.set)
            await self._dirty.wait()
            self._dirty.clear()
            if timer is not None:
                timer.cancel()
            waiting, self._waiting = self._waiting, []
            problem: Optional[NoServer] = None
            try:
                await self._settle()
            except NoServer as error:
                problem = error
                await self._look({})
            self._write()
            for each in waiting:
                if not each.done() and problem is None:
                    each.set_result(None)
                elif not each.done():
                    each.set_exception(Failed("no_sound_server", str(problem)))

    async def _settle(self) -> None:
        # What was to be silent before the streams are read: those of a hold that comes meanwhile are read
        # again, as the user may have muted one since.
        self._silent = {app: (each.is_muted, each.is_silent) for app, each in self._apps.items()}
        life, streams, sources = await asyncio.gather(
            sound_server.life(), sound_server.streams(),
            sound_server.document("list", "sources"))
        found = recognition.sorted_by_app(streams, recognition.monitors(sources),
                                          list(self._rules.values()), self._providers)
        await self._look(found)
        await self._notice_unmuted(found)
        await self._muter.settle(streams, life, self._to_mute(found))
        muted = {stream.key for stream in streams
                 if stream.muted and self._muter.owes(stream, life)}
        for key in sorted(muted - self._muted):
            log.info("%s %d is seen muted", *key)
        self._muted = muted

    async def _look(self, found: Dict[str, Streams]) -> None:
        await self._leave_to_others()
        begun, over = self._presence.see(found, asyncio.get_running_loop().time())
        for app in begun:
            self._begin(app, None)
        for app in over:
            log.info("the call of %s is over", app)
            await self._apps.pop(app).over()

    async def _leave_to_others(self) -> None:
        """Ends the calls of apps whose calls another provider reports by now, as soon as that has
        come: nobody is to see them twice, or to hold one for the other."""
        for app in [app for app in self._apps if self._rules[app].is_reported(self._providers)]:
            log.info("another provider reports the calls of %s", app)
            self._presence.forget(app)
            await self._apps.pop(app).over(REPORTED_BY_ANOTHER)

    def _begin(self, app: str, kept: Optional[Kept]) -> None:
        log.info("%s is in a call", app)
        self._apps[app] = WatchedApp(self._rules[app], kept, self._socket, self.settled,
                                     self._dirty.set)

    async def _notice_unmuted(self, found: Dict[str, Streams]) -> None:
        """A stream that was muted because of us and is not any more: the user has done that."""
        for app, streams in found.items():
            if app in self._apps and any(stream.key in self._muted and not stream.muted
                                         for stream in self._wanted(app, streams)):
                self._muted -= {stream.key for stream in streams.recording + streams.playing}
                await self._apps[app].unmuted()

    def _to_mute(self, found: Dict[str, Streams]) -> Set[Tuple[str, int]]:
        return {stream.key for app, streams in found.items() if app in self._apps
                for stream in self._wanted(app, streams)}

    def _wanted(self, app: str, streams: Streams) -> List[Stream]:
        """The streams of an app that have to be muted."""
        watched = self._apps[app]
        was_muted, was_silent = self._silent.get(app, (True, True))
        return ((streams.recording if was_muted and watched.is_muted else [])
                + (streams.playing if was_silent and watched.is_silent else []))

    def _write(self) -> None:
        kept = {app: each.kept for app, each in self._apps.items()}
        if kept != self._written:
            kept_calls.write(self._kept, kept)
            self._written = {app: Kept(**vars(each)) for app, each in kept.items()}

    async def leave(self) -> None:
        """Gives everything back, and leaves the calls to a successor."""
        for app in self._apps.values():
            await app.leave()
        with contextlib.suppress(NoServer):
            await self._muter.settle(await sound_server.streams(), await sound_server.life(), set())


async def serve(options: argparse.Namespace, rules: List[Rule], debts: Debts) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good; then everything is given back."""
    watch = Observer("watcher", identity=IDENTITY, socket=options.socket, topics=("provider.*",))
    watcher = Watcher(watch, rules, debts, options.state / "calls.json", options.patience,
                      options.socket)
    watcher.restore()
    try:
        await watch.serve_beside(watcher.follow_providers(), watcher.follow_streams(),
                                 watcher.work(), watcher.lose_patience())
    finally:
        await watcher.leave()


def rules_of(options: argparse.Namespace) -> List[Rule]:
    """The packaged rules and the user's; a wrong file of the user's is named, and costs no other."""
    own: List[Rule] = []
    for path in sorted(options.rules.glob("*.json")):
        try:
            own += recognition.read(path)
        except WrongRules as wrong:
            log.warning("%s; the file is left out", wrong)
    return recognition.together(recognition.read(HERE / "apps.json"), own, options.ignore)


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    parser = argparse.ArgumentParser(
        description="Makes apps that record from a microphone calls of CallBroker.")
    parser.add_argument("--rules", type=Path, default=Path(config, "callbroker", "watcher"),
                        metavar="FOLDER", help="with the user's own rules, *.json "
                        "(~/.config/callbroker/watcher)")
    parser.add_argument("--ignore", action="append", default=[], metavar="APP",
                        help="an app that is not watched, by its name in the rules")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--state", type=Path, default=Path(state, "callbroker-watcher"),
                        metavar="FOLDER", help="where to keep calls, and what is muted")
    parser.add_argument("--patience", type=float, default=20.0, metavar="SECONDS",
                        help="without a broker, before everything is given back (20)")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    options = parser.parse_args(given)
    options.ignore += plugin_options().get("ignore") or []
    return options


def main() -> int:
    options = arguments()
    logging.basicConfig(level=logging.INFO if options.verbose else logging.WARNING,
                        format="%(name)s: %(message)s")
    try:
        asyncio.run(serve(options, rules_of(options), Debts(options.state / "muted.json")))
    except (BrokerError, InUse, WrongRules, OSError, ValueError) as error:
        print(f"watcher: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
