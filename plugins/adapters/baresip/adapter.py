"""What baresip does and is asked to do: its events, and the broker's actions."""
from __future__ import annotations

import asyncio
import logging
from typing import Dict, Optional

from accounts import Accounts
from app_adapter import AppAdapter, seconds_for, shortened
from callbroker import Action, Failed, Provider
from commands import Commands
from ctrl_tcp import (CallDebug, ControlPort, Event, ListedCall, Refused, Silent,
                      audio_direction, call_debug, listed_calls)
from leg import (LOST, NOT_TRANSFERRED, TRANSFERRED, End, Memory, SipLeg, dialed, ending,
                 refusal_of_transfer, target)
from options import Endpoint
from sounds import Sounds, player_of

UNDO_SECONDS = 1.0                              # kept of a deadline, to undo what did not work
RESUMED_SECONDS = 1.0                           # for the far end to agree to what is put right
ATTACH_AGAIN_SECONDS = 0.1                      # between tries to find it again
ATTACH_AGAIN = 10                               # tries before a lost baresip counts as ended


class Adapter(AppAdapter[SipLeg]):
    """One life of baresip, from attaching until it is gone. Its calls are known by Call-ID."""

    KINDS = ("start", "answer", "end", "set_held", "set_muted", "play_dtmf", "transfer",
             "set_endpoint")

    def __init__(self, provider: Provider, memory: Memory, sounds: Sounds,
                 account: Optional[str] = None, gateway: Optional[str] = None) -> None:
        super().__init__(provider, "baresip", logging.getLogger("baresip_provider"), Refused)
        self.memory = memory
        self._control: Optional[Endpoint] = None
        self._account = account                 # that baresip is to have, with its password
        self._gateway = gateway                 # of numbers
        self._sounds = sounds
        self._port = ControlPort(self._happened)
        self._accounts = Accounts()
        self._commands = Commands(self._accounts)
        self._account_events = 0                # so far
        self._dialing: Optional[asyncio.Future[SipLeg]] = None
        self._dialled = ""
        self._dial_turn = asyncio.Lock()

    # ---- Attaching

    async def attach(self, control: Endpoint) -> None:
        """Connects, and finds out which calls there are. Raises OSError, or Refused."""
        self._control = control
        self._port = self._commands.port = ControlPort(self._happened)
        await self._port.open(control)
        await self._look_for_accounts()
        await self._open_account()
        await self._look_for_sound()
        found = await self._survey()
        self.memory.keep(set(found))
        for leg in list(self.legs.values()):
            if leg.id not in found:
                self._closed(leg, LOST)
        for leg in found.values():
            is_new = leg.id not in self.legs and self.provider.connected
            known = self.legs.setdefault(leg.id, leg)
            if is_new and not self._is_given_up(leg):
                self.do(self._report_late(leg))
            if leg.is_established and not known.is_established:
                self._established(known)
            elif leg.has_rung:
                self._rings_there(known, leg.has_early_media)
            self._set_held(known, leg.held)

    async def gone(self) -> None:
        """The connection is lost, and cannot be had again."""
        while True:
            await asyncio.wait({self._port.lost})
            self.log.info("baresip does not answer; attaching anew")
            if not await self._attached_again():
                return
            if self.provider.connected:
                self.do(self.leave_no_ghost())

    async def _attached_again(self) -> bool:
        """Whether it is there. One that hangs is: it takes the connection, and nothing more."""
        tries, control = 0, self._control
        while control is not None and tries < ATTACH_AGAIN:
            try:
                await self.attach(control)
                return True
            except Silent:
                self.log.info("baresip hangs")
            except (OSError, Refused):
                tries += 1
                await asyncio.sleep(ATTACH_AGAIN_SECONDS)
        return False

    def disconnect(self) -> None:
        self._port.close()

    async def _look_for_accounts(self) -> None:
        """Finds out which accounts there are, and reports them as lines if that is news. Asks once
        more if an event came meanwhile, which may be newer than the answer."""
        try:
            asked_at, answer = -1, ""
            while asked_at != self._account_events:
                asked_at = self._account_events
                answer = await self._port.command("apistate")
            self._accounts.replace(answer)
        except Refused as refusal:
            self.log.info("no lines: %s", refusal)
        self._publish_lines()

    async def _open_account(self) -> None:
        """Makes the account that baresip is to have, unless it has it. The password is sent, so
        that it is in no file; and what the registrar answers comes as an event."""
        if self._account is None:
            return
        aor = self._account[1:].partition(";")[0]
        if aor not in self._accounts:
            await self._port.command("uanew", self._account)
            await self._look_for_accounts()

    def answering_accounts(self) -> List[str]:
        """The addresses of the accounts that answer by themselves."""
        return self._accounts.answering

    def _publish_lines(self) -> None:
        lines = self._accounts.lines()
        if lines != self.provider.registration.get("lines", []):
            self.tell(self.provider.update(lines=lines))

    async def _look_for_sound(self) -> None:
        """Finds out which device plays. It plays all calls."""
        if not self._sounds:
            return
        player = player_of(await self._port.command("config"))
        if not self._sounds.uses(player):
            return
        for leg in self.legs.values():
            leg.endpoints = self._sounds.endpoints()
            if self.provider.connected:
                self.tell(self.provider.report_update(leg.call, endpoints=leg.endpoints))

    async def _survey(self) -> Dict[str, SipLeg]:
        """Goes through the calls of each account; the current account is the same afterwards."""
        found: Dict[str, SipLeg] = {}
        selected = self._accounts.selected or ""
        async with self._commands.turn:
            for aor in self._accounts.addresses or [""]:
                *_, text = await self._port.commands(
                    *self._commands.selecting(aor), ("listcalls", None))
                for listed in listed_calls(text):
                    leg = await self._surveyed(aor, listed)
                    if leg is not None:
                        found[leg.id] = leg
            selecting = self._commands.selecting(selected)
            if selecting:
                await self._port.commands(*selecting)
        return found

    async def _surveyed(self, aor: str, listed: ListedCall) -> Optional[SipLeg]:
        *_, text = await self._port.commands(
            *self._commands.selecting(aor), ("line", str(listed.line)), ("callstat", None))
        debug = call_debug(text)
        return None if debug is None else self._found(aor, debug, listed)

    def _leg(self, id: str, aor: str, call: str, is_incoming: bool, peer: str,
             name: str = "") -> SipLeg:
        leg = SipLeg(id, aor, call, is_incoming, peer, name)
        leg.line = self._accounts.line(aor)
        leg.endpoints = self._sounds.endpoints()
        return leg

    def _found(self, aor: str, debug: CallDebug, listed: ListedCall) -> SipLeg:
        leg = self._leg(debug.id, aor, self.memory.call(debug.id), debug.is_incoming, debug.peer,
                        debug.name)
        leg.is_established = debug.state == "ESTABLISHED"
        leg.has_rung = not leg.is_incoming and debug.state in ("RINGING", "EARLY")
        leg.has_early_media = leg.has_rung and debug.state == "EARLY"
        leg.held = leg.is_established and listed.is_held
        leg.muted = None
        return leg

    # ---- Actions: each ends by an event

    async def start(self, action: Action) -> None:
        known = next((leg for leg in self.legs.values() if leg.call == action.call), None)
        if known is not None:                   # the user dialled in baresip itself
            return self.begun(known)
        async with self._dial_turn:
            leg = await self._dial(action)
        try:
            if not (leg.has_rung or leg.is_established):
                await leg.event("rung")
            if leg.over is not None:            # in the same moment: fails with why
                await leg.event("rung")
        finally:
            leg.is_starting = False
        self.begun(leg)
        if leg.is_established:
            self.tell(self.provider.report_connected(leg.call))

    async def _calling_account(self, action: Action) -> str:
        """The account that places a call, which is the current one now."""
        aor = self._accounts.aor(action.line) if action.line else self._accounts.default
        if aor is None and action.line:
            raise Failed("unknown_line", "baresip does not have the account")
        selecting = self._commands.selecting(aor or "")
        if selecting:
            await self._port.commands(*selecting)
        return aor or ""

    async def _dial(self, action: Action) -> SipLeg:
        self._dialled = action.call
        dialing: asyncio.Future[SipLeg] = asyncio.get_running_loop().create_future()
        self._dialing = dialing
        try:
            async with self._commands.turn:
                aor = await self._calling_account(action)
                await self._commands.dial(aor, dialed(action.arguments["remote"], self._gateway))
                action.progress(phase="dialing")
                if not dialing.done():          # silent until the far end rings
                    *_, text = await self._port.commands(
                        *self._commands.selecting(aor), ("callstat", None))
                    debug = call_debug(text)
                    if debug is not None and not debug.is_incoming and not dialing.done():
                        self._dialled_leg(debug.id, aor, debug.peer)
        finally:
            self._dialing = None
        if not dialing.done():
            raise Failed("app_refused", "baresip made no call")
        return dialing.result()

    def _is_given_up(self, leg: SipLeg) -> bool:
        """Whether it is what a start became that had failed before: then it is hung up."""
        if leg.is_incoming or not self._commands.has_given_up(leg.handle()["value"]):
            return False
        self._let_go([leg.call])
        return True

    def _dialled_leg(self, id: str, aor: str, peer: str) -> SipLeg:
        leg = self.legs[id] = self._leg(id, aor, self._dialled, False, peer)
        leg.is_starting = True
        self.memory.learn(id, leg.call)
        if self._dialing is not None:
            self._dialing.set_result(leg)
        return leg

    async def answer(self, action: Action) -> None:
        leg = self.leg(action.call)
        if leg.is_established:
            return
        established = leg.event("established")
        async with self._commands.turn:
            await self._commands.on_current(leg, "accept")
            if not leg.is_answering:
                await self._accept_again(leg)
        await established

    async def _accept_again(self, leg: SipLeg) -> None:
        """Accepting, baresip first holds the call before; when that one rings, it gives up after
        marking it as held. The second time it goes on, and the marks are to be taken away: resume
        does it, and says that it cannot."""
        await self._commands.on_current(leg, "accept")
        for other in list(self.legs.values()):
            if other is not leg and not other.is_established:
                try:
                    await self._commands.on_current(other, "resume")
                except (Refused, Failed):
                    pass

    async def end(self, action: Action) -> None:
        async with self._dial_turn:             # it may be the one that is being dialled
            pass
        try:
            leg = self.leg(action.call)
            closed = leg.event("over")
            leg.is_ending = True
            await self._commands.on(leg, "hangup")
            await closed
        except Failed:
            pass                                # it is over, and that is what was asked for

    async def set_held(self, action: Action) -> None:
        leg, held = self.leg(action.call), bool(action.arguments["held"])
        seconds = seconds_for(action, UNDO_SECONDS)
        until = None if seconds is None else asyncio.get_running_loop().time() + seconds
        async with leg.turn:
            if leg.held != held:
                await self._hold(leg, held, until)
        if not held:
            self.do(self._look_for_remote_hold(leg))

    async def _hold(self, leg: SipLeg, held: bool, until: Optional[float]) -> None:
        """Holds or resumes, until the far end has agreed; takes it back if that one does not until
        then, or if it is cancelled."""
        agreed = leg.event("agreed")
        try:
            await self._commands.on(leg, "hold" if held else "resume")
            left = None if until is None else until - asyncio.get_running_loop().time()
            await asyncio.wait_for(agreed, left)
        except (asyncio.CancelledError, asyncio.TimeoutError) as error:
            self.do(self._commands.on(leg, "resume" if held else "hold"))
            if isinstance(error, asyncio.CancelledError):
                raise
            raise Failed("remote_refused", "the far end did not agree in time") from None
        leg.held = held

    async def set_muted(self, action: Action) -> None:
        """There is no event: the answer tells the new state, and the command toggles."""
        leg, muted = self.leg(action.call), bool(action.arguments["muted"])
        if leg.muted == muted:
            return
        for _ in range(2):
            text = await self._commands.on(leg, "mute")
            leg.muted = "call muted" in text
            if leg.muted == muted:
                return
        raise Failed("app_refused", "baresip does not say that it did it")

    async def play_dtmf(self, action: Action) -> None:
        """There is no event, and baresip plays by itself."""
        await self._commands.on(self.leg(action.call), "sndcode", action.arguments["digits"])

    async def set_endpoint(self, action: Action) -> None:
        """The answer to the command proves nothing: the configuration tells which device plays."""
        sound = self._sounds.find(action.arguments["endpoint"])
        async with self._commands.turn:
            answer = await self._port.command("auplay", sound.player)
            await self._look_for_sound()
            if not self._sounds.plays(sound):
                raise Failed("no_such_device", shortened(answer.strip(), 256))
            if sound.source is not None:
                await self._port.command("ausrc", sound.source)

    async def transfer(self, action: Action) -> None:
        """The far end reports what has become of it, and baresip hangs up in the end."""
        leg, address = self.leg(action.call), target(dialed(action.arguments["to"], self._gateway))
        settled = leg.event("over", "refused")
        leg.is_leaving, leg.refusal = True, ""
        try:
            await self._commands.on(leg, "transfer", address)
            await settled
        except asyncio.CancelledError:
            if leg.detail == TRANSFERRED:       # in the same moment: nobody takes the success
                self._tell_end(leg, "remote_ended")
            raise
        finally:
            leg.is_leaving = False
        if leg.refusal:
            raise refusal_of_transfer(leg.refusal)
        if leg.detail != TRANSFERRED:
            raise Failed("call_ended", "the call is over, and nobody knows whether it was "
                                       "transferred")

    # ---- Events

    def _happened(self, event: Event) -> None:
        kind, id = event.get("type"), event.get("id")
        if event.get("class") in ("register", "mwi"):
            return self._account_happened(event)
        if not isinstance(id, str):
            return
        leg = self.legs.get(id) or self._appeared(id, event)
        if leg is None:
            return
        if kind == "CALL_RTCP":
            self._measured(leg, event)
        if kind in ("CALL_RINGING", "CALL_PROGRESS") and not leg.is_incoming:
            self._rings_there(leg, kind == "CALL_PROGRESS")     # with SDP, so with sound
        elif kind == "CALL_ESTABLISHED":
            self._established(leg)
        elif kind == "CALL_REMOTE_SDP" and not leg.is_established:
            leg.is_answering = True
        elif kind == "CALL_REMOTE_SDP":
            if event.get("param") == "offer":
                self.do(self._look_for_remote_hold(leg))
            elif not leg.happened("agreed"):
                self.do(self._look_for_own_hold(leg))
        elif kind == "TRANSFER_FAILED":
            leg.refusal = str(event.get("param") or "refused")
            leg.happened("refused")
            self.do(self._look_whether_it_goes_on(leg))
        elif kind == "CALL_CLOSED":
            self._closed(leg, ending(str(event.get("param", "")), leg.has_rung))

    def _account_happened(self, event: Event) -> None:
        self._account_events += 1
        aor = str(event.get("accountaor", ""))
        is_news = self._accounts.happened(str(event.get("type")), aor, str(event.get("param", "")))
        if aor not in self._accounts:
            self.do(self._look_for_accounts())  # somebody has made one
        elif is_news:
            self._publish_lines()

    def _appeared(self, id: str, event: Event) -> Optional[SipLeg]:
        kind, peer = event.get("type"), str(event.get("peeruri", ""))
        aor = str(event.get("accountaor", ""))
        if kind == "CALL_RTCP":
            return None
        is_auto_answered = kind == "CALL_ESTABLISHED" and event.get("direction") == "incoming"
        if kind == "CALL_INCOMING" or is_auto_answered:
            leg = self.legs[id] = self._leg(id, aor, self.memory.call(id), True, peer,
                                            str(event.get("peerdisplayname", "")))
            leg.is_established = is_auto_answered
            self.do(self._report_late(leg) if is_auto_answered else self.report_incoming(leg))
            return leg
        if event.get("direction") != "outgoing":
            return None
        if self._dialing is not None and not self._dialing.done():
            return self._dialled_leg(id, aor, peer)     # perhaps it is refused already
        if kind == "CALL_CLOSED":
            return None
        leg = self.legs[id] = self._leg(id, aor, self.memory.call(id), False, peer)
        if not self._is_given_up(leg):
            self.do(self.ask_to_start(leg))     # the user dialled in baresip itself
        return leg

    def _measured(self, leg: SipLeg, event: Event) -> None:
        report = leg.quality.measured(event.get("rtcp_stats"))
        if report and event.get("param") == "audio" and leg.is_established:
            self.tell(self.provider.report_quality(leg.call, **report))

    def too_late(self) -> Failed:
        if self._port.is_waiting:
            return super().too_late()
        return Failed("app_refused", "baresip does not report that it did it")

    async def hang_up(self, leg: SipLeg) -> None:
        await self._commands.on(leg, "hangup")

    async def _report_late(self, leg: SipLeg) -> None:
        """It came while the control port was lost, and the broker has had its list; or baresip
        has answered it by itself (answermode=auto)."""
        await (self.report_incoming(leg) if leg.is_incoming else self.ask_to_start(leg))
        if leg.is_established and not leg.is_ending:
            self.tell(self.provider.report_connected(leg.call))
            if leg.held:
                self.tell(self.provider.report_held(leg.call, True))

    def _rings_there(self, leg: SipLeg, has_early_media: bool) -> None:
        self.rings_there(leg, has_early_media)
        leg.happened("rung")

    def _established(self, leg: SipLeg) -> None:
        if leg.is_established:                  # reported with its first event
            return
        leg.is_established = True
        asked = leg.happened("established")
        leg.happened("rung")
        if not asked and not leg.is_starting:
            self.tell(self.provider.report_connected(leg.call))

    def _closed(self, leg: SipLeg, end: End) -> None:
        del self.legs[leg.id]
        self.memory.keep(set(self.legs))
        leg.close(end.text, end.detail)
        is_settled = leg.is_ending or leg.is_starting or (
            leg.is_leaving and end.detail == TRANSFERRED)
        if not is_settled:
            self._tell_end(leg, end.reason)
        for other in self.legs.values():
            if other.held and not other.turn.locked():
                self.do(self._put_back_on_hold(other, other.event("agreed")))

    def _tell_end(self, leg: SipLeg, reason: Optional[str]) -> None:
        """Without a reason it was the user of baresip."""
        self.tell(self.provider.end(leg.call) if reason is None else
                  self.provider.report_ended(leg.call, reason, detail=leg.detail or None))

    async def _look_whether_it_goes_on(self, leg: SipLeg) -> None:
        """After a transfer that failed baresip 1.0.0 hangs up, without an event."""
        try:
            await self._commands.on(leg, "callstat")
        except Failed:
            if leg.over is None:
                self._closed(leg, NOT_TRANSFERRED)

    async def _put_back_on_hold(self, leg: SipLeg, resumed: asyncio.Future[None]) -> None:
        """When a call ends baresip resumes another one by itself. That is not for it to decide."""
        async with leg.turn:
            if await self._commands.is_marked_held(leg):
                resumed.cancel()
                return
            await asyncio.wait({resumed}, timeout=RESUMED_SECONDS)
            agreed = leg.event("agreed")
            await self._commands.on(leg, "hold")
            await asyncio.wait({agreed}, timeout=RESUMED_SECONDS)

    async def _look_for_own_hold(self, leg: SipLeg) -> None:
        """An answer that nobody asked for: baresip, or its user, has held or resumed."""
        self._set_held(leg, await self._commands.is_marked_held(leg))

    def _set_held(self, leg: SipLeg, held: bool) -> None:
        if leg.held != held:
            leg.held = held
            self.tell(self.provider.report_held(leg.call, held))

    async def _look_for_remote_hold(self, leg: SipLeg) -> None:
        """A remote hold is only to be seen in the direction of the sound."""
        direction = audio_direction(await self._commands.on(leg, "audio_debug"))
        remote_held = direction in ("recvonly", "inactive")
        if leg.remote_held != remote_held:
            leg.remote_held = remote_held
            self.tell(self.provider.report_update(leg.call, remote_held=remote_held))
