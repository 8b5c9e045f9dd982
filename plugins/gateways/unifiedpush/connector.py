"""The connector of UnifiedPush, for all apps of this host: registers them with the user's
distributor, and receives their endpoints and messages, in both versions of the interface on the
session bus."""
from __future__ import annotations

import asyncio
import logging
import uuid
from typing import Any, Awaitable, Callable, Dict, Optional, Set, Tuple, Union

import distributor
from bus import Bus, NoBus, session_bus
from distributor import RegistrationFailed, text
from jeepney import HeaderFields, Message, message_bus
from push_gateway import Address
from served import Interface, Served

log = logging.getLogger("unifiedpush")

NAME = "org.callbroker.UnifiedPush"
PATH = "/org/unifiedpush/Connector"
VERSION_2, VERSION_1 = "org.unifiedpush.Connector2", "org.unifiedpush.Connector1"
ENDPOINT_BYTES = 1_000
DESCRIPTION_BYTES = 100
AGAIN_SECONDS = 5.0                             # before a bus that is not there is tried again
LONGEST_SECONDS = 600.0                         # before a registration is tried again
NOT_QUEUED, IS_OWNER = 4, (1, 4)                # a flag of RequestName, and two of its replies

Args = Dict[str, Tuple[str, Any]]


class Connector:
    """What an address has `kept` here: `token` of the connection, `distributor` and `endpoint`.

    Args:
        wanted: the distributor that the user wants; empty: whichever is there.
        vapid: the public key of an app's server, by identity.
        retry: seconds before a failed registration is tried again; it doubles.
        changed: is called when the endpoint of an address is another one, or is gone.
        receive: has what has arrived at an address.
    """

    def __init__(self, wanted: str, vapid: Dict[str, str], retry: float,
                 changed: Callable[[Address], None],
                 receive: Callable[[Address, bytes], Awaitable[None]]) -> None:
        self._wanted, self._vapid = distributor.full_name(wanted), vapid
        self._changed, self._receive = changed, receive
        self._bus = Bus(session_bus)
        self._addresses: Dict[str, Address] = {}        # by token
        self._registered: Set[str] = set()              # tokens
        self._retry = retry
        self._due, self._gone = asyncio.Event(), asyncio.Event()
        self._leaving: Set[asyncio.Future[None]] = set()
        self._said = ""
        self._bus.listen([distributor.owners_rule()], self._owner_changed, self._gone.set)
        Served(self._bus, PATH, Interface(VERSION_2, {
            "Message": ("a{sv}", "a{sv}", self._message_2),
            "NewEndpoint": ("a{sv}", "a{sv}", lambda args: self._new_endpoint(
                text(args, "token"), text(args, "endpoint")) + ({},)),
            "Unregistered": ("a{sv}", "a{sv}", lambda args: self._unregistered(
                text(args, "token")) + ({},)),
        }), Interface(VERSION_1, {
            "Message": ("says", "", self._message_1),
            "NewEndpoint": ("ss", "", self._new_endpoint),
            "Unregistered": ("s", "", self._unregistered)}))

    def add(self, address: Address) -> None:
        """Registers an app, as soon as there is a distributor."""
        if not isinstance(address.kept.get("token"), str):
            address.kept["token"] = str(uuid.uuid4())
        self._addresses[address.kept["token"]] = address
        self._due.set()

    def remove(self, address: Address) -> None:
        """Unregisters it."""
        token = address.kept["token"]
        del self._addresses[token]
        self._registered.discard(token)
        self._leave(address.kept.get("distributor"), token)

    def _leave(self, name: Optional[str], token: str) -> None:
        async def leave() -> None:
            try:
                await distributor.unregister(self._bus, name or "", token)
            except NoBus as problem:
                log.info("an app is not unregistered: %s", problem)
        if name:
            leaving = asyncio.ensure_future(leave())
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    # -- The bus, and registrations

    async def serve(self) -> None:
        """Until it is cancelled; on one bus after the other."""
        try:
            while True:
                self._gone.clear()
                try:
                    await self._bus.open()
                    await self._own_name()
                    await self._keep_registered()
                except NoBus as problem:
                    self._say(f"no session bus ({problem})")
                self._registered.clear()
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            await self._bus.leave()

    async def _own_name(self) -> None:
        (reply,) = await self._bus.ask(message_bus.RequestName(NAME, NOT_QUEUED))
        if reply not in IS_OWNER:
            raise NoBus(f"another program has the name {NAME}; end it")

    async def _keep_registered(self) -> None:
        """Until the bus is gone."""
        delay = self._retry
        while not self._gone.is_set():
            self._due.clear()
            is_complete = await self._register_all()
            waiting = {asyncio.ensure_future(each.wait()) for each in (self._due, self._gone)}
            _, others = await asyncio.wait(waiting, timeout=None if is_complete else delay,
                                           return_when=asyncio.FIRST_COMPLETED)
            for each in others:
                each.cancel()
            delay = self._retry if is_complete else min(2 * delay, LONGEST_SECONDS)

    async def _register_all(self) -> bool:
        """Returns whether all apps are registered, or none can be before a distributor comes."""
        former = next((each.kept["distributor"] for each in self._addresses.values()
                       if isinstance(each.kept.get("distributor"), str)), "")
        name = await distributor.find(self._bus, self._wanted, former)
        if name is None:
            self._say(f"no pushes: {self._wanted or 'a distributor of UnifiedPush'} is not on the "
                      "session bus; start one")
            return True
        problem = ""
        for token in [each for each in self._addresses if each not in self._registered]:
            try:
                await self._register(name, token)
            except (NoBus, RegistrationFailed) as error:
                problem = f"the distributor does not take an app: {error}; trying again"
        self._say(problem)
        return not problem

    async def _register(self, name: str, token: str) -> None:
        address = self._addresses.get(token)
        if address is None:                     # it was removed meanwhile
            return
        former = address.kept.get("distributor")
        if former != name:
            self._leave(former, token)
            address.kept.update(distributor=name, endpoint=None)
            self._changed(address)
        self._registered.add(token)             # Unregistered may come before the reply
        try:
            await distributor.register(self._bus, name, NAME, token, shortened(address.name),
                                       self._vapid.get(address.provider, ""))
        except (NoBus, RegistrationFailed):
            self._registered.discard(token)
            raise
        log.info("%s is registered with %s", address.provider, name)

    def _owner_changed(self, message: Message) -> None:
        """A distributor that comes is asked for the endpoints, which may be others now."""
        if message.header.fields.get(HeaderFields.member) == "NameOwnerChanged" and message.body[2]:
            self._registered.clear()
            self._due.set()

    def _say(self, problem: str) -> None:
        if problem and problem != self._said:
            log.warning("%s", problem)
        self._said = problem

    # -- What the distributor calls

    def _new_endpoint(self, token: Optional[str], endpoint: Optional[str]) -> Tuple[()]:
        address = self._addresses.get(token or "")
        if address is None or not is_endpoint(endpoint):
            log.info("an endpoint is ignored: no app has its token, or it is no address")
        elif address.kept.get("endpoint") != endpoint:
            address.kept["endpoint"] = endpoint
            self._changed(address)
        return ()

    def _unregistered(self, token: Optional[str]) -> Tuple[()]:
        """Of an app that still takes pushes: it registers again, a little later."""
        address = self._addresses.get(token or "")
        if address is not None:
            log.warning("the distributor has dropped %s, which registers again", address.provider)
            address.kept["endpoint"] = None
            self._changed(address)
            self._registered.discard(address.kept["token"])
            asyncio.get_running_loop().call_later(self._retry, self._due.set)
        return ()

    async def _message_2(self, args: Args) -> Tuple[Args]:
        kind, content = args.get("message", ("", b""))
        if kind == "s":                         # as the text of the specification has it
            content = content.encode("utf-8")
        if kind in ("ay", "s"):
            await self._arrived(text(args, "token"), bytes(content))
        id = text(args, "id")
        return ({"id": ("s", id)} if id else {},)

    async def _message_1(self, token: str, content: Union[bytes, Any], _: str) -> Tuple[()]:
        await self._arrived(token, bytes(content))
        return ()

    async def _arrived(self, token: Optional[str], content: bytes) -> None:
        address = self._addresses.get(token or "")
        if address is None:
            return log.info("a message is ignored: no app has its token")
        await self._receive(address, content)


def is_endpoint(endpoint: Optional[str]) -> bool:
    return (endpoint is not None and endpoint.startswith(("https://", "http://"))
            and len(endpoint.encode()) <= ENDPOINT_BYTES)


def shortened(name: str) -> str:
    """A description has 100 bytes at most."""
    return name.encode()[:DESCRIPTION_BYTES].decode("utf-8", "ignore")
