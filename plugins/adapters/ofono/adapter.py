"""A modem's calls as those of a provider, whatever service has them."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Awaitable, Coroutine, Dict, List, Optional, Type

from app_adapter import AppAdapter, shortened
from callbroker import Action, Failed, JSON, LineSetting, LiveCall, Provider
from line import INTERFACES, About, line_id
from line_settings import SETTING_INTERFACES, Settings, writes
from service import CALL, CALLS, SPLIT, Properties, Refused, Service
from voice import INCOMING, REFUSALS, STATES, Memory, Voice, ended
from waiting import Said, missing

log = logging.getLogger("ofono_provider")

CONNECTED = "connected"                         # by an answer at the modem itself
SETTLED_SECONDS = 5.0                           # for all calls to become what a command makes them


class Adapter(AppAdapter[Voice]):
    """One life of a modem, from finding it until it is gone. Its calls are known by their path."""

    KINDS = ("start", "answer", "end", "set_held", "set_group", "play_dtmf", "attended_transfer",
             "deflect")

    def __init__(self, provider: Provider, service: Type[Service], memory: Memory,
                 said: Said) -> None:
        super().__init__(provider, "the modem", log, Refused)
        self.memory = memory
        self._said = said
        self.service = service(self._happened)
        self._about = About()
        self._settings = Settings()
        self._turn = asyncio.Lock()             # a modem does one thing at a time
        self._dialled = ""                      # the broker's id of the call that is being dialled
        self._dialling: Optional[asyncio.Future[Voice]] = None
        provider.on_execute(self._take_over)
        provider.on_change_setting(self._change_setting)

    # ---- Attaching

    async def attach(self, address: Optional[str], modem: Optional[str], power: bool) -> None:
        """Connects, waits for a modem with calls, and finds out which there are."""
        await self.service.open(address)
        while not self.service.modem:
            self.service.changed.clear()
            self.service.modem = await self._modem(modem, power)
            if not self.service.modem:
                self._said.say(missing(self.service, await self.service.modems(), modem))
                await self.service.changed.wait()
            if self.service.lost.done():
                raise ConnectionError(f"{self.service.title} is gone")
        for path, properties in await self.service.calls():
            if path not in self.legs and properties.get("State") != "disconnected":
                self.legs[path] = self._voice(path, properties)
        self._keep()
        await self._look_at_modem()
        self.do(self._watch_modem())

    async def _modem(self, wanted: Optional[str], power: bool) -> str:
        for path, properties in await self.service.modems():
            if wanted not in (None, path):
                continue
            if CALLS in properties.get("Interfaces", []):
                if properties.get("Online") or not power:
                    return path
            if power:
                for name in ("Powered", "Online"):
                    if not properties.get(name):
                        await self.service.set_modem(path, name, True)
        return ""

    async def _watch_modem(self) -> None:
        """Without its interface for calls the modem is as good as gone."""
        while not self.service.lost.done():
            self.service.changed.clear()
            if not await self._modem(self.service.modem, False):
                self.service.close()
                return
            await self._look_at_modem()
            await self._look_at_settings()
            await self.service.changed.wait()

    # ---- The line

    async def _look_at_modem(self) -> None:
        """Reads all that makes the line: interfaces come and go with SIM card and network."""
        await self._about.read(self.service.properties)
        self._publish_line()

    async def _look_at_settings(self) -> None:
        """Reads what the network keeps, once the provider is registered: that may take long."""
        await self._settings.read(self.service.properties)
        self._publish_line()

    async def _change_setting(self, line: str, setting: LineSetting) -> None:
        if line != line_id(self.service.modem):
            raise Failed("unknown_line", "the line is another modem's")
        try:
            for interface, name, signature, value in writes(setting):
                await self.service.set_property(interface, name, signature, value)
            await self._look_at_settings()      # reported before the change is done
        except Refused as refusal:
            raise self._failure(refusal) from None
        except asyncio.TimeoutError:
            raise Failed("network_refused", "the network did not answer") from None

    def _publish_line(self) -> None:
        line = self._about.line(self.service.modem)
        settings = self._settings.list()
        if settings:
            line["settings"] = settings
        lines = [line]
        if lines != self.provider.registration.get("lines"):
            self.tell(self.provider.update(lines=lines))

    def _voice(self, path: str, properties: Properties) -> Voice:
        voice = self.memory.voice(self.service.life, path, properties, self.service.abilities)
        voice.line = line_id(self.service.modem)
        return voice

    async def gone(self) -> None:
        """The modem, or its service, is gone."""
        await asyncio.wait({self.service.lost})

    def disconnect(self) -> None:
        self.service.close()

    def _keep(self) -> None:
        self.memory.keep(self.service.life, list(self.legs.values()))

    async def live_calls(self) -> List[LiveCall]:
        joined = [voice for voice in self.legs.values() if voice.is_joined]
        for voice in joined[1:]:                # told after the registration
            self.tell(self.provider.report_group(voice.call, joined[0].call))
        return [voice.live() for voice in self._in(*STATES)]    # else it is about to be removed

    # ---- What a command does to all calls

    def _in(self, *states: str) -> List[Voice]:
        return [voice for voice in self.legs.values() if voice.state in states]

    async def _command(self, wanted: Dict[Voice, str], command: Awaitable[None]) -> None:
        """A command that concerns all calls, done when they are as wanted."""
        for voice, state in wanted.items():
            voice.expected = state
        try:
            await command
            await asyncio.wait_for(
                asyncio.gather(*[voice.becomes(state) for voice, state in wanted.items()]),
                SETTLED_SECONDS)
        except asyncio.TimeoutError:
            raise Failed("network_refused", "the calls did not become what they should") from None
        finally:
            for voice in wanted:
                voice.expected = None

    async def _swap(self) -> None:
        await self._command({**{voice: "held" for voice in self._in("active")},
                             **{voice: "active" for voice in self._in("held")}}, self.service.swap())

    async def _hold_and_answer(self, voice: Voice) -> None:
        await self._command({**{each: "held" for each in self._in("active")}, voice: "active"},
                            self.service.hold_and_answer())

    async def _private_chat(self, voice: Voice) -> None:
        others = [each for each in self._in("active") if each is not voice]
        await self._command({**{each: "held" for each in others}, voice: "active"},
                            self.service.split(voice.path))

    async def _send_away(self, voices: List[Voice], command: Awaitable[Any]) -> None:
        """A command after which the modem has none of these calls any more."""
        for voice in voices:
            voice.is_sent_away = True
        try:
            await command
            await asyncio.wait_for(asyncio.gather(*[voice.event("over") for voice in voices]),
                                   SETTLED_SECONDS)
        except Refused as refusal:
            raise self._failure(refusal) from None
        except (asyncio.TimeoutError, asyncio.CancelledError) as error:
            for voice in voices:
                if voice.was_hung_up():         # one of two, or in the same moment
                    self.tell(self.provider.report_ended(voice.call, "remote_ended"))
            if isinstance(error, asyncio.CancelledError):
                raise
            raise Failed("network_refused", "the modem still has the call") from None
        finally:
            for voice in voices:
                voice.is_sent_away = False
        if not all(voice.was_hung_up() for voice in voices):
            raise Failed("call_ended", "the far end has hung up")

    # ---- Transactions that one command does: holding alone would do it, or could not be

    async def _take_over(self, params: JSON) -> bool:
        actions = params["actions"]
        try:
            voices = [self.leg(action["call"]) for action in actions]
        except Failed:
            return False
        holds = [voice for action, voice in zip(actions, voices)
                 if action["kind"] == "set_held" and action["arguments"]["held"]]
        rest = [(action, voice) for action, voice in zip(actions, voices) if voice not in holds]
        if not holds or not rest or any(voice.state != "active" for voice in holds):
            return False
        kinds = {action["kind"] for action, _ in rest}
        last = rest[-1][1]
        if kinds == {"set_held"} and all(voice.state == "held" for _, voice in rest):
            work = self._swap()
        elif kinds == {"answer"} and last.state == "waiting":
            work = self._hold_and_answer(last)
        elif kinds == {"set_group"} and SPLIT in self.service.abilities and (
                rest[0][0]["arguments"].get("with") is None):
            work = self._private_chat(last)
        else:
            return False
        self.do(self._carry_out(actions, work))
        return True

    async def _carry_out(self, actions: List[JSON], work: Coroutine[Any, Any, None]) -> None:
        reason: Optional[str] = None
        try:
            async with self._turn:
                await work
        except Failed as failure:
            reason = failure.reason
        except (Refused, ConnectionError, asyncio.TimeoutError) as failure:
            log.info("not done: %s", failure)
            reason = "app_refused" if isinstance(failure, Refused) else "app_gone"
        for action in actions:
            self.tell(self.provider.settle(action["action"], "failed" if reason else "fulfilled",
                                            reason=reason))

    # ---- Actions: each ends by a signal

    async def start(self, action: Action) -> None:
        for known in self.legs.values():
            if known.call == action.call:       # it was dialled elsewhere
                return self.begun(known)
        if action.line not in (None, line_id(self.service.modem)):
            raise Failed("unknown_line", "the line is another modem's")
        async with self._turn:
            voice = await self._dial(action)
        action.progress(phase="dialing")
        try:
            await voice.becomes("alerting", "active")
        finally:
            voice.is_starting = False
        self.begun(voice)
        if voice.was_active:
            self.tell(self.provider.report_connected(voice.call))

    async def _dial(self, action: Action) -> Voice:
        self._dialled = action.call
        dialling = self._dialling = asyncio.get_running_loop().create_future()
        try:
            await self.service.dial(action.arguments["remote"]["value"])
            return await asyncio.wait_for(dialling, SETTLED_SECONDS)
        except Refused as refusal:
            raise self._failure(refusal) from None
        except asyncio.TimeoutError:
            raise Failed("app_refused", f"{self.service.title} made no call") from None
        finally:
            self._dialling = None

    async def answer(self, action: Action) -> None:
        voice = self.leg(action.call)
        async with self._turn:
            if voice.state == "waiting":
                await self._hold_and_answer(voice)
            elif voice.state == "incoming":
                voice.expected = "active"
                try:
                    await self.service.answer(voice.path)
                    await voice.becomes("active")
                finally:
                    voice.expected = None

    async def end(self, action: Action) -> None:
        try:
            voice = self.leg(action.call)
            voice.is_ending = True
            gone = voice.event("over")
            await self.hang_up(voice)
            await gone
        except Failed:
            pass                                # it is over, and that is what was asked for

    async def set_held(self, action: Action) -> None:
        """The modem has no hold of one call: what is active and what is held change places."""
        voice, held = self.leg(action.call), bool(action.arguments["held"])
        async with self._turn:
            if voice.state == ("held" if held else "active"):
                return
            if self._in("waiting"):
                raise Failed("call_waiting", "the modem cannot hold while another call waits, or "
                                             "that would be answered")
            if self._in("held" if held else "active"):
                raise Failed("one_on_hold", "the modem holds one call or conference, and would "
                                            "let the other speak")
            await self._swap()

    async def set_group(self, action: Action) -> None:
        voice, other = self.leg(action.call), action.arguments.get("with")
        async with self._turn:
            if other is None:
                await self._private_chat(voice)
                return
            self.leg(other)
            members = self._in("active", "held")
            joined = asyncio.gather(*[member.becomes("joined") for member in members])
            await self._command({member: "active" for member in members}, self.service.join())
            await joined

    async def play_dtmf(self, action: Action) -> None:
        """There is no signal; the answer comes when they have been played."""
        voice = self.leg(action.call)
        await self.service.send_tones(voice.path, action.arguments["digits"])

    async def attended_transfer(self, action: Action) -> None:
        """The modem joins the active call and the one that it holds, and leaves both."""
        voices = [self.leg(action.call), self.leg(action.arguments["with"])]
        async with self._turn:
            active, held = self._in("active"), self._in("held")
            if len(active) != 1 or len(held) != 1 or set(voices) != {*active, *held}:
                raise Failed("not_two_calls", "the modem joins one active and one held call, and "
                                              "has others")
            await self._send_away(voices, self.service.transfer())

    async def deflect(self, action: Action) -> None:
        voice, number = self.leg(action.call), action.arguments["to"]["value"]
        async with self._turn:
            await self._send_away([voice], self.service.deflect(voice.path, number))

    # ---- Signals

    def _happened(self, path: str, what: str, values: List[Any]) -> None:
        voice = self.legs.get(path)
        interface, _, member = what.rpartition(".")
        if interface in INTERFACES and member == "PropertyChanged":
            self._about.changed(interface, values[0], values[1])
            self._publish_line()
        elif interface in SETTING_INTERFACES and member == "PropertyChanged":
            self._settings.changed(interface, values[0], values[1])
            self._publish_line()
        elif what == f"{CALLS}.CallAdded":
            self._appeared(values[0], values[1])
        elif what == f"{CALLS}.CallRemoved":
            self._over(values[0])
        elif voice is None:
            return
        elif what == f"{CALL}.DisconnectReason":
            voice.reason = values[0]
        elif what == f"{CALL}.PropertyChanged":
            self._changed(voice, values[0], values[1])

    def _appeared(self, path: str, properties: Properties) -> None:
        if path in self.legs:                   # it was listed already
            return
        voice = self.legs[path] = self._voice(path, properties)
        if voice.state in INCOMING:
            self.do(self.report_incoming(voice))
        elif self._dialling is not None and not self._dialling.done():
            voice.call, voice.is_starting = self._dialled, True
            self._dialling.set_result(voice)
        else:
            self.do(self.ask_to_start(voice))
        self._keep()

    async def hang_up(self, leg: Voice) -> None:
        async with self._turn:
            if leg.over is None:
                await self.service.hang_up(leg.path)

    def _changed(self, voice: Voice, name: str, value: Any) -> None:
        if name == "State":
            self._became(voice, str(value))
        elif name == "LineIdentification":
            self._has_number(voice, str(value))
        elif name == "StartTime":
            voice.started = str(value)
            self._keep()
        elif name == "Multiparty":
            voice.is_joined = bool(value)
            if voice.is_joined:
                self._joined(voice)
        elif name == "RemoteHeld" and voice.remote_held != bool(value):
            voice.remote_held = bool(value)
            self.tell(self.provider.report_update(voice.call, remote_held=voice.remote_held))
        self._report_late()

    def _has_number(self, voice: Voice, number: str) -> None:
        """The number of a caller may come after the ring; that of a call that goes out is known."""
        if number in ("", voice.number):
            return
        voice.number = number
        self._keep()
        if voice.is_incoming:
            self.tell(self.provider.report_update(voice.call, remote=voice.handle()))

    def _failure(self, refusal: Refused) -> Failed:
        """What a refusal of the service says to the broker."""
        return Failed(REFUSALS.get(refusal.name, "app_refused"), str(refusal),
                      app_code=shortened(f"{self.service.title} {refusal.name}", 64))

    def _joined(self, voice: Voice) -> None:
        """Unless it was asked for, somebody did it at the modem."""
        voice.happened("joined")
        others = [each for each in self.legs.values() if each.is_joined and each is not voice]
        if voice.expected is None and others:
            self.tell(self.provider.report_group(voice.call, others[0].call))

    def _became(self, voice: Voice, state: str) -> None:
        voice.state = state
        is_first, is_asked = not voice.was_active, voice.expected == state
        voice.was_active = voice.was_active or state in ("active", "held")
        if state == "alerting":
            self.rings_there(voice)
        voice.happened(state)
        if state not in ("active", "held") or is_asked or voice.is_starting:
            return
        if voice.unreported == CONNECTED:       # and is held already
            self.tell(self.provider.report_connected(voice.call))
        voice.unreported = CONNECTED if is_first and state == "active" else state

    def _report_late(self) -> None:
        """Reports what happened at the modem itself. That a call is active waits while another one
        still is, which is held or joined with it a moment later."""
        for voice in self.legs.values():
            is_early = voice.state == "active" and any(
                other.state == "active" and not (other.is_joined and voice.is_joined)
                for other in self.legs.values() if other is not voice)
            if not voice.unreported or is_early:
                continue
            what, voice.unreported = voice.unreported, ""
            if what == CONNECTED:
                self.tell(self.provider.report_connected(voice.call))
            else:
                self.tell(self.provider.report_held(voice.call, what == "held"))

    def _over(self, path: str) -> None:
        voice = self.legs.pop(path, None)
        if voice is None:
            return
        self._keep()
        self._report_late()
        voice.reason = voice.reason or self.service.silent_end
        reason, detail = ended(voice.reason, voice.could_talk())
        voice.close(f"the call is over: {voice.reason or 'the modem does not say why'}", detail)
        is_told = voice.is_ending or voice.is_starting or (
            voice.is_sent_away and voice.was_hung_up())
        if not is_told:
            if voice.was_hung_up():             # at the modem by its user
                self.tell(self.provider.end(voice.call))
            else:
                self.tell(self.provider.report_ended(voice.call, reason, detail=detail or None))
