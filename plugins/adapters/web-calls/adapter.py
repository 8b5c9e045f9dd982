"""Web calls as calls of CallBroker: what the pages do is reported, what the broker asks is done to
them."""
from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Dict, List

from app_adapter import AppAdapter
from browser import Broken, Browser, Refused
from callbroker import (Action, BrokerError, Disconnected, EndDetail, Failed, Filtered,
                        InvalidState, JSON, LimitReached, LiveCall, Provider, new_id)
from web_call import WebCall

log = logging.getLogger("web_calls")

ORDER_SECONDS = 3.0                             # for a page; the broker waits 5 s for a hold
CAMERA_SECONDS = 8.0                            # which the page may have to open
RING_GONE_SECONDS = 3.0                         # from a ring to the call, if it was answered
AWAY_SECONDS = 15.0                             # the broker ends what is not listed again by then
NEW_CALLS, NEW_CALLS_SECONDS = 10, 60.0         # of one site
CRASHED = "the page has crashed"
CLOSED = "the browser has ended, or its extension"


class Adapter(AppAdapter[WebCall]):
    """The provider of one profile of a browser."""

    KINDS = ("start", "answer", "end", "set_held", "set_muted", "set_video")

    def __init__(self, provider: Provider, browser: Browser) -> None:
        super().__init__(provider, provider.registration["display_name"], log, Refused)
        self.browser = browser
        self._begun: Dict[str, List[float]] = {}        # the latest calls of each site
        provider.on("audio.activated")(self._activated)
        provider.on("audio.deactivated")(self._deactivated)
        provider.on_change_participant(self._change_participant)

    async def live_calls(self) -> List[LiveCall]:
        live = []
        for leg in [leg for leg in self.legs.values() if leg.over is None]:
            if leg.is_reported:
                leg.has_audio = leg.has_audio or leg.is_live and not leg.is_held
                leg.is_listed, leg.told = True, leg.media()
                leg.roster.forget()
                live.append(leg.live())
            else:
                self._report(leg)               # as a new one, once this is done
        return live

    def leg(self, call: str) -> WebCall:
        leg = super().leg(call)
        if leg.over is not None:
            raise Failed("call_ended", leg.over)
        return leg

    # ---- The browser

    async def gone(self) -> None:
        following = asyncio.ensure_future(self._follow_broker())
        try:
            async for message in self.browser.states():
                self._told(message)
        except Broken as broken:
            log.warning("disconnected from the browser: %s", broken)
        finally:
            following.cancel()
        await self._all_over()

    def disconnect(self) -> None:
        pass

    async def _all_over(self) -> None:
        reports = [self.provider.report_ended(leg.call, "failed", detail={"text": CLOSED})
                   for leg in self.legs.values() if leg.over is None]
        for report in reports:
            try:
                await report
            except (BrokerError, Disconnected):
                pass                            # it is over there by the end of this provider

    async def _follow_broker(self) -> None:
        """Reports what has begun or changed while a session was being opened. Gives pages their
        audio back once the broker has been away for so long that their calls have ended there:
        nobody could resume them."""
        away = time.monotonic()
        while True:
            await asyncio.sleep(1)
            legs = [leg for leg in self.legs.values() if leg.over is None]
            if self.provider.connected:
                away = time.monotonic()
                for leg in legs:
                    if not leg.is_reported:
                        self._report(leg)
                    self._tell_media(leg)
                    self._tell_participants(leg)
            elif time.monotonic() - away > AWAY_SECONDS:
                for leg in legs:
                    self._release(leg)

    def _release(self, leg: WebCall) -> None:
        if leg.is_live and leg.is_silent:
            leg.is_held, leg.has_audio = False, True
            self.do(self._silence(leg))

    def _told(self, message: Dict[str, Any]) -> None:
        tab = message["tab"]
        leg = self.legs.get(tab)
        if "participants" in message:
            if leg is not None and leg.over is None:
                leg.roster.take(message)
                self._tell_participants(leg)
            return
        is_there = message.get("live") is True or message.get("ringing") is True
        if leg is None or leg.over is not None and leg.is_live < (message.get("live") is True):
            if is_there and self._may_begin(message):
                self._begins(tab, message)
        elif leg.over is not None:
            if not is_there:
                del self.legs[tab]
        else:
            self._goes_on(leg, message)

    def _may_begin(self, message: Dict[str, Any]) -> bool:
        now = time.monotonic()
        if len(self._begun) > 64:
            self._begun = {site: times for site, times in self._begun.items()
                           if times[-1] > now - NEW_CALLS_SECONDS}
        times = self._begun.setdefault(str(message.get("site"))[:255], [])
        times[:] = [at for at in times if at > now - NEW_CALLS_SECONDS][-NEW_CALLS:]
        if len(times) >= NEW_CALLS:
            log.warning("a page begins too many calls: they are not reported")
            return False
        times.append(now)
        return True

    def _begins(self, tab: int, message: Dict[str, Any]) -> None:
        leg = self.legs[tab] = WebCall(tab, message)
        leg.take(message)
        leg.is_muted = message.get("muted") is True
        if self.provider.connected:
            self._report(leg)
        else:
            leg.has_audio = not leg.is_held     # as without a broker, until there is one

    def _report(self, leg: WebCall) -> None:
        leg.is_reported, leg.is_listed, leg.told = True, False, leg.media()
        if leg.is_live:
            leg.has_audio = False
            self.do(self._join(leg))
        else:
            self.do(self.report_incoming(leg))

    def _goes_on(self, leg: WebCall, message: Dict[str, Any]) -> None:
        was_live, was_ringing = leg.is_live, leg.is_ringing
        leg.take(message)
        if leg.is_live and not was_live:
            self._answered(leg)
        elif was_live and not leg.is_live:
            self._ended(leg, str(message.get("reason")))
        elif was_ringing and not leg.is_ringing and not leg.is_live and not leg.is_starting:
            self.do(self._rang(leg, str(message.get("reason"))))
        name = leg.caller(message)
        if name is not None:
            self.tell(self.provider.report_update(leg.call, display_name=name))
        self._follow_mute(leg, message)
        self._tell_media(leg)

    def _follow_mute(self, leg: WebCall, message: Dict[str, Any]) -> None:
        is_muted = message.get("muted") is True
        if leg.is_live and leg.is_muted != is_muted:
            leg.is_muted = is_muted
            if not leg.is_asked_for and not leg.is_starting:
                self.tell(self.provider.report_muted(leg.call, is_muted))

    def _is_followed(self, leg: WebCall) -> bool:
        """Whether the broker takes reports of what changes."""
        return (self.provider.connected and leg.over is None and leg.is_listed
                and not leg.is_starting)

    def _tell_media(self, leg: WebCall) -> None:
        if self._is_followed(leg) and not leg.is_changing_video and leg.told != leg.media():
            leg.told = leg.media()
            self.tell(self.provider.report_update(leg.call, **leg.told))

    def _tell_participants(self, leg: WebCall) -> None:
        for change in leg.roster.changes() if self._is_followed(leg) else ():
            self.tell(self.provider.report_participants(
                leg.call, change.changed, change.removed, replace=change.replaces))

    # ---- Beginnings and ends

    async def _join(self, leg: WebCall) -> None:
        """The user has joined a call in the page, which is silent until the broker grants the
        audio."""
        leg.is_asked_for = True
        await self._silence_if_possible(leg)
        try:
            await self.provider.start(leg.handle(), call=leg.call, provider=self.provider.identity,
                                      wait="completed")
        except InvalidState:
            await self._join_held(leg)          # such as cannot_hold: the live call goes on
        except Disconnected:
            await self._join_later(leg)
        except BrokerError as error:
            await self._not_to_be(leg, error)
        leg.is_asked_for = False
        if leg.over is None and leg.is_muted:
            self.tell(self.provider.report_muted(leg.call, True))

    async def _join_later(self, leg: WebCall) -> None:
        """The broker is gone: the page goes on, and asks again. One that has been agreed to is listed
        as it is."""
        leg.is_reported, leg.has_audio = leg.is_known, True
        await self._silence(leg)

    async def _join_held(self, leg: WebCall) -> None:
        """Has the broker decide by rule 13: it sends the call back, held, while another that cannot
        be held is live."""
        leg.call = new_id()                     # the former one has failed to start
        leg.told = leg.media()
        try:
            await self.provider.report_incoming(leg.call, leg.handle(), **leg.update())
            await self.provider.report_connected(leg.call)
            leg.is_listed = True
        except BrokerError as error:
            await self._not_to_be(leg, error)

    async def report_incoming(self, leg: WebCall) -> None:
        try:
            await self.provider.report_incoming(leg.call, leg.handle(), **leg.update())
            leg.is_listed = True
        except Disconnected:
            leg.is_reported = False
        except BrokerError as error:
            await self._not_to_be(leg, error)

    async def _not_to_be(self, leg: WebCall, error: BrokerError) -> None:
        """What the rules refuse is ended in the page. It is left alone where the broker does not
        want the calls of this browser at all."""
        log.info("not to be: %s", error)
        if isinstance(error, (Filtered, InvalidState, LimitReached)):
            leg.is_ending = True
            await self.hang_up(leg)
            return
        leg.has_audio = True
        await self._silence(leg)
        self._over(leg, "the broker does not list it")

    def _answered(self, leg: WebCall) -> None:
        if not leg.happened("live"):            # by the user, in the page
            self.do(self._report_connected(leg))

    async def _report_connected(self, leg: WebCall) -> None:
        await self._silence_if_possible(leg)
        self.tell(self.provider.report_connected(leg.call))

    async def _rang(self, leg: WebCall, reason: str) -> None:
        """The ring is over: the call comes, or does not."""
        try:
            await asyncio.wait_for(leg.event("live"), RING_GONE_SECONDS)
        except asyncio.TimeoutError:
            if not leg.is_live and not leg.is_ringing and not leg.is_starting:
                self._ended(leg, reason)
        else:
            await self._report_connected(leg)

    def _over(self, leg: WebCall, why: str) -> None:
        """The call is over for the broker; it stays here until the page shows it no more."""
        leg.close(why)
        if not leg.is_live and not leg.is_ringing and self.legs.get(leg.tab) is leg:
            del self.legs[leg.tab]

    def _ended(self, leg: WebCall, reason: str) -> None:
        was_ending = leg.is_ending
        self._over(leg, "the call has ended in the page")
        if was_ending:
            return
        if reason in ("user", "left"):
            self.tell(self.provider.end(leg.call))
            return
        detail: EndDetail = {"text": CRASHED} if reason == "crashed" else {}
        self.tell(self.provider.report_ended(
            leg.call, "failed" if detail else "remote_ended", detail=detail or None))

    async def hang_up(self, leg: WebCall) -> None:
        if leg.is_live:
            await self.browser.order(leg.tab, "end", ORDER_SECONDS)
        elif leg.is_ringing:
            await self.browser.order(leg.tab, "decline", ORDER_SECONDS)
        if leg.over is None:
            self._over(leg, "ended by the broker")

    # ---- Audio

    async def _silence(self, leg: WebCall) -> None:
        """Makes the page as silent as it is to be."""
        is_silent = leg.is_held or not leg.has_audio
        if leg.is_live and leg.over is None:
            await self.browser.order(leg.tab, "hold" if is_silent else "resume", ORDER_SECONDS)

    async def _silence_if_possible(self, leg: WebCall) -> None:
        """The same for a call that is reported in any case."""
        try:
            await self._silence(leg)
        except (Refused, asyncio.TimeoutError) as error:
            log.info("the page is not silent: %s", error or "it does not answer")

    async def _activated(self, params: JSON) -> None:
        self._granted(params, True)

    async def _deactivated(self, params: JSON) -> None:
        self._granted(params, False)

    def _granted(self, params: JSON, has_audio: bool) -> None:
        for leg in self.legs.values():
            if leg.call in params.get("calls", []):
                leg.has_audio = has_audio
                self.do(self._silence(leg))

    # ---- Actions

    async def start(self, action: Action) -> None:
        """Agrees to a call that the user has joined in a page. Nothing else can be started."""
        if action.cause.get("origin") != "app":
            raise Failed("not_supported", "calls of web pages are started in the page", -32601)
        leg = self.leg(action.call)
        leg.is_listed, leg.told = True, leg.media()
        self.begun(leg)
        if leg.name:
            self.tell(self.provider.report_update(leg.call, display_name=leg.name))
        self.tell(self.provider.report_connected(leg.call))

    async def answer(self, action: Action) -> None:
        leg = self.leg(action.call)
        if leg.is_live:
            return
        leg.is_starting = True
        try:
            live = leg.event("live")
            order = "answer" if leg.video == "off" else "answer_video"
            await self.browser.order(leg.tab, order, ORDER_SECONDS)
            await asyncio.wait_for(live, max(1.0, 0.9 * action.deadline_ms / 1000))
        except (Refused, asyncio.TimeoutError):
            self._over(leg, "the page has not connected the call")
            raise Failed("no_media", "the page has not connected the call") from None
        finally:
            leg.is_starting = False

    async def end(self, action: Action) -> None:
        try:
            leg = self.leg(action.call)
        except Failed:
            return                              # it is over
        leg.is_ending = True
        await self.hang_up(leg)

    async def set_held(self, action: Action) -> None:
        leg = self.leg(action.call)
        leg.is_held = action.arguments["held"]
        if leg.is_held:
            try:
                await self._silence(leg)
            except (Refused, asyncio.TimeoutError):
                leg.is_held = False
                self.do(self._silence(leg))     # a page that does it late undoes it, too
                raise

    async def set_muted(self, action: Action) -> None:
        leg = self.leg(action.call)
        former, leg.is_muted = leg.is_muted, action.arguments["muted"]
        try:
            await self.browser.order(leg.tab, "mute" if leg.is_muted else "unmute", ORDER_SECONDS)
        except (Refused, asyncio.TimeoutError):
            leg.is_muted = former
            raise

    async def set_video(self, action: Action) -> None:
        """Of a ring it chooses the button. What the far end sends of what is wanted shows later."""
        leg, wanted = self.leg(action.call), action.arguments["video"]
        if not leg.is_live:
            leg.choose_video(wanted)
            return
        former, leg.is_changing_video = leg.video, True
        try:
            await self.browser.order(leg.tab, f"video_{wanted}", CAMERA_SECONDS)
        finally:
            leg.is_changing_video = False
        if leg.video == former != wanted:
            raise Failed("remote_refused", "the far end sends no video")
        leg.told = {**leg.media(), "video": wanted}

    async def _change_participant(self, call: str, participant: str, values: JSON) -> None:
        """Has the page press the button of a participant, and reports what the page lists then."""
        leg = self.leg(call)
        for member, value in values.items():
            try:
                await self.browser.order(leg.tab, "participant", ORDER_SECONDS, member=member,
                                         participant=participant, value=value)
            except (Refused, asyncio.TimeoutError):
                raise Failed("app_refused", "the page has not made the change") from None
