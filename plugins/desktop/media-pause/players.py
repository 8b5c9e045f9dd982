"""Media players on the session bus (MPRIS): pauses those that play, and resumes those that it has
paused and nobody has touched since."""
from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import Any, Dict, List, Sequence, Set

import kept_file
from bus import Bus, NoBus
from jeepney import DBusAddress, HeaderFields, MatchRule, Message

log = logging.getLogger("media_pause")

PREFIX = "org.mpris.MediaPlayer2"
PATH = "/org/mpris/MediaPlayer2"
PLAYER = PREFIX + ".Player"
# Never touched: the player that stands for the calls, and a stand-in for the other players.
NO_PLAYERS = ("callbroker", "playerctld")
DBUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")


class Players:
    """The players of one session bus.

    Args:
        kept: the file with the paused players, for a successor of a program that is killed.
        ignored: names of players that are left alone, without `org.mpris.MediaPlayer2.`.
    """

    def __init__(self, bus: Bus, kept: Path, ignored: Sequence[str]) -> None:
        self._bus, self._kept = bus, kept
        self._ignored = (*NO_PLAYERS, *ignored)
        self._is_quiet = False
        self._paused: Dict[str, str] = {}       # by us: name by owner
        self._confirmed: Set[str] = set()       # owners of those that have said so
        self._bus_id = ""                       # of the bus whose paused players were read
        bus.listen(rules(), self._receive, self._lost)

    async def settle(self, is_due: bool) -> None:
        """Pauses when the occasion for it begins, and resumes when it is over; once each."""
        if is_due == self._is_quiet:
            return
        try:
            await self._open()
            await (self._pause() if is_due else self._resume())
        except NoBus as problem:
            log.warning("no player is paused or resumed: %s", problem)
        self._is_quiet = is_due

    async def begin(self) -> None:
        """Reads what a predecessor has paused."""
        with contextlib.suppress(NoBus):
            await self._open()
            self._is_quiet = bool(self._paused)

    async def end(self) -> None:
        """Leaves the bus, and the paused players to a successor."""
        await self._bus.leave()

    async def _open(self) -> None:
        """Opens the bus, and reads what a predecessor has paused there."""
        await self._bus.open()
        if not self._bus_id:
            # Names of owners of another life of the bus mean nothing.
            self._bus_id = str((await self._bus.call(DBUS, "GetId"))[0])
            await self._restore()

    # ---- Pausing and resuming

    async def _pause(self) -> None:
        owners = await self._owners()
        statuses = await asyncio.gather(*map(self._status, owners))
        playing = [owner for owner, status in zip(owners, statuses) if status == "Playing"]
        self._paused.update((owner, owners[owner]) for owner in playing)
        self._write()
        await asyncio.gather(*map(self._pause_one, playing))

    async def _pause_one(self, owner: str) -> None:
        log.info("pausing %s", self._paused.get(owner))
        if not await self._ask(owner, "Pause"):
            self._forget(owner)
        elif await self._status(owner) == "Paused":
            self._confirm(owner)

    async def _resume(self) -> None:
        """A player that has not confirmed its pause yet performs the two in their order."""
        for owner, name in list(self._paused.items()):
            if owner not in self._confirmed or await self._status(owner) == "Paused":
                log.info("resuming %s", name)
                await self._ask(owner, "Play")
        self._paused.clear()
        self._confirmed.clear()
        self._write()

    def _confirm(self, owner: str) -> None:
        """What a player does from now on is the user's doing."""
        if owner in self._paused and owner not in self._confirmed:
            self._confirmed.add(owner)
            log.info("%s has paused", self._paused[owner])

    def _forget(self, owner: str) -> None:
        """A player that the user has touched, or closed, is not ours to resume."""
        if self._paused.pop(owner, None) is not None:
            log.info("leaving a player alone")
            self._confirmed.discard(owner)
            self._write()

    # ---- Signals

    def _receive(self, signal: Message) -> None:
        fields, body = signal.header.fields, signal.body
        member = fields.get(HeaderFields.member)
        if member == "NameOwnerChanged":
            if body[1] and body[0].startswith(PREFIX):
                self._forget(body[1])
        elif member == "PropertiesChanged" and body[0] == PLAYER:
            kind, status = body[1].get("PlaybackStatus", ("", None))
            owner = fields.get(HeaderFields.sender, "")
            if kind == "s" and owner in self._paused:
                self._changed(owner, status)

    def _changed(self, owner: str, status: str) -> None:
        if status == "Paused":
            self._confirm(owner)
        elif status == "Stopped" or owner in self._confirmed:
            self._forget(owner)                 # else it is older than our request

    def _lost(self) -> None:
        self._bus_id = ""
        self._paused.clear()
        self._confirmed.clear()

    # ---- The file

    def _write(self) -> None:
        kept_file.write(self._kept, self._paused and {
            "bus": self._bus_id, "players": self._paused})

    async def _restore(self) -> None:
        """Adds what a predecessor has paused, as long as it is still so."""
        try:
            kept = kept_file.read(self._kept) or {}
            players = {str(key): str(name) for key, name in kept.get("players", {}).items()
                       if kept.get("bus") == self._bus_id}
        except (OSError, ValueError, AttributeError) as error:
            log.warning("%s is damaged (%s): paused players stay paused", self._kept, error)
            return
        for owner, name in players.items():
            if await self._status(owner) == "Paused":
                self._paused[owner] = name
                self._confirmed.add(owner)

    # ---- Questions

    async def _owners(self) -> Dict[str, str]:
        """Of the players that may be paused: name by owner."""
        names = [name for name in (await self._bus.call(DBUS, "ListNames"))[0]
                 if name.startswith(PREFIX + ".")]
        found = {name: await self._owner(name) for name in names}
        untouched = {owner for name, owner in found.items() if self._is_ignored(name)}
        return {owner: name for name, owner in found.items() if owner and owner not in untouched}

    def _is_ignored(self, name: str) -> bool:
        player = name[len(PREFIX) + 1:]
        return any(player == each or player.startswith(each + ".") for each in self._ignored)

    async def _owner(self, name: str) -> str:
        return await self._value(DBUS, "GetNameOwner", "s", (name,))

    async def _status(self, owner: str) -> str:
        properties = DBusAddress(PATH, owner, "org.freedesktop.DBus.Properties")
        return await self._value(properties, "Get", "ss", (PLAYER, "PlaybackStatus"))

    async def _value(self, address: DBusAddress, method: str, signature: str,
                     body: Sequence[Any]) -> str:
        """A text; empty if the other side is gone, hangs, or replies something else."""
        try:
            found = (await self._bus.call(address, method, signature, tuple(body)))[0]
        except (NoBus, IndexError):
            return ""
        found = found[1] if isinstance(found, tuple) and len(found) == 2 else found
        return found if isinstance(found, str) else ""

    async def _ask(self, owner: str, method: str) -> bool:
        """Whether the player has done it, as far as it says."""
        try:
            await self._bus.call(DBusAddress(PATH, owner, PLAYER), method)
        except NoBus as problem:
            log.warning("a player refuses to %s: %s", method.lower(), problem)
            return False
        return True


def rules() -> List[MatchRule]:
    """What the bus is asked for: changes of players, and players that come and go."""
    changes = MatchRule(type="signal", interface="org.freedesktop.DBus.Properties",
                        member="PropertiesChanged", path=PATH)
    owners = MatchRule(type="signal", sender="org.freedesktop.DBus",
                       interface="org.freedesktop.DBus", member="NameOwnerChanged")
    owners.add_arg_condition(0, PREFIX, kind="namespace")
    return [changes, owners]
