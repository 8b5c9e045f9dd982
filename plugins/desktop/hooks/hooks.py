#!/usr/bin/env python3
"""Runs the user's programs, and sends web hooks, when something happens to calls.

    hooks.py [--folder FOLDER] [--redacted] [--seconds SECONDS] [--queue EVENTS] [--tries NUMBER]
             [--first-delay-ms MS] [--total-seconds SECONDS] [--socket PATH] [--verbose]

A hook is a file in FOLDER/EVENT.d, such as ~/.config/callbroker/hooks/call.ringing.d/lamp.
"""
from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

from callbroker import BrokerError, Disconnected, Observer, run_program
from delivery import Patience, deliver
from folders import WEB_HOOK, Folders, Refused
from happenings import Happening, Namer
from hook_queue import HookQueue
from program_hook import run_hook
from web_hook import read_web_hook

log = logging.getLogger("hooks")

IDENTITY = "org.callbroker.hooks"
# All but plugin.log, which has the lines of this plugin, too.
TOPICS = ("action.*", "audio.*", "broker.*", "call.*", "history.*", "host.*", "plugin.state",
          "policy.*", "provider.*", "screen.*", "transaction.*")


class Hooks:
    """Gives each event to the hooks that want it. Each hook has a queue of its own, so that one
    that hangs holds up nothing but itself."""

    def __init__(self, watch: Observer, folders: Folders, options: argparse.Namespace) -> None:
        self._watch, self._folders, self._options = watch, folders, options
        self._namer = Namer()
        self._queues: Dict[Path, HookQueue] = {}
        self._presence: Optional[str] = None
        self._has_begun = False

    async def follow(self) -> None:
        """Until the connection is closed."""
        async for event in self._watch:
            if event["topic"] == "snapshot":
                await self._begin()
            elif event["topic"] != "host.presence" or self._is_news(event.get("data", {})):
                self._happened(dict(event))

    async def _begin(self) -> None:
        """The events before a snapshot are lost; how things are now is not."""
        if self._has_begun:
            log.warning("the broker has begun anew, or this plugin was slow: events were missed")
        else:
            log.info("following")
        self._has_begun = True
        self._namer.begin({**self._watch.calls})
        try:
            host = await self._watch.request("host.get")
        except (BrokerError, Disconnected):     # the next session asks again, or resumes
            return
        presence = host.get("presence")
        if presence and self._is_news(presence):
            self._happened({"topic": "host.presence", "at_ms": presence.get("since_ms"),
                            "data": presence})

    def _is_news(self, presence: Dict[str, Any]) -> bool:
        """The broker repeats the presence after a lost connection."""
        former, self._presence = self._presence, presence.get("state")
        return former != self._presence

    def _happened(self, event: Dict[str, Any]) -> None:
        for happening in self._namer.happenings(event):
            for path in self._folders.hooks(happening):
                self._queue(path).add(happening)
        self._queues = {path: queue for path, queue in self._queues.items() if not queue.is_idle}

    def _queue(self, path: Path) -> HookQueue:
        if path not in self._queues:
            self._queues[path] = HookQueue(
                f"{path.parent.name}/{path.name}", int(self._chosen("queue")),
                lambda happening: self._perform(path, happening))
        return self._queues[path]

    async def _perform(self, path: Path, happening: Happening) -> None:
        if not path.name.endswith(WEB_HOOK):
            return await run_hook(path, happening, float(self._chosen("seconds")),
                                  bool(self._chosen("redacted")))
        try:
            hook = read_web_hook(path)
        except (OSError, Refused) as error:
            return self._folders.refuse(path, getattr(error, "strerror", None) or str(error))
        await deliver(f"{path.parent.name}/{path.name}", hook, happening, Patience(
            int(self._chosen("tries")), self._chosen("first_delay_ms") / 1000,
            float(self._chosen("total_seconds"))))

    def _chosen(self, option: str) -> Any:
        """What the command line says, else what the user set for the plugin."""
        given = getattr(self._options, option)
        return given if given is not None else \
            (self._watch.hello.get("options") or {}).get(option, DEFAULTS[option])

    async def leave(self) -> None:
        for queue in list(self._queues.values()):
            await queue.leave()


DEFAULTS: Dict[str, Any] = {"redacted": False, "seconds": 10, "queue": 64, "tries": 5,
                            "first_delay_ms": 1000, "total_seconds": 300}


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    watch = Observer("hooks", identity=IDENTITY, socket=options.socket, topics=TOPICS,
                     features=["alerting"])
    hooks = Hooks(watch, Folders(options.folder), options)
    try:
        await watch.serve_beside(hooks.follow())
    finally:
        await hooks.leave()


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    parser = argparse.ArgumentParser(
        description="Runs programs, and sends web hooks, when something happens to calls.")
    parser.add_argument("--folder", type=Path, default=Path(config, "callbroker", "hooks"),
                        help="with the hooks (~/.config/callbroker/hooks)")
    parser.add_argument("--redacted", action="store_true", default=None,
                        help="leave numbers and names out of what programs receive, too")
    parser.add_argument("--seconds", type=float, help="the time that a program has (10)")
    parser.add_argument("--queue", type=int, help="the events that wait for one hook (64)")
    parser.add_argument("--tries", type=int, help="how often a web hook is sent at most (5)")
    parser.add_argument("--first-delay-ms", type=int, help="before the second try (1000)")
    parser.add_argument("--total-seconds", type=float, help="for a web hook with all tries (300)")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("hooks", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
