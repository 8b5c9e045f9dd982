#!/usr/bin/env python3
"""Makes a baresip a provider of CallBroker; --help tells the options.

It attaches to the control port of baresip (module ctrl_tcp), starts one if it is to, reports what
happens there, and does there what the broker asks. The provider is registered exactly while baresip
runs.
"""
from __future__ import annotations

import argparse
import asyncio
import logging
import signal
import sys
from pathlib import Path
from typing import Any, Awaitable, Callable, Coroutine, Dict, List, Optional, Set

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]

from callbroker import (Action, AlreadyExists, BrokerError, Disconnected, Failed, JSON, LiveCall,
                        Provider, Reply)
from advice import refused, waiting
from ctrl_tcp import (CallDebug, ControlPort, Event, ListedCall, Refused, audio_direction,
                      call_debug, listed_calls)
from launch import Impossible, Launch
from line import Line, Memory, end_reason, handle
from options import Endpoint, arguments

log = logging.getLogger("baresip_provider")

SPARE_SECONDS = 0.5                             # kept of a deadline, to undo what did not work
RESUMED_SECONDS = 1.0                           # for the far end to agree to what is put right
ATTACH_SECONDS = (0.1, 2.0)                     # between tries, the first and the longest
ATTACH_AGAIN = 10                               # tries before a lost baresip counts as ended


