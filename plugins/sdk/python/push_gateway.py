"""What the gateways of pushes have in common: plugins by which a server outside pushes to an app of
this host. A gateway has an address for each type of push that an app takes, reports it to the
broker, and delivers what comes there; the broker starts the app for it."""
from __future__ import annotations

import asyncio
import collections
import json
import logging
import re
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import (Any, Awaitable, Callable, Coroutine, Counter, Dict, NoReturn, Optional, Set,
                    Tuple)

import kept_file
from apps import Apps
from callbroker import (JSON, BrokerError, Controller, Disconnected, Filtered, InvalidState,
                        LimitReached, Observer, Overloaded, ProviderGone)

log = logging.getLogger("push")

TOPICS = ("provider.*",)
PAYLOAD_BYTES = 5_120
TTL_MS_MAX = 600_000
PENDING = 64                                    # pushes on their way to the broker, at most
ADDRESSES = 256                                 # that are remembered
TYPE = re.compile(r"[a-z][a-z0-9_]{0,63}")
CHOICES = NEVER, BLOCKED, ALL = "never", "blocked", "all"
# Refusals that the user has not aimed at the caller.
PASSING = frozenset(("do_not_disturb", "in_call"))
DEFAULTS: Dict[str, Any] = {"ttl_ms": 30_000, "ask_first": NEVER}


class Refused(Exception):
    """A push is not delivered; the text says why, without anything of its contents."""


@dataclass
class Address:
    """Where a server pushes to one app. What `kept` has survives this program: the gateway's own
    secrets and names."""

    provider: str
    type: str
    name: str                                   # of the app, for people
    kept: Dict[str, Any] = field(default_factory=dict)
    token: Optional[str] = None                 # for the app; None while there is none

    @property
    def key(self) -> Tuple[str, str]:
        return self.provider, self.type


def restored(kept: JSON) -> Address:
    """An address as it was remembered. `TypeError` or `ValueError` if it is damaged."""
    address = Address(**kept)
    if not all(isinstance(each, str) for each in (*address.key, address.name)) or not isinstance(
            address.kept, dict):
        raise ValueError("an address is damaged")
    return address


