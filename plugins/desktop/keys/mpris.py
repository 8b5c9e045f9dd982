"""The calls as a player of music (MPRIS), to which desktops send the keys for media."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Callable, Dict, Tuple

from jeepney import message_bus

import remote_party
from bus import Bus, NoBus
from callbroker_messages import text
from calls import HELD, NONE, RINGING, Situation
from lock import Lock
from presses import END, LONG, SHORT, SILENCE, Presses
from served import Interface, Served, Variant

log = logging.getLogger("keys")

NAME = "org.mpris.MediaPlayer2.callbroker"
PATH = "/org/mpris/MediaPlayer2"
ROOT, PLAYER = "org.mpris.MediaPlayer2", "org.mpris.MediaPlayer2.Player"
NOT_QUEUED, IS_OWNER = 4, (1, 4)                # a flag of RequestName, and two of its replies

# Headsets send a double press as Next; a long one is not sent, or means something of their own.
KEYS = {"PlayPause": SHORT, "Play": SHORT, "Pause": SHORT, "Next": LONG, "Stop": END,
        "Previous": SILENCE}


class Player:
    """A player that is on the session bus as long as there is a call, and then as an active one:
    desktops send their keys to the player that plays."""

    def __init__(self, bus: Bus, lock: Lock, presses: Presses) -> None:
        self._bus, self._lock, self._presses = bus, lock, presses
        self._situation = Situation()
        self._published: Dict[str, Variant] = {}
        self._is_owner, self._said = False, ""
        self._dirty = asyncio.Event()
        self._object = Served(bus, PATH, Interface(ROOT, {
            "Raise": ("", "", nothing), "Quit": ("", "", nothing)}, root), Interface(PLAYER, {
                **{key: ("", "", self._pressing(key)) for key in KEYS},
                "Seek": ("x", "", nothing), "SetPosition": ("ox", "", nothing),
                "OpenUri": ("s", "", nothing)}, self.properties, {"Seeked": "x"}))
        bus.listen([], lambda message: None, self._lost)

    def show(self, situation: Situation) -> None:
        """From now on the calls are these."""
        self._situation = situation
        self._dirty.set()

    def lock_changed(self) -> None:
        """What may be shown is another."""
        self._dirty.set()

    async def work(self) -> None:
        """For ever: brings the bus to where the calls are."""
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            try:
                await self._settle()
            except NoBus as problem:
                self._say(f"keys for media do not reach calls: {problem}")

    async def leave(self) -> None:
        """Takes the player off the bus."""
        self._situation = Situation()
        try:
            await self._settle()
        except NoBus:
            pass                                # then it is gone

    # ---- The name

    async def _settle(self) -> None:
        is_needed = self._situation.word != NONE
        if is_needed and not self._is_owner:
            await self._lock_asked()
            self._published = self.properties()
            await self._own()
        elif self._is_owner and not is_needed:
            self._publish()                     # that it has stopped
            self._is_owner = False
            await self._bus.ask(message_bus.ReleaseName(NAME))
        elif self._is_owner:
            self._publish()

    async def _lock_asked(self) -> None:
        await self._bus.open()
        await self._lock.ask()

    async def _own(self) -> None:
        (reply,) = await self._bus.ask(message_bus.RequestName(NAME, NOT_QUEUED))
        self._is_owner = reply in IS_OWNER
        if self._is_owner:
            self._said = ""
            log.info("the player is there")
        else:
            self._say(f"keys for media do not reach calls: another program has the name {NAME}; "
                      "end it")

    def _lost(self) -> None:
        self._is_owner = False
        self._dirty.set()

    def _say(self, problem: str) -> None:
        if problem != self._said:
            log.warning("%s", problem)
        self._said = problem

    # ---- The properties

    def _publish(self) -> None:
        present = self.properties()
        changed = [name for name, value in present.items() if self._published.get(name) != value]
        self._published = present
        if changed:
            self._object.changed(PLAYER, changed)

    def properties(self) -> Dict[str, Variant]:
        """Of the player, at present."""
        word = self._situation.word
        status = {NONE: "Stopped", HELD: "Paused"}.get(word, "Playing")
        return {
            "PlaybackStatus": ("s", status), "Rate": ("d", 1.0), "MinimumRate": ("d", 1.0),
            "MaximumRate": ("d", 1.0), "Volume": ("d", 1.0), "Position": ("x", 0),
            "Metadata": ("a{sv}", self._metadata()), "CanGoNext": ("b", word != NONE),
            "CanGoPrevious": ("b", word == RINGING), "CanPlay": ("b", word != NONE),
            "CanPause": ("b", word != NONE), "CanSeek": ("b", False), "CanControl": ("b", True)}

    def _metadata(self) -> Dict[str, Variant]:
        call = self._situation.shown
        if call is None:
            return {}
        what = state_text(self._situation)
        track = "/org/callbroker/keys/call/" + "".join(filter(str.isalnum, call["call"]))
        found: Dict[str, Variant] = {"mpris:trackid": ("o", track), "xesam:title": ("s", what)}
        if not self._lock.is_locked:
            found["xesam:title"] = ("s", remote_party.name(call))
            found["xesam:artist"] = ("as", [what])
        return found

    def _pressing(self, key: str) -> Callable[..., Tuple[Any, ...]]:
        def press() -> Tuple[Any, ...]:
            self._presses.press(KEYS[key], may_be_for_music=True)
            return ()
        return press


def state_text(situation: Situation) -> str:
    """What the call does, in the user's language."""
    call = situation.shown
    if call is None or call["state"] in ("ringing", "waiting"):
        is_second = call is not None and call["state"] == "waiting"
        return text("screen.another" if is_second else "screen.incoming")
    what = text("screen.live." + call["state"])
    return text("screen.live.muted", state=what) if call.get("muted") else what


def root() -> Dict[str, Variant]:
    """The properties of the program."""
    return {"CanQuit": ("b", False), "CanRaise": ("b", False), "HasTrackList": ("b", False),
            "Identity": ("s", "CallBroker"), "DesktopEntry": ("s", "callbroker"),
            "SupportedUriSchemes": ("as", []), "SupportedMimeTypes": ("as", [])}


def nothing(*_: Any) -> Tuple[Any, ...]:
    """A call has no position, and this program no window."""
    return ()