class Adapter:
    """One life of baresip, from attaching until it is gone."""

    def __init__(self, provider: Provider, memory: Memory) -> None:
        self.provider = provider
        self.memory = memory
        self.lines: Dict[str, Line] = {}        # by Call-ID
        self._port = ControlPort(self._happened)
        self._turn = asyncio.Lock()             # commands work on "the current call"
        self._dialing: Optional[asyncio.Future[Line]] = None
        self._dialled = ""
        self._dial_turn = asyncio.Lock()
        self._tasks: Set[asyncio.Task[None]] = set()
        for kind in ("start", "answer", "end", "set_held", "set_muted", "play_dtmf"):
            provider.on_action(kind)(self._guarded(getattr(self, kind)))
        provider.reconcile(self._live_calls)
        provider.on_dropped(self._drop)
        provider.on("provider.reset")(self._reset)

    # ---- Attaching

    async def attach(self, control: Endpoint) -> None:
        """Connects, and finds out which calls there are. Raises OSError, or Refused."""
        self._port = ControlPort(self._happened)
        await self._port.open(control)
        found = await self._survey()
        self.memory.keep(set(found))
        for line in list(self.lines.values()):
            if line.id not in found:
                self._closed(line, "lost")
        for line in found.values():
            if line.id not in self.lines and self.provider.connected:
                self._do(self._report_late(line))
            known = self.lines.setdefault(line.id, line)
            if line.is_established and not known.is_established:
                self._established(known)
            self._set_held(known, line.held)

    @property
    def lost(self) -> asyncio.Future[None]:
        """Done when baresip, or the connection to it, is gone."""
        return self._port.lost

    def close(self) -> None:
        """Leaves baresip and its calls to themselves; nobody waits for them any more."""
        self._port.close()
        for line in self.lines.values():
            line.close("baresip is gone")

    async def _survey(self) -> Dict[str, Line]:
        found: Dict[str, Line] = {}
        async with self._turn:
            for listed in listed_calls(await self._port.command("listcalls")):
                _, text = await self._port.commands(("line", str(listed.line)), ("callstat", None))
                debug = call_debug(text)
                if debug is not None:
                    found[debug.id] = self._found(debug, listed)
        return found

    def _found(self, debug: CallDebug, listed: ListedCall) -> Line:
        line = Line(debug.id, self.memory.call(debug.id), debug.is_incoming, debug.peer,
                    debug.name)
        line.is_established = debug.state == "ESTABLISHED"
        line.held = line.is_established and listed.is_held
        line.muted = None
        return line

    def _live_calls(self) -> List[LiveCall]:
        return [line.live() for line in self.lines.values()]

    # ---- Commands

    async def _on(self, line: Line, command: str, params: Optional[str] = None) -> str:
        """A command for one call. baresip's commands work on the current one, so that is set."""
        async with self._turn:
            return await self._on_current(line, command, params)

    async def _on_current(self, line: Line, command: str, params: Optional[str] = None) -> str:
        """Once to see whether it is there, and once more in one breath with the command: a call
        that comes in between becomes the current one, and would be hung up instead."""
        callfind = ("callfind", line.id)
        found = await self._port.command(*callfind)
        if "setting current call" in found:
            found, answer = await self._port.commands(callfind, (command, params))
        if "setting current call" not in found:
            raise Failed("call_ended", "baresip does not know the call any more")
        return answer

    async def _is_marked_held(self, line: Line) -> bool:
        text = await self._on(line, "listcalls")
        return any(listed.is_held for listed in listed_calls(text) if listed.is_current)

    def _guarded(self, handler: Callable[[Action], Awaitable[None]]
                 ) -> Callable[[Action], Coroutine[Any, Any, None]]:
        async def guarded(action: Action) -> None:
            try:
                await handler(action)
            except Refused as refusal:
                raise Failed("app_refused", str(refusal)) from None
            except ConnectionError as error:
                raise Failed("app_gone", str(error)) from None
        return guarded

    def _line(self, action: Action) -> Line:
        for line in self.lines.values():
            if line.call == action.call:
                return line
        raise Failed("call_ended", "baresip does not have the call")

    # ---- Actions: each ends by an event

    async def start(self, action: Action) -> None:
        if any(line.call == action.call for line in self.lines.values()):
            return                              # the user dialled in baresip itself
        async with self._dial_turn:
            line = await self._dial(action)
        try:
            if not line.has_rung and not line.is_established:
                await line.event("rung")
        finally:
            line.is_starting = False
        if line.closed is not None:             # in the same moment
            raise Failed("call_ended", line.closed)
        if line.is_established:
            self._tell(self.provider.report_connected(line.call))

    async def _dial(self, action: Action) -> Line:
        self._dialled = action.call
        dialing: asyncio.Future[Line] = asyncio.get_running_loop().create_future()
        self._dialing = dialing
        try:
            async with self._turn:
                await self._port.command("dial", action.arguments["remote"]["value"])
                action.progress(phase="dialing")
                if not dialing.done():          # silent until the far end rings
                    debug = call_debug(await self._port.command("callstat"))
                    if debug is not None and not debug.is_incoming and not dialing.done():
                        self._dialled_line(debug.id, debug.peer)
        finally:
            self._dialing = None
        if not dialing.done():
            raise Failed("app_refused", "baresip made no call")
        return dialing.result()

    def _dialled_line(self, id: str, peer: str) -> Line:
        line = self.lines[id] = Line(id, self._dialled, False, peer)
        line.is_starting = True
        self.memory.learn(id, line.call)
        if self._dialing is not None:
            self._dialing.set_result(line)
        return line

    async def answer(self, action: Action) -> None:
        line = self._line(action)
        if line.is_established:
            return
        established = line.event("established")
        async with self._turn:
            await self._on_current(line, "accept")
            if not line.is_answering:
                await self._accept_again(line)
        await established

    async def _accept_again(self, line: Line) -> None:
        """Accepting, baresip first holds the call before; when that one rings, it gives up after
        marking it as held. The second time it goes on, and the marks are to be taken away: resume
        does it, and says that it cannot."""
        await self._on_current(line, "accept")
        for other in list(self.lines.values()):
            if other is not line and not other.is_established:
                try:
                    await self._on_current(other, "resume")
                except (Refused, Failed):
                    pass

    async def end(self, action: Action) -> None:
        async with self._dial_turn:             # it may be the one that is being dialled
            pass
        try:
            line = self._line(action)
            closed = line.event("closed")
            line.is_ending = True
            await self._on(line, "hangup")
            await closed
        except Failed:
            pass                                # it is over, and that is what was asked for

    async def set_held(self, action: Action) -> None:
        line, held = self._line(action), bool(action.arguments["held"])
        seconds = max(action.deadline_ms / 1000 - SPARE_SECONDS, SPARE_SECONDS)
        async with line.turn:
            if line.held == held:
                return
            agreed = line.event("agreed")
            try:
                await self._on(line, "hold" if held else "resume")
                await asyncio.wait_for(agreed, seconds)
            except asyncio.TimeoutError:
                await self._on(line, "resume" if held else "hold")
                raise Failed("remote_refused", "the far end did not agree") from None
            except asyncio.CancelledError:
                self._do(self._on(line, "resume" if held else "hold"))
                raise
            line.held = held
        if not held:
            self._do(self._look_for_remote_hold(line))

    async def set_muted(self, action: Action) -> None:
        """There is no event: the answer tells the new state, and the command toggles."""
        line, muted = self._line(action), bool(action.arguments["muted"])
        if line.muted == muted:
            return
        for _ in range(2):
            text = await self._on(line, "mute")
            line.muted = "call muted" in text
            if line.muted == muted:
                return
        raise Failed("app_refused", "baresip does not say that it did it")

    async def play_dtmf(self, action: Action) -> None:
        """There is no event, and baresip plays by itself."""
        await self._on(self._line(action), "sndcode", action.arguments["digits"])

    # ---- Events

    def _happened(self, event: Event) -> None:
        kind, id = event.get("type"), event.get("id")
        if not isinstance(id, str):
            return
        line = self.lines.get(id) or self._appeared(id, event)
        if line is None:
            return
        if kind in ("CALL_RINGING", "CALL_PROGRESS") and not line.is_incoming:
            line.has_rung = True
            line.happened("rung")
        elif kind == "CALL_ESTABLISHED":
            self._established(line)
        elif kind == "CALL_REMOTE_SDP" and not line.is_established:
            line.is_answering = True
        elif kind == "CALL_REMOTE_SDP":
            if event.get("param") == "offer":
                self._do(self._look_for_remote_hold(line))
            elif not line.happened("agreed"):
                self._do(self._look_for_own_hold(line))
        elif kind == "CALL_CLOSED":
            self._closed(line, str(event.get("param", "")))

    def _appeared(self, id: str, event: Event) -> Optional[Line]:
        kind, peer = event.get("type"), str(event.get("peeruri", ""))
        if kind == "CALL_INCOMING":
            line = self.lines[id] = Line(id, self.memory.call(id), True, peer,
                                         str(event.get("peerdisplayname", "")))
            self._do(self._report_incoming(line))
            return line
        if event.get("direction") != "outgoing" or kind == "CALL_CLOSED":
            return None
        if self._dialing is not None and not self._dialing.done():
            return self._dialled_line(id, peer)
        line = self.lines[id] = Line(id, self.memory.call(id), False, peer)
        self._do(self._ask_to_start(line))      # the user dialled in baresip itself
        return line

    async def _report_incoming(self, line: Line) -> None:
        try:
            await self.provider.report_incoming(line.call, handle(line.peer), **line.update())
        except AlreadyExists:
            pass                                # reconciled in between
        except BrokerError as error:
            log.info("not to ring: %s", error)
            line.is_ending = True
            await self._on(line, "hangup")

    async def _ask_to_start(self, line: Line) -> None:
        try:
            await self.provider.start(handle(line.peer), call=line.call,
                                      provider=self.provider.identity)
        except AlreadyExists:
            pass
        except BrokerError as error:
            log.info("not to be called: %s", error)
            line.is_ending = True
            await self._on(line, "hangup")

    async def _report_late(self, line: Line) -> None:
        """It came while the control port was lost, and the broker has had its list."""
        await (self._report_incoming(line) if line.is_incoming else self._ask_to_start(line))
        if line.is_established and not line.is_ending:
            self._tell(self.provider.report_connected(line.call))
            if line.held:
                self._tell(self.provider.report_held(line.call, True))

    def _established(self, line: Line) -> None:
        line.is_established = True
        asked = line.happened("established")
        line.happened("rung")
        if not asked and not line.is_starting:
            self._tell(self.provider.report_connected(line.call))

    def _closed(self, line: Line, param: str) -> None:
        del self.lines[line.id]
        self.memory.keep(set(self.lines))
        line.close(param)
        reason = end_reason(param)
        if not line.is_ending and not line.is_starting:
            self._tell(self.provider.end(line.call) if reason is None
                       else self.provider.report_ended(line.call, reason))
        for other in self.lines.values():
            if other.held and not other.turn.locked():
                self._do(self._put_back_on_hold(other, other.event("agreed")))

    async def _put_back_on_hold(self, line: Line, resumed: asyncio.Future[None]) -> None:
        """When a call ends baresip resumes another one by itself. That is not for it to decide."""
        async with line.turn:
            if await self._is_marked_held(line):
                resumed.cancel()
                return
            await asyncio.wait({resumed}, timeout=RESUMED_SECONDS)
            agreed = line.event("agreed")
            await self._on(line, "hold")
            await asyncio.wait({agreed}, timeout=RESUMED_SECONDS)

    async def _look_for_own_hold(self, line: Line) -> None:
        """An answer that nobody asked for: baresip, or its user, has held or resumed."""
        self._set_held(line, await self._is_marked_held(line))

    def _set_held(self, line: Line, held: bool) -> None:
        if line.held != held:
            line.held = held
            self._tell(self.provider.report_held(line.call, held))

    async def _look_for_remote_hold(self, line: Line) -> None:
        """A remote hold is only to be seen in the direction of the sound."""
        direction = audio_direction(await self._on(line, "audio_debug"))
        remote_held = direction in ("recvonly", "inactive")
        if line.remote_held != remote_held:
            line.remote_held = remote_held
            self._tell(self.provider.report_update(line.call, remote_held=remote_held))

    # ---- The broker's other wishes

    async def _drop(self, calls: List[str]) -> None:
        for line in [line for line in self.lines.values() if line.call in calls]:
            line.is_ending = True
            self._do(self._on(line, "hangup"))

    async def _reset(self, params: JSON) -> None:
        await self._drop([line.call for line in self.lines.values()])

    def _tell(self, reply: Reply[Any]) -> None:
        """A report that nobody waits for. Without a connection the next registration tells all."""
        def told(reply: Any) -> None:
            error = None if reply.cancelled() else reply.exception()
            if error is not None and not isinstance(error, Disconnected):
                log.info("not taken: %s", error)
        reply.add_done_callback(told)

    def _do(self, work: Coroutine[Any, Any, Any]) -> None:
        async def guarded() -> None:
            try:
                await work
            except (Failed, Refused, BrokerError, ConnectionError) as error:
                log.info("left undone: %s", error)
        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def provider(options: argparse.Namespace) -> Provider:
    """As which the broker gets to know baresip."""
    return Provider(
        options.identity, options.display_name, name="baresip_provider", socket=options.socket,
        handle_types=["generic", "phone"], url_schemes=["sip", "sips"], app_process="separate",
        max_call_groups=options.calls, max_calls_per_group=1)


