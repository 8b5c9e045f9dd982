"""A call of a modem, and what of it has to be remembered."""
from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any, Dict, FrozenSet, List, Optional, Tuple

from app_adapter import Leg, shortened
from callbroker import EndDetail, Handle, Update
from service import DEFLECT, SPLIT, TRANSFER

INCOMING = ("incoming", "waiting")
STATES = {"incoming": "ringing", "waiting": "ringing", "dialing": "dialing",
          "alerting": "alerting", "active": "active", "held": "held"}
REFUSALS = {"InvalidFormat": "invalid_number", "InvalidArgs": "invalid_number",
            "NotAllowed": "not_allowed", "AccessDenied": "not_allowed",
            "Unauthorized": "not_allowed", "NotRegistered": "not_registered",
            "NoNetwork": "not_registered"}
DETAILS: Dict[str, EndDetail] = {
    "network": {"reason": "network_error"}, "audio_setup_failed": {"reason": "media_error"},
    "refused_or_busy": {"reason": "busy", "text": "refused or busy"}}
HUNG_UP = ("local", "transferred", "deflected")     # here, by whatever program


def handle(number: str) -> Handle:
    """The address of the far end, who may keep it for himself."""
    if not number:
        return {"type": "generic", "value": "withheld"}
    return {"type": "phone", "value": shortened(number, 256)}


def ended(reason: str, could_talk: bool = True) -> Tuple[str, EndDetail]:
    """Why a call is over, for the broker: what the service says of the far side. Services that
    only say that it was terminated mean the far end, where there was one: `could_talk` is whether
    the call was answered, or was incoming."""
    if reason == "remote" or could_talk and reason in ("terminated", "refused_or_busy"):
        return "remote_ended", {}
    return "failed", DETAILS.get(reason, {})


class Voice(Leg):
    """A call of a modem, named by its object's path, which is given to another one afterwards.

    Args:
        can: what its service can do (`Service.abilities`).
    """

    def __init__(self, path: str, properties: Dict[str, Any], call: str, is_incoming: bool,
                 can: FrozenSet[str]) -> None:
        super().__init__(call, is_incoming, str(properties.get("Name", "")))
        self.path, self._can = path, can
        self.number = str(properties.get("LineIdentification", ""))
        self.state = str(properties.get("State", ""))
        self.started = str(properties.get("StartTime", ""))     # of speaking
        self.is_joined = bool(properties.get("Multiparty"))
        self.remote_held = bool(properties.get("RemoteHeld"))
        self.was_active = self.state in ("active", "held")
        self.has_rung = self.state == "alerting"
        self.reason = ""                        # why it is over, as the service says
        self.expected: Optional[str] = None     # the state that an action brings about
        self.unreported = ""                    # what it became at the modem itself
        self.is_sent_away = False               # by a transfer or deflection of the broker

    def becomes(self, *what: str) -> asyncio.Future[None]:
        """Done when it has one of these states (`joined` is one, too). Fails when the call is over
        first."""
        if self.state in what or "joined" in what and self.is_joined:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            future.set_result(None)
            return future
        return self.event(*what)

    def was_hung_up(self) -> bool:
        """Whether the call is over, and it was the modem that ended it."""
        return self.over is not None and self.reason in HUNG_UP

    def could_talk(self) -> bool:
        """Whether there was somebody at the far end."""
        return self.was_active or self.is_incoming

    def abilities(self) -> Update:
        abilities: Update = {}
        if TRANSFER in self._can:
            abilities["supports_attended_transfer"] = True
        if DEFLECT in self._can and self.is_incoming:
            abilities["supports_deflect"] = True
        if SPLIT not in self._can:
            abilities["supports_ungrouping"] = False
        return abilities

    def handle(self) -> Handle:
        return handle(self.number)

    def broker_state(self) -> str:
        return STATES[self.state]


class Memory:
    """Which call of the broker is which of the service's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._known: Dict[str, Any] = dict(json.loads(path.read_text()))
        except (OSError, ValueError):
            self._known = {}

    def voice(self, life: str, path: str, properties: Dict[str, Any],
              can: FrozenSet[str]) -> Voice:
        """The call as it was known in this life of the service, or a new one."""
        known = self._known.get(f"{life} {path}")
        if isinstance(known, dict) and self._is_the_same(known, properties):
            return Voice(path, properties, known["call"], known["is_incoming"], can)
        is_incoming = properties.get("Incoming", properties.get("State") in INCOMING)
        return Voice(path, properties, str(uuid.uuid4()), is_incoming, can)

    @staticmethod
    def _is_the_same(known: Dict[str, Any], properties: Dict[str, Any]) -> bool:
        """The path alone says nothing: it is given away again."""
        started = properties.get("StartTime", "")
        return known.get("number") == properties.get("LineIdentification", "") and (
            known.get("started") in ("", started))

    def keep(self, life: str, voices: List[Voice]) -> None:
        """Remembers these, and no others."""
        self._known = {f"{life} {voice.path}": {
            "call": voice.call, "is_incoming": voice.is_incoming, "number": voice.number,
            "started": voice.started} for voice in voices}
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self._path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(self._known))
        new.replace(self._path)
