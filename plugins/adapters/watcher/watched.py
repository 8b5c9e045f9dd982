"""An app that is watched, as a provider of the broker while it records."""
from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import time
from typing import Awaitable, Callable, List, Optional

from callbroker import (JSON, Action, BrokerError, Disconnected, EndDetail, Failed, LiveCall,
                        Provider, generic, new_id)
from recognition import Rule

log = logging.getLogger("watcher")

IDENTITY = "org.callbroker.watcher"             # those of the apps are below it
FEATURES = ("alerting",)
STREAM_ENDED: EndDetail = {
    "reason": "stream_ended", "text": "the app no longer uses the microphone"}
REPORTED_BY_ANOTHER: EndDetail = {
    "reason": "reported_by_another", "text": "another provider reports the calls of the app"}


@dataclasses.dataclass
class Kept:
    """What a successor has to know of a call."""

    call: str
    since_ms: int
    held: bool = False
    muted: bool = False                         # its microphone, by the broker
    is_ended: bool = False                      # for the broker; the app has it still


class Session(Provider):
    """A provider that says when it is registered."""

    registers: Optional[Callable[[], None]] = None

    async def _opened(self) -> None:
        await super()._opened()
        if self.registers is not None:
            self.registers()


class WatchedApp:
    """One app from the beginning of its call to the end, whatever the broker makes of it meanwhile.

    Args:
        rule: of the app.
        kept: what a predecessor has left of it; None: the call begins now.
        settled: waits until the sound server is as `silences` says.
        changed: says that this, or what is to be kept, has changed.
    """

    def __init__(self, rule: Rule, kept: Optional[Kept], socket: Optional[str],
                 settled: Callable[[], Awaitable[None]], changed: Callable[[], None]) -> None:
        self.rule = rule
        self.kept = kept or begun()
        self._settled, self._changed = settled, changed
        self._is_registered = False             # by the broker that there is, or was a moment ago
        self._is_granted = False                # it has the audio
        self.provider = Session(
            f"{IDENTITY}.{rule.app}", rule.name, socket=socket, features=FEATURES,
            handle_types=["generic"], kind="watched", app_process="separate", max_call_groups=1,
            max_calls_per_group=1)
        self.provider.registers = self._registered
        self.provider.reconcile(self._calls)
        self.provider.on_dropped(self._drop)
        self.provider.on_set_held(self._set_held)
        self.provider.on_set_muted(self._set_muted)
        self.provider.on_end(self._end)
        self.provider.on("audio.activated")(self._activated)
        self.provider.on("audio.deactivated")(self._deactivated)
        self.provider.on("provider.reset")(self._reset)
        self.provider.on("provider.authorization_changed")(self._ask_again)
        self._following: Optional[asyncio.Future[None]] = None
        self._serving = asyncio.ensure_future(self._serve())

    # ---- What has to be silent

    @property
    def is_silent(self) -> bool:
        """Whether neither side may be heard."""
        is_waiting = self._is_registered and not self._is_granted
        return self.kept.is_ended or self.kept.held or is_waiting

    @property
    def is_muted(self) -> bool:
        """Whether its microphone is to be off."""
        return self.is_silent or self.kept.muted

    def let_go(self) -> None:
        """There is no broker any more: the app is nobody's to mute."""
        self.kept.held = self.kept.muted = self._is_registered = self._is_granted = False
        if self.kept.is_ended:                  # what goes on is another call
            self.kept = begun()
        self._changed()

    async def unmuted(self) -> None:
        """Somebody else has given its sound back: the user wants to go on with this call."""
        if self.kept.is_ended:
            self.kept = begun()
            await self._ask_again({})
        elif self.kept.held:
            self.kept.held = False
            await self._report(self.provider.report_held(self.kept.call, False))
        elif self.kept.muted:
            self.kept.muted = False
            await self._report(self.provider.report_muted(self.kept.call, False))
        self._changed()

    # ---- Its life

    async def _serve(self) -> None:
        try:
            await self.provider.serve()
        except (BrokerError, OSError) as error:
            log.warning("%s is not watched: %s", self.rule.name, error)
            self.let_go()

    async def over(self, detail: EndDetail = STREAM_ENDED) -> None:
        """It records no more, and who ended the call is not known; or another provider has it."""
        if self.provider.connected and not self.kept.is_ended:
            await self._report(self.provider.report_ended(
                self.kept.call, "remote_ended", detail=detail))
        if self.provider.connected:
            await self._report(self.provider.unregister())
        await self.leave()

    async def leave(self) -> None:
        """Ends the connection, and leaves the call to a successor."""
        self.provider.close(resumable=True)
        with contextlib.suppress(asyncio.CancelledError):
            await self._serving

    async def _report(self, reply: Awaitable[JSON]) -> None:
        try:
            await reply
        except Disconnected:
            pass                                # the next registration tells it
        except BrokerError as error:
            log.info("not taken: %s", error)

    # ---- The broker's side

    async def _calls(self) -> List[LiveCall]:
        return [] if self.kept.is_ended else [self._live()]

    def _live(self) -> LiveCall:
        return {"call": self.kept.call, "direction": "outgoing",
                "state": "held" if self.kept.held else "active",
                "remote": generic(self.rule.app), "display_name": self.rule.name,
                "connected_at_ms": self.kept.since_ms, "supports_grouping": False,
                "supports_ungrouping": False, "supports_dtmf": False}

    def _registered(self) -> None:
        """A call that the broker did not take for want of room is silent; one of an app that may
        have no calls is left alone."""
        self._following = asyncio.ensure_future(self._follow_registration())

    async def _follow_registration(self) -> None:
        if self.kept.muted:                     # what a registration does not tell
            await self._report(self.provider.report_muted(self.kept.call, True))
        await self._report(self.provider.ping())    # behind the audio, if it has that at once
        status = self.provider.registered.get("authorization", "authorized")
        self._is_registered = status == "authorized"
        self._changed()

    async def _ask_again(self, params: JSON) -> None:
        """Registers anew on the same connection, with the call, which the broker may not know."""
        members = {**self.provider.registration, "calls": await self._calls()}
        with contextlib.suppress(BrokerError, Disconnected):
            self.provider.registered = await self.provider.register(**members)
            await self._drop(self.provider.registered.get("dropped", []))
            self._registered()

    async def _drop(self, calls: List[str]) -> None:
        if self.kept.call in calls and self.provider.registered.get(
                "authorization", "authorized") == "authorized":
            self.kept.is_ended = True
            self._changed()

    async def _reset(self, params: JSON) -> None:
        """Its calls are over. That an administrator has denied them is no reason to mute the app."""
        self.let_go()
        if params.get("reason") != "admin":
            self.kept = begun()
            await self._ask_again({})

    async def _activated(self, params: JSON) -> None:
        self._is_granted = True
        self._changed()

    async def _deactivated(self, params: JSON) -> None:
        self._is_granted = False
        self._changed()

    async def _set_held(self, action: Action) -> None:
        await self._become("held", bool(action.arguments["held"]))

    async def _set_muted(self, action: Action) -> None:
        await self._become("muted", bool(action.arguments["muted"]))

    async def _become(self, member: str, value: bool) -> None:
        former = getattr(self.kept, member)
        setattr(self.kept, member, value)
        try:
            await self._settled()
        except BaseException:                   # it failed, or the broker no longer wants it
            setattr(self.kept, member, former)
            self._changed()
            raise

    async def _end(self, action: Action) -> None:
        self.kept.is_ended = True
        await self._settled()
        raise Failed("not_supported", f"{self.rule.name} can only be left in {self.rule.name}; "
                     "until then it is muted")


def begun() -> Kept:
    """A call that begins now."""
    return Kept(new_id(), int(time.time() * 1000))
