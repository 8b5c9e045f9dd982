"""The notifications of the desktop, over D-Bus (org.freedesktop.Notifications)."""
from __future__ import annotations

from typing import Any, Callable, Dict, Set, Tuple

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, message_bus

from bus import Bus, NoBus, owner_rule
from cards import Card
from markup import escaped

SERVICE = "org.freedesktop.Notifications"
NOTIFICATIONS = DBusAddress("/org/freedesktop/Notifications", bus_name=SERVICE, interface=SERVICE)
NORMAL, CRITICAL = 1, 2
AS_THE_SERVER_LIKES, NEVER = -1, 0              # when a notification expires
DISMISSED = 2                                   # by the user, says the specification

Pressed = Callable[[int, str], None]
Closed = Callable[[int, bool], None]


class NoDesktop(Exception):
    """There is nobody to show notifications; the text says who is missing."""


class Desktop:
    """The notification server of this session, whoever that is at the moment.

    Args:
        bus: of the session.
        pressed: called with a notification and what its button means.
        closed: called with a notification that is gone, and whether the user sent it away.
        restarted: called when another server has taken over, which shows nothing yet.
    """

    def __init__(self, bus: Bus, pressed: Pressed, closed: Closed,
                 restarted: Callable[[], None]) -> None:
        self._pressed, self._closed, self._restarted = pressed, closed, restarted
        self._bus = bus
        self._owner = ""                        # the server's name of this life
        self._abilities: Set[str] = set()
        bus.listen([MatchRule(type="signal", interface=SERVICE), owner_rule(SERVICE)],
                   self._receive, self._lost)

    async def show(self, card: Card, instead_of: int = 0) -> int:
        """Shows it, and returns its number. `NoDesktop` when nobody can."""
        try:
            await self._open()
            arguments = self._arguments(card, instead_of)
            (number,) = await self._call("Notify", "susssasa{sv}i", arguments)
        except NoBus as problem:
            raise NoDesktop(f"no notification server: {problem}") from None
        return int(number)

    async def close(self, number: int) -> None:
        """Takes it away."""
        try:
            await self._call("CloseNotification", "u", (number,))
        except NoBus:
            pass                                # then it is gone

    async def settle(self) -> None:
        """Returns when the server has said what it did until now."""
        try:
            await self._call("GetServerInformation")
        except NoBus:
            pass

    def _arguments(self, card: Card, instead_of: int) -> Tuple[Any, ...]:
        can_press = "actions" in self._abilities
        buttons = [word for action in card.actions for word in action] if can_press else []
        has_markup = "body-markup" in self._abilities
        body = escaped(card.body) if has_markup else card.body
        hints: Dict[str, Tuple[str, Any]] = {
            "urgency": ("y", CRITICAL if card.is_urgent else NORMAL),
            "category": ("s", card.category), "suppress-sound": ("b", True)}
        if card.stays:
            hints["resident"] = ("b", True)     # its buttons do not close it
        expires = NEVER if card.is_urgent or card.stays else AS_THE_SERVER_LIKES
        return "CallBroker", instead_of, card.icon, card.summary, body, buttons, hints, expires

    async def _open(self) -> None:
        await self._bus.open()
        if not self._owner:
            abilities = await self._call("GetCapabilities")
            (self._owner,) = await self._bus.ask(message_bus.GetNameOwner(SERVICE))
            self._abilities = set(abilities[0])

    async def _call(self, method: str, signature: str = "", body: Tuple[Any, ...] = ()) -> Any:
        return await self._bus.call(NOTIFICATIONS, method, signature, body)

    def _lost(self) -> None:
        self._owner = ""

    def _receive(self, message: Message) -> None:
        fields = message.header.fields
        member, sender = fields.get(HeaderFields.member), fields.get(HeaderFields.sender)
        if member == "NameOwnerChanged" and message.body[0] == SERVICE:
            self._owner = ""
            if message.body[2]:
                self._restarted()
        elif sender == self._owner and member == "ActionInvoked":
            self._pressed(*message.body)
        elif sender == self._owner and member == "NotificationClosed":
            self._closed(message.body[0], message.body[1] == DISMISSED)