async def attached(adapter: Adapter, options: argparse.Namespace, launch: Launch) -> None:
    """Attaches, after starting it if it is to be. Raises Impossible."""
    delay, longest = ATTACH_SECONDS
    has_said = False
    while True:
        try:
            await adapter.attach(options.control)
            return
        except Refused as refusal:
            raise Impossible(refused(options.control, options.config, refusal)) from None
        except OSError as error:
            if options.start and not launch.is_started:
                launch.start()
            elif not options.start and not has_said:
                has_said = True
                log.warning("%s", waiting(options.control, options.config, error))
            launch.check()
            await asyncio.sleep(delay)
            delay = delay if options.start else min(delay * 2, longest)


async def one_life(options: argparse.Namespace, memory: Memory, launch: Launch) -> None:
    """From the first connection to baresip until it has gone for good."""
    registered = provider(options)
    adapter = Adapter(registered, memory)
    await attached(adapter, options, launch)
    log.info("attached, %d calls", len(adapter.lines))
    serving = asyncio.ensure_future(registered.serve())
    try:
        while True:
            await asyncio.wait({serving, adapter.lost}, return_when=asyncio.FIRST_COMPLETED)
            if serving.done() or not await attached_again(adapter, options.control):
                break
    except asyncio.CancelledError:
        registered.close(resumable=True)          # baresip and its calls live on
        await serving
        if not adapter.lines:
            launch.stop()                         # unless it has none, and was started here
        raise
    finally:
        adapter.close()
    if not serving.done():
        log.info("baresip is gone")
        launch.gone()
        try:
            await registered.unregister()
        except (BrokerError, Disconnected):
            pass
        registered.close()
    await serving


async def attached_again(adapter: Adapter, control: Endpoint) -> bool:
    """Whether baresip is still there after the connection was lost."""
    for _ in range(ATTACH_AGAIN):
        try:
            await adapter.attach(control)
            return True
        except (OSError, Refused):
            await asyncio.sleep(ATTACH_SECONDS[0])
    return False


async def lives(options: argparse.Namespace) -> None:
    """One life of baresip after the other."""
    main_task = asyncio.current_task()
    if main_task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, main_task.cancel)
    memory = Memory(options.memory, options.identity)
    launch = Launch(options)
    while True:
        await one_life(options, memory, launch)


def main() -> None:
    options = arguments()
    logging.basicConfig(level=logging.INFO if options.verbose else logging.WARNING,
                        format="%(name)s: %(message)s")
    try:
        asyncio.run(lives(options))
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
    except Impossible as impossible:
        sys.exit(f"baresip_provider: {impossible}")


if __name__ == "__main__":
    main()
