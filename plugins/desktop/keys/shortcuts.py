"""Shortcuts of the whole desktop, by its portal (org.freedesktop.portal.GlobalShortcuts)."""
from __future__ import annotations

import asyncio
import logging
import os
import time
from typing import Any, Dict, Tuple

from jeepney import DBusAddress, HeaderFields, MatchRule, Message

from bus import Bus, NoBus, owner_rule
from callbroker_messages import text
from presses import END, HOLD, LONG, MUTE, SHORT, SILENCE, Presses

log = logging.getLogger("keys")

PORTAL = "org.freedesktop.portal.Desktop"
DESKTOP = "/org/freedesktop/portal/desktop"
INTERFACE = "org.freedesktop.portal.GlobalShortcuts"
SHORTCUTS = DBusAddress(DESKTOP, bus_name=PORTAL, interface=INTERFACE)
REQUEST, SESSION = "org.freedesktop.portal.Request", "org.freedesktop.portal.Session"
DONE, GONE = 0, -1                              # of the codes of a response; the second is ours
# The desktop may ask the user which keys they are to be.
ANSWER_SECONDS = 600.0

MISSING = {
    "org.freedesktop.DBus.Error.ServiceUnknown": "there is no portal; install xdg-desktop-portal and "
    "the backend of the desktop",
    "org.freedesktop.DBus.Error.UnknownMethod": "its portal has none (GlobalShortcuts)"}
"""What errors of the bus mean here."""

BUTTON = "button"
ROWS: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    BUTTON: (SHORT, ("answer", "end")), "decline": (END, ("decline",)),
    "mute": (MUTE, ("mute", "unmute")), "hold": (HOLD, ("hold", "resume")),
    "silence": (SILENCE, ("silence",))}
"""Each shortcut: what it presses, and the buttons that name it."""


class Refused(Exception):
    """The portal, or the user, does not want it; the text says which."""


class Shortcuts:
    """Binds the shortcuts whenever there is a portal, which may come later and again."""

    def __init__(self, bus: Bus, presses: Presses, long_press: float) -> None:
        self._bus, self._presses, self._long_press = bus, presses, long_press
        self._session = ""
        self._down: Dict[str, Tuple[int, float]] = {}   # the time of the desktop, and ours
        self._responses: Dict[str, asyncio.Future[Tuple[int, Dict[str, Any]]]] = {}
        self._tokens = 0
        self._said = ""
        self._dirty = asyncio.Event()
        bus.listen([MatchRule(type="signal", sender=PORTAL, interface=INTERFACE),
                    MatchRule(type="signal", sender=PORTAL, interface=REQUEST),
                    MatchRule(type="signal", sender=PORTAL, interface=SESSION),
                    owner_rule(PORTAL)], self._receive, self._lost)

    async def work(self) -> None:
        """For ever: opens a session when there is none and a portal has come."""
        self._dirty.set()
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            try:
                if not self._session:           # binding them may have started the portal
                    await self._bind()
            except (NoBus, Refused) as problem:
                self._end_session()
                self._say(f"no shortcuts of the desktop: {MISSING.get(str(problem), problem)}")

    # ---- The session

    async def _bind(self) -> None:
        await self._bus.open()
        words = {"session_handle_token": ("s", f"callbroker{os.getpid()}_{self._tokens}")}
        found = await self._ask("CreateSession", "a{sv}", (), words)
        self._session = str(found["session_handle"][1])
        rows = [(name, {"description": ("s", description(name))}) for name in ROWS]
        await self._ask("BindShortcuts", "oa(sa{sv})sa{sv}", (self._session, rows, ""), {})
        self._said = ""
        log.info("shortcuts: bound")

    async def _ask(self, method: str, signature: str, arguments: Tuple[Any, ...],
                   options: Dict[str, Tuple[str, Any]]) -> Dict[str, Any]:
        """A request of the portal, whose response is a signal that may come before its reply."""
        self._tokens += 1
        token = f"callbroker{self._tokens}"
        sender = (self._bus.unique_name or "").lstrip(":").replace(".", "_")
        path = f"{DESKTOP}/request/{sender}/{token}"
        response = self._responses[path] = asyncio.get_running_loop().create_future()
        try:
            await self._bus.call(SHORTCUTS, method, signature,
                                 (*arguments, {**options, "handle_token": ("s", token)}))
            code, results = await asyncio.wait_for(response, ANSWER_SECONDS)
        except asyncio.TimeoutError:
            raise Refused(f"{method} is not answered") from None
        finally:
            del self._responses[path]
        if code == GONE:
            raise Refused("the portal is gone")
        if code != DONE:
            raise Refused(f"{method} was refused; allow it in the settings of the desktop")
        return results

    def _lost(self) -> None:
        """The bus or the portal is gone, and everything with it."""
        self._end_session()
        for response in self._responses.values():
            if not response.done():
                response.set_result((GONE, {}))

    def _end_session(self) -> None:
        self._session = ""
        self._down.clear()

    def _say(self, problem: str) -> None:
        if problem != self._said:
            log.warning("%s", problem)
        self._said = problem

    # ---- What comes from the portal

    def _receive(self, message: Message) -> None:
        fields, body = message.header.fields, message.body
        member, path = fields.get(HeaderFields.member), fields.get(HeaderFields.path, "")
        if member == "NameOwnerChanged" and body[0] == PORTAL:
            self._portal_changed(body[1], body[2])
        elif member == "Response" and path in self._responses:
            if not self._responses[path].done():
                self._responses[path].set_result((body[0], body[1]))
        elif member == "Closed" and path == self._session:
            self._end_session()
            self._say("no shortcuts of the desktop: it has closed the session; "
                      "restart the plugin to bind them again")
        elif member in ("Activated", "Deactivated") and body[0] == self._session:
            self._pressed(member == "Activated", str(body[1]), int(body[2]))

    def _portal_changed(self, former: str, present: str) -> None:
        if former:
            self._lost()
        if present:
            self._dirty.set()

    def _pressed(self, is_down: bool, name: str, at_ms: int) -> None:
        """The button is pressed when it is released: only then its length is known."""
        if name not in ROWS:
            return
        if name != BUTTON:
            if is_down:
                self._presses.press(ROWS[name][0])
        elif is_down:
            self._down.setdefault(name, (at_ms, time.monotonic()))
        elif name in self._down:
            began_ms, began = self._down.pop(name)
            seconds = (at_ms - began_ms) / 1000 if at_ms and began_ms else time.monotonic() - began
            self._presses.press(LONG if seconds >= self._long_press else SHORT)


def description(name: str) -> str:
    """What the desktop shows of a shortcut, in the user's language."""
    return "CallBroker: " + " / ".join(text("screen.button." + each) for each in ROWS[name][1])
