"""What programs that make another app a provider have in common: the broker's side of them.

plugins/adapters/baresip and plugins/adapters/ofono are made with it. A subclass of `Leg` is a call as the app has it;
a subclass of `AppAdapter` knows how the app is asked, and what it tells. One file beside
callbroker.py, for Python 3.9 or later.
"""
from __future__ import annotations

import asyncio
import logging
import signal
import sys
from typing import (Any, Awaitable, Callable, Coroutine, Dict, Generic, List, Optional, Set, Tuple,
                    Type, TypeVar, cast)

from callbroker import (Action, AlreadyExists, BrokerError, Disconnected, EndDetail, Failed,
                        Handle, JSON, LiveCall, Provider, Reply, Update)

FEATURES = ("alerting", "tone")                 # of the protocol, that an adapter knows
ENDED_BY_FAILING = ("start", "answer", "end")   # actions that end the broker's call if they fail
SPARE_SECONDS = 0.75                            # of a deadline, for the answer to reach the broker


class Impossible(Exception):
    """The app can never be reached like this, and why."""


def seconds_for(action: Action, spare: float = SPARE_SECONDS) -> Optional[float]:
    """The seconds that an action may take so that so many are spared of its deadline, or half of
    a short one; None without a deadline."""
    whole = action.deadline_ms / 1000
    return max(whole - spare, whole / 2) if whole > 0 else None


def shortened(text: str, most: int) -> str:
    """At most so many bytes of it, and no U+0000."""
    return text.replace("\0", "").encode("utf-8")[:most].decode("utf-8", "ignore")