def read_payload(text: bytes) -> JSON:
    """The object that a server has sent. `Refused` for anything else."""
    def refuse(_: str) -> NoReturn:
        raise ValueError("no number of JSON")
    if len(text) > PAYLOAD_BYTES:
        raise Refused("it has more than 5,120 bytes")
    try:
        payload = json.loads(text.decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Refused("it is not JSON") from None
    if not isinstance(payload, dict):
        raise Refused("it is not a JSON object")
    return payload


def remaining_ms(payload: JSON, ttl_ms: int, expiry_ms: Optional[int], now_ms: int) -> int:
    """How long a push is still good: as its transport says, and for `ttl_ms` from the time that its
    sender names in `sent_at_ms`, whose clock may be ahead."""
    left = min(ttl_ms if expiry_ms is None else expiry_ms, TTL_MS_MAX)
    sent = payload.get("sent_at_ms")
    if type(sent) is int:
        left = min(left, ttl_ms, sent + ttl_ms - now_ms)
    return left


def caller_of(payload: JSON) -> Optional[Dict[str, str]]:
    """The caller, if the server names one as `{"type": "phone", "value": "+15550100"}`."""
    caller = payload.get("caller")
    if not isinstance(caller, dict) or set(caller) != {"type", "value"}:
        return None
    return caller if all(isinstance(each, str) for each in caller.values()) else None


class Connection(Controller, Observer):
    """The connection to the broker; `begun` is called in each new session."""

    roles: Tuple[str, ...] = ("observer", "controller")

    def __init__(self, name: str, begun: Callable[[], None], **client: Any) -> None:
        super().__init__(name, topics=TOPICS, **client)
        self.has_session = asyncio.Event()
        self._begun = begun

    async def _opened(self) -> None:
        await super()._opened()
        self.has_session.set()
        self._begun()

    def _lost(self) -> None:
        self.has_session.clear()
        super()._lost()


class PushGateway:
    """The broker's side of a gateway, which `open`s and `close`s the addresses on its own side.

    Args:
        state: the file in which addresses are remembered, also of apps that do not run.
        chosen: the options of the user, with those of `DEFAULTS`.
        open: is called for each address, once, and returns its token; None for one that comes later, by
            `set_token`.
        close: is called when an app takes such pushes no more.
        client: as in `Client`.
    """

    def __init__(self, name: str, state: Path, chosen: JSON, open: Callable[[Address], Optional[str]],
                 close: Callable[[Address], None], **client: Any) -> None:
        self.addresses: Dict[Tuple[str, str], Address] = {}
        self.refused: Counter[str] = collections.Counter()
        self._broker = Connection(name, self._announce, **client)
        self._open, self._close = open, close
        self._state, self._apps = state, Apps()
        self._ttl_ms, self._ask_first = int(chosen["ttl_ms"]), chosen["ask_first"]
        self._pending = 0

    async def serve_beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
        self._restore()
        await self._broker.serve_beside(self._follow(), work)

    # -- The apps

    def _restore(self) -> None:
        """Opens the addresses of the last run."""
        try:
            kept = [restored(each) for each in kept_file.read(self._state) or []]
        except (OSError, ValueError, TypeError) as error:
            log.warning("%s cannot be read (%s): apps get new addresses", self._state, error)
            kept = []
        for address in kept[:ADDRESSES]:
            self.addresses[address.key] = address
        for address in self.addresses.values():
            before = dict(address.kept)
            token = self._open(address)
            if address.kept != before:          # it was damaged, and is another one
                self.save()
            self.set_token(address, token)

    def save(self) -> None:
        """Remembers all addresses; is called after a change of `kept`."""
        try:
            kept_file.write(self._state, [
                {"provider": each.provider, "type": each.type, "name": each.name,
                 "kept": each.kept} for each in self.addresses.values()])
        except OSError as error:
            log.warning("addresses are not remembered: %s", error)

    async def _follow(self) -> None:
        """Keeps the addresses in step with the apps, until the connection is closed."""
        async for event in self._broker:
            try:
                await self._apps.follow(self._broker, event)
            except (BrokerError, Disconnected) as problem:
                log.info("apps are not known: %s", problem)
                continue
            self._compare()
            if event["topic"] in ("provider.added", "provider.resumed"):
                self._announce(event["data"]["provider"])
            elif event["topic"] == "snapshot":
                log.info("following %d apps, with %d addresses", len(self._apps),
                         len(self.addresses))

    def _compare(self) -> None:
        for provider, app in self._apps.items():
            self._apps.startable.pop(provider, None)    # what it says now counts
            types = self._add_types(app)
            for key in [key for key in self.addresses if key[0] == provider]:
                if key[1] not in types:
                    self._remove(self.addresses[key])
        for app in self._apps.startable.values():
            self._add_types(app)                # one that has not run since this program came

    def _add_types(self, app: JSON) -> Set[str]:
        """Returns the types of push that an app takes, which have addresses now."""
        types = set(filter(TYPE.fullmatch, app.get("push_types") or ()))
        for type in sorted(types):
            key = app["provider"], type
            if key in self.addresses:
                continue
            if len(self.addresses) >= ADDRESSES:
                log.warning("%s gets no address: %d are remembered; stop this program, and remove "
                            "%s", key[0], ADDRESSES, self._state)
                continue
            address = self.addresses[key] = Address(*key, name=app["display_name"])
            token = self._open(address)
            self.save()                         # what an app has been told survives this program
            self.set_token(address, token)
        return types

    def _remove(self, address: Address) -> None:
        log.info("%s takes no %s pushes any more", address.provider, address.type)
        del self.addresses[address.key]
        self._close(address)
        self.set_token(address, None)
        self.save()

    # -- Their addresses

    def set_token(self, address: Address, token: Optional[str]) -> None:
        """The address by which a server reaches the app from now on."""
        if token != address.token:
            address.token = token
            self._report(address)

    def _announce(self, provider: Optional[str] = None) -> None:
        for address in self.addresses.values():
            if provider in (None, address.provider) and address.token is not None:
                self._report(address)

    def _report(self, address: Address) -> None:
        reply = self._broker.set_push_token(address.provider, address.type, address.token)

        def log_failure(done: Any) -> None:
            if not done.cancelled() and isinstance(done.exception(), BrokerError):
                # An app that the broker does not know yet; it is reported when the app comes.
                log.info("the address of %s is not reported: %s", address.provider,
                         done.exception().reason)
        reply.add_done_callback(log_failure)

    # -- Pushes

    async def deliver(self, address: Address, text: bytes,
                      expiry_ms: Optional[int] = None) -> None:
        """Delivers what a server has sent; what cannot be is logged and counted.

        Args:
            expiry_ms: how long the push is good, if its transport says.
        """
        try:
            if self._pending >= PENDING:
                raise Refused(f"{PENDING} others wait")
            self._pending += 1
            try:
                await self._deliver(address, text, expiry_ms)
            finally:
                self._pending -= 1
        except Refused as problem:
            self.refuse(address, str(problem))

    def refuse(self, address: Address, reason: str) -> None:
        """Counts a push that is not delivered. A flood of them is logged ever more rarely."""
        self.refused[reason] += 1
        count = self.refused[reason]
        if count & (count - 1) == 0:
            log.warning("a push for %s is refused: %s (%d so far)", address.provider, reason, count)

    async def _deliver(self, address: Address, text: bytes, expiry_ms: Optional[int]) -> None:
        payload = read_payload(text)
        left = remaining_ms(payload, self._ttl_ms, expiry_ms, int(time.time() * 1000))
        ends = asyncio.get_running_loop().time() + left / 1000
        await self._in_time(ends, lambda left: self._ask(address, payload))
        result = await self._in_time(ends, lambda left: self._broker.deliver_push(
            address.provider, payload, type=address.type, ttl_ms=left, wait="completed"))
        log.info("a push for %s is handled, %s a call", address.provider,
                 "with" if result.get("reported_call") else "without")

    async def _in_time(self, ends: float, ask: Callable[[int], Awaitable[Any]]) -> Any:
        """The reply of the broker, which may be away for a while, or busy. An app that goes away
        while it has the push gets it once more."""
        has_gone = False
        while True:
            left = ends - asyncio.get_running_loop().time()
            if left <= 0:
                raise Refused("it is too old")
            try:
                return await ask(max(1, int(left * 1000)))
            except Disconnected:
                await self._wait_for_session(left)
            except Overloaded as problem:
                await asyncio.sleep(min(left, (problem.retry_after_ms or 100) / 1000))
            except ProviderGone as problem:
                if has_gone and not problem.retry_after_ms:
                    raise Refused("the app goes away with it") from None
                has_gone = True
                await asyncio.sleep(min(left, (problem.retry_after_ms or 0) / 1000))
            except BrokerError as problem:
                raise Refused(f"the broker refuses it ({problem.reason})") from None
            except (ValueError, RecursionError):
                raise Refused("it is not JSON that can be sent") from None

    async def _wait_for_session(self, seconds: float) -> None:
        log.info("a push waits for the broker")
        try:
            await asyncio.wait_for(self._broker.has_session.wait(), seconds)
        except asyncio.TimeoutError:
            pass

    async def _ask(self, address: Address, payload: JSON) -> None:
        """`Refused` for a call that would not ring, if the user wants no app started for it."""
        caller = caller_of(payload)
        if self._ask_first not in (BLOCKED, ALL) or caller is None:
            return
        try:
            await self._broker.would_ring(address.provider, caller)  # type: ignore[arg-type]
        except Filtered as refusal:
            if self._ask_first == ALL or refusal.reason not in PASSING:
                raise Refused(f"its call would not ring ({refusal.reason})") from None
        except (InvalidState, LimitReached) as refusal:
            if self._ask_first == ALL:
                raise Refused(f"its call would not ring ({refusal.reason})") from None
        except (Disconnected, Overloaded):
            raise
        except BrokerError as problem:          # the app's report will get the answer
            log.info("whether a call would ring is not known: %s", problem.reason)


def gateway_options(own: Dict[str, Any]) -> Dict[str, Any]:
    """The defaults of a gateway's options, with those that all have."""
    return {**own, **DEFAULTS}


def check_options(chosen: JSON) -> None:
    """`ValueError` for wrong ones among the options that all gateways have."""
    if not 1_000 <= chosen["ttl_ms"] <= TTL_MS_MAX:
        raise ValueError(f"ttl_ms is not between 1000 and {TTL_MS_MAX}")
    if chosen["ask_first"] not in CHOICES:
        raise ValueError(f"ask_first is none of {', '.join(CHOICES)}")


async def idle(name: str, identity: str, socket: Optional[str]) -> None:
    """Stays connected with options that are of no use: the broker starts the plugin anew when they
    change."""
    await Controller(name, identity=identity, socket=socket).serve_beside()
