#!/usr/bin/env python3
"""Lets the user choose where calls are heard: reports the devices of the sound server (PulseAudio, or
PipeWire in its place) as audio endpoints, and moves the streams of the app whose call is live.

    pulse_endpoints.py --app IDENTITY=PROGRAM [--app ...] [--socket PATH] [--verbose]
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

import devices
from callbroker import JSON, AudioHost, BrokerError, Endpoint, Failed, run_program
from devices import Place
from sound_server import App, NoServer, Stream, document, lasting_changes, pactl, streams

log = logging.getLogger("pulse_endpoints")

IDENTITY = "org.callbroker.pulse-endpoints"
LIVE = ("dialing", "alerting", "connecting", "active")
FOLLOWED = ("sink-input", "source-output", "sink", "source", "card", "server")
MOVE_SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 0.8)  # after each try to move a stream


class Mover:
    """Keeps the streams of live calls where the user wants them.

    Args:
        apps: what is known of the programs; further ones may come from the broker.
    """

    def __init__(self, host: AudioHost, apps: List[App]) -> None:
        self._host, self._given = host, apps
        self._chosen = ""                       # by the user; empty: as the server has it
        self._moved: Dict[Tuple[str, int], str] = {}    # where each stream was moved to
        self._reported: Optional[List[Endpoint]] = None
        self._dirty = asyncio.Event()
        self._turn = asyncio.Lock()             # one thing at a time is asked of the server
        self._said: Set[str] = set()
        host.on("audio.use_endpoint")(self.use)
        host.on("audio.handover")(self.prepare)

    async def follow_calls(self) -> None:
        """Until the connection is closed."""
        async for event in self._host:
            if event["topic"] == "snapshot":
                self._reported = None           # the broker may be another one
            self._dirty.set()

    async def follow_server(self) -> None:
        """For ever; a sound server that is not there is waited for."""
        async for problem in lasting_changes(FOLLOWED):
            if problem is None:
                self._dirty.set()
                continue
            self._say(f"there are no endpoints: {problem}")
            self._moved.clear()                 # another life has other numbers
            await self._report([])

    async def work(self) -> None:
        """Brings streams and reports to where calls and devices are, whenever one changes."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            with contextlib.suppress(NoServer):     # its end is noticed, and said, elsewhere
                async with self._turn:
                    await self._settle()

    async def use(self, params: JSON) -> JSON:
        """The user has chosen an endpoint. Done when the sound is there."""
        endpoint = str(params.get("endpoint", ""))
        try:
            async with self._turn:
                known = {each.id: each for each in await self._places()}
                if endpoint not in known or not known[endpoint].is_plugged:
                    raise Failed("unknown_endpoint", "the device is gone")
                former, self._chosen = self._chosen, endpoint
                self._moved.clear()
                try:
                    await self._settle()
                except NoServer:
                    self._chosen = former
                    raise
        except NoServer as problem:
            raise Failed("no_sound_server", str(problem)) from None
        return {}

    async def prepare(self, params: JSON) -> JSON:
        """An app gets the audio of a call, and the policy has it wait for this plugin. Done when the
        streams that it has so far are where the user wants them."""
        if self._chosen and any(app.identity == params.get("provider") for app in self._apps()):
            try:
                async with self._turn:
                    await self._settle()
            except NoServer as problem:
                raise Failed("no_sound_server", str(problem)) from None
        return {}

    async def _settle(self) -> None:
        all_places = await self._places()
        default = str((await document("info")).get("default_sink_name", ""))
        place = devices.used(all_places, self._chosen, default)
        if place is not None and place.id == self._chosen:
            await self._move_to(place)
        else:
            self._moved.clear()                 # the device may come back
        await self._report(devices.endpoints(all_places, place))

    async def _places(self) -> List[Place]:
        return devices.places(await document("list", "sinks"), await document("list", "sources"))

    async def _move_to(self, place: Place) -> None:
        """Moves what is not there yet. A stream that was moved once is left to the user, who may have
        another place for it in the mixer."""
        playing = await streams()
        present = {(each.kind, each.index) for each in playing}
        self._moved = {key: to for key, to in self._moved.items() if key in present}
        to_move = [each for each in playing if self._is_live(each)
                   and self._moved.get((each.kind, each.index)) != place.id]
        if to_move and place.port and not place.is_active:
            await pactl("set-sink-port", place.sink, place.port)
        for stream in to_move:
            target = place.sink if stream.kind == "sink-input" else place.source
            if target:
                await self._move(stream, target)
            self._moved[(stream.kind, stream.index)] = place.id

    async def _move(self, stream: Stream, target: str) -> None:
        """Moves a stream until it is there: PipeWire connects a new one to the default a moment after
        it has come, wherever it was moved to before."""
        log.info("moving %s %d", stream.kind, stream.index)
        for seconds in MOVE_SECONDS:
            try:
                await pactl(f"move-{stream.kind}", str(stream.index), target)
            except NoServer:
                if await self._place(stream) is None:
                    return                      # it has ended meanwhile
                raise
            await asyncio.sleep(seconds)
            if await self._place(stream) in (target, None):
                return
        self._say(f"the sound server does not move {stream.kind}s to where calls are heard")

    @staticmethod
    async def _place(stream: Stream) -> Optional[str]:
        """The name of the sink or source where a stream is; None if there is no such stream."""
        device = "sink" if stream.kind == "sink-input" else "source"
        for each in await document("list", stream.kind + "s"):
            if each["index"] == stream.index:
                names = {one["index"]: str(one["name"])
                         for one in await document("list", device + "s")}
                return names.get(each[device], "")
        return None

    def _is_live(self, stream: Stream) -> bool:
        live = {call["provider"] for call in self._host.calls.values() if call["state"] in LIVE}
        return any(app.identity in live and app.owns(stream) for app in self._apps())

    def _apps(self) -> List[App]:
        apps = list(self._given)
        for text in (self._host.hello.get("options") or {}).get("apps") or []:
            try:
                apps.append(App.parsed(text))
            except ValueError as error:
                self._say(f"option apps: {error}")
        return apps

    async def _report(self, endpoints: List[Endpoint]) -> None:
        """Tells the broker what has changed. A restarted plugin learns the user's choice by it."""
        if endpoints == self._reported or not self._host.connected:
            return
        try:
            reply = await self._host.report_endpoints(endpoints)
        except (BrokerError, ConnectionError) as error:
            self._say(f"endpoints are not reported: {error}")
            return
        self._reported = endpoints
        if not self._chosen and reply.get("chosen"):
            self._chosen = reply["chosen"]
            self._dirty.set()

    def _say(self, problem: str) -> None:
        if problem not in self._said:
            log.warning("%s", problem)
        self._said.add(problem)


async def serve(options: argparse.Namespace) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    host = AudioHost("pulse_endpoints", identity=IDENTITY, socket=options.socket,
                     topics=("call.*",))
    mover = Mover(host, options.app)
    await host.serve_beside(mover.follow_calls(), mover.follow_server(), mover.work())


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Lets the user choose the device on which calls are heard.")
    parser.add_argument("--app", type=App.parsed, action="append", default=[],
                        metavar="IDENTITY=PROGRAM", help="how the streams of a provider are known; "
                        "or IDENTITY=PROPERTY=VALUE, with any property of a stream")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("pulse_endpoints", lambda: serve(options), options.verbose, ValueError)


if __name__ == "__main__":
    sys.exit(main())