class Leg:
    """A call of the app, and who waits for what becomes of it."""

    def __init__(self, call: str, is_incoming: bool, name: str = "") -> None:
        self.call = call                        # the broker's id
        self.is_incoming = is_incoming
        self.name = name                        # of the far end
        self.line: Optional[str] = None         # the id of the registered line that has it
        self.remote_held = False
        self.has_rung = False                   # at the far end
        self.has_early_media = False            # sound of the far end before its answer
        self.is_starting = False                # by an action that is not settled
        self.is_asked_for = False               # dialed in the app; the broker has not agreed yet
        self.is_known = False                   # to the broker, which has replied so
        self.is_ending = False                  # by an action of the broker
        self.over: Optional[str] = None         # why nothing more will happen
        self.detail: EndDetail = {}             # the same for the broker, as far as the app knows
        self._awaited: Dict[str, List[asyncio.Future[None]]] = {}

    def handle(self) -> Handle:
        """The address of the far end."""
        raise NotImplementedError

    def broker_state(self) -> str:
        """The state, in the broker's word."""
        raise NotImplementedError

    def event(self, *names: str) -> asyncio.Future[None]:
        """The next event with one of these names; "over" is one. It fails when the call is over
        first."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for name in names:
            self._awaited.setdefault(name, []).append(future)
        if self.over is not None:
            self.close(self.over, self.detail)
        return future

    def happened(self, name: str) -> bool:
        """Tells whoever waits for the event. Returns whether somebody did."""
        waiting = [future for future in self._awaited.pop(name, []) if not future.done()]
        for future in waiting:
            future.set_result(None)
        return bool(waiting)

    def close(self, reason: str, detail: Optional[EndDetail] = None) -> None:
        """Tells everybody that nothing more will happen."""
        self.over = reason
        self.detail = detail or {}
        self.happened("over")
        for name in list(self._awaited):
            for future in self._awaited.pop(name):
                if not future.done():
                    future.set_exception(self._failure(reason))
                    future.exception()          # it may be that nobody waits any more

    def _failure(self, reason: str) -> Failed:
        """The failure of an action on a call that is over. That of a start is the broker's only
        report of the end, so it has the detail."""
        if not self.is_starting or not self.detail:
            return Failed("call_ended", reason)
        return Failed(self.detail.get("reason", "unspecified"), self.detail.get("text", ""),
                      app_code=self.detail.get("code"))

    def abilities(self) -> Update:
        """What the app can do with the call and what it cannot, where that is not what the broker
        takes for granted."""
        return {}

    def update(self) -> Update:
        """What the broker is told besides the address."""
        update = self.abilities()
        if self.name:
            update["display_name"] = shortened(self.name, 128)
        if self.remote_held:
            update["remote_held"] = True
        if self.has_early_media:
            update["has_early_media"] = True
        if self.line is not None:
            update["line"] = self.line
        return update

    def live(self) -> LiveCall:
        """How the broker learns of it after a pause."""
        self.is_asked_for, self.is_known = False, True  # it knows of the call by this
        live: LiveCall = {"call": self.call, "state": self.broker_state(), "remote": self.handle(),
                          "direction": "incoming" if self.is_incoming else "outgoing"}
        live.update(cast(LiveCall, self.update()))
        return live


L = TypeVar("L", bound=Leg)


class AppAdapter(Generic[L]):
    """One life of the app, from attaching to it until it is gone."""

    KINDS: Tuple[str, ...] = ()                 # of actions; the methods of these names do them

    def __init__(self, provider: Provider, app: str, log: logging.Logger,
                 refusal: Type[Exception]) -> None:
        self.provider = provider
        self.app = app                          # for people
        self.log = log
        self.refusal = refusal                  # raised where the app does not want to
        self.legs: Dict[str, L] = {}            # by the app's name for each
        self._tasks: Set[asyncio.Task[None]] = set()
        for kind in self.KINDS:
            provider.on_action(kind)(self._guarded(getattr(self, kind)))
        provider.reconcile(self.live_calls)
        provider.on_dropped(self._drop)
        provider.on("provider.reset")(self._reset)
        provider.on("provider.timed_out")(self._timed_out)

    async def live_calls(self) -> List[LiveCall]:
        """What the broker is told at registration."""
        return [leg.live() for leg in self.legs.values()]

    async def hang_up(self, leg: L) -> None:
        """Ends a call of the app."""
        raise NotImplementedError

    async def gone(self) -> None:
        """Returns when the app has gone for good."""
        raise NotImplementedError

    def disconnect(self) -> None:
        """Leaves the app and its calls to themselves."""
        raise NotImplementedError

    async def serve(self) -> bool:
        """Is a provider until the app has gone for good, and true then; false if the broker wants
        no more. Cancelled, it leaves the app and its calls to a successor."""
        serving = asyncio.ensure_future(self.provider.serve())
        gone = asyncio.ensure_future(self.gone())
        try:
            await asyncio.wait({serving, gone}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.provider.close(resumable=True)
            await serving
            raise
        finally:
            gone.cancel()
            self.close()
        is_gone = not serving.done()
        if is_gone:
            gone.result()
            self.log.info("%s is gone", self.app)
            await self._unregister()
        await serving
        return is_gone

    def close(self) -> None:
        """Leaves the app; nobody waits for its calls any more."""
        self.disconnect()
        for leg in self.legs.values():
            leg.close(f"{self.app} is gone")

    async def _unregister(self) -> None:
        try:
            await self.provider.unregister()
        except (BrokerError, Disconnected):
            pass
        self.provider.close()

    # ---- The broker's wishes

    def leg(self, call: str) -> L:
        """The one with the broker's id."""
        for leg in self.legs.values():
            if leg.call == call:
                return leg
        raise Failed("call_ended", f"{self.app} does not have the call")

    async def end(self, action: Action) -> None:
        """Hangs up, until the app says that the call is over. Some apps have more to do."""
        leg = next((each for each in self.legs.values() if each.call == action.call), None)
        if leg is None:
            return                              # it is over, and that is what was asked for
        leg.is_ending = True
        over = leg.event("over")
        await self.hang_up(leg)
        await over

    def _guarded(self, handler: Callable[[Action], Awaitable[None]]
                 ) -> Callable[[Action], Coroutine[Any, Any, None]]:
        async def guarded(action: Action) -> None:
            try:
                await self._in_time(handler, action)
            except Failed:
                if action.kind in ENDED_BY_FAILING:
                    self._let_go([action.call])
                raise
        return guarded

    async def _in_time(self, handler: Callable[[Action], Awaitable[None]], action: Action) -> None:
        """Performs it. Raises Failed, before the broker stops waiting."""
        try:
            await asyncio.wait_for(handler(action), seconds_for(action))
        except self.refusal as refusal:
            raise Failed("app_refused", str(refusal)) from None
        except asyncio.TimeoutError:
            raise self.too_late() from None
        except ConnectionError as error:
            raise Failed("app_gone", str(error) or f"{self.app} does not answer") from None

    def too_late(self) -> Failed:
        """Why an action is not done by its deadline."""
        return Failed("app_gone", f"{self.app} does not answer")

    def _let_go(self, calls: List[str]) -> None:
        """Hangs up calls that are over for the broker. One that cannot be hung up yet keeps its
        mark."""
        for leg in [leg for leg in self.legs.values() if leg.call in calls]:
            leg.is_ending = True
            self.do(self.hang_up(leg))

    async def _drop(self, calls: List[str]) -> None:
        self._let_go(calls)

    async def _timed_out(self, params: JSON) -> None:
        await self.leave_no_ghost()

    async def leave_no_ghost(self) -> None:
        """Hangs up every call that is over for the broker, after it could not be: a ghost would
        have an open microphone."""
        legs = [leg for leg in self.legs.values() if leg.is_known]
        known = {call["call"] for call in await self._known_calls()}
        self._let_go([leg.call for leg in legs if leg.is_ending or leg.call not in known])

    async def _known_calls(self) -> List[JSON]:
        """The calls that the broker has."""
        page = await self.provider.list_calls()
        calls = list(page["calls"])
        while page.get("next") is not None:
            page = await self.provider.list_calls(after=page["next"])
            calls += page["calls"]
        return calls

    async def _reset(self, params: JSON) -> None:
        await self._drop([leg.call for leg in self.legs.values()])

    # ---- What the app tells

    async def report_incoming(self, leg: L) -> None:
        """Somebody calls; a call that must not ring is hung up."""
        await self._offer(leg, "not to ring", self.provider.report_incoming(
            leg.call, leg.handle(), **leg.update()))

    def ask_to_start(self, leg: L) -> Coroutine[Any, Any, None]:
        """The user has dialled in the app itself."""
        leg.is_asked_for = True
        return self._offer(leg, "not to be called", self.provider.start(
            leg.handle(), call=leg.call, provider=self.provider.identity, line=leg.line))

    def begun(self, leg: L) -> None:
        """The broker knows of the call from now on; reports what it has missed."""
        leg.is_starting = leg.is_asked_for = False
        leg.is_known = True
        abilities = leg.abilities()
        if abilities:                           # no other report of a call that goes out has them
            self.tell(self.provider.report_update(leg.call, **abilities))
        if leg.has_rung:
            self._report_alerting(leg)

    def rings_there(self, leg: L, has_early_media: bool = False) -> None:
        """Reports that the far end rings, or that its sound has begun, once the broker knows of the
        call."""
        is_news = not leg.has_rung or has_early_media and not leg.has_early_media
        leg.has_rung = True
        leg.has_early_media = leg.has_early_media or has_early_media
        if is_news and not leg.is_starting and not leg.is_asked_for:
            self._report_alerting(leg)

    def _report_alerting(self, leg: L) -> None:
        self.tell(self.provider.report_alerting(leg.call, leg.has_early_media or None))

    async def _offer(self, leg: L, otherwise: str, reply: Awaitable[Any]) -> None:
        try:
            await reply
            leg.is_known = True
        except AlreadyExists:                   # reconciled in between; or it has ended since
            leg.is_asked_for, leg.is_known = False, True
            await self.leave_no_ghost()
        except BrokerError as error:
            self.log.info("%s: %s", otherwise, error)
            leg.is_ending = True
            await self.hang_up(leg)

    def tell(self, reply: Reply[Any]) -> None:
        """A report that nobody waits for. Without a connection the next registration tells all."""
        def told(reply: Any) -> None:
            error = None if reply.cancelled() else reply.exception()
            if error is not None and not isinstance(error, Disconnected):
                self.log.info("not taken: %s", error)
        reply.add_done_callback(told)

    def do(self, work: Coroutine[Any, Any, Any]) -> None:
        """Something that nobody waits for."""
        async def guarded() -> None:
            try:
                await work
            except (Failed, self.refusal, BrokerError, ConnectionError,
                    asyncio.TimeoutError) as error:
                self.log.info("left undone: %s", error)
        task = asyncio.ensure_future(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _lives(one_life: Callable[[], Awaitable[Optional[bool]]]) -> None:
    main_task = asyncio.current_task()
    if main_task is not None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, main_task.cancel)
    while await one_life() is not False:
        pass


def run(name: str, one_life: Callable[[], Awaitable[Optional[bool]]], is_verbose: bool) -> None:
    """One life of the app after the other, until somebody ends the program, or a life returns
    False: the broker wants no more."""
    logging.basicConfig(level=logging.INFO if is_verbose else logging.WARNING,
                        format="%(name)s: %(message)s")
    try:
        asyncio.run(_lives(one_life))
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
    except Impossible as impossible:
        sys.exit(f"{name}: {impossible}")
