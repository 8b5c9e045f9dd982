"""A call of ofono, and what of it has to be remembered."""
from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

from app_adapter import Leg, shortened
from callbroker import EndDetail, Handle, Update

INCOMING = ("incoming", "waiting")
STATES = {"incoming": "ringing", "waiting": "ringing", "dialing": "dialing",
          "alerting": "alerting", "active": "active", "held": "held"}
REFUSALS = {"InvalidFormat": "invalid_number", "NotAllowed": "not_allowed",
            "AccessDenied": "not_allowed", "NotRegistered": "not_registered"}


def handle(number: str) -> Handle:
    """The address of the far end, who may keep it for himself."""
    if not number:
        return {"type": "generic", "value": "withheld"}
    return {"type": "phone", "value": shortened(number, 256)}


def ended(reason: str) -> Tuple[str, EndDetail]:
    """Why a call is over, for the broker: what ofono's DisconnectReason says of the far side."""
    if reason == "remote":
        return "remote_ended", {}
    return "failed", {"reason": "network_error"} if reason == "network" else {}


class Voice(Leg):
    """A call of ofono, named by its object's path, which is given to another one afterwards."""

    def __init__(self, path: str, properties: Dict[str, Any], call: str, is_incoming: bool) -> None:
        super().__init__(call, is_incoming, str(properties.get("Name", "")))
        self.path = path
        self.number = str(properties.get("LineIdentification", ""))
        self.state = str(properties.get("State", ""))
        self.started = str(properties.get("StartTime", ""))     # of speaking
        self.is_joined = bool(properties.get("Multiparty"))
        self.remote_held = bool(properties.get("RemoteHeld"))
        self.was_active = self.state in ("active", "held")
        self.has_rung = self.state == "alerting"
        self.reason = ""                        # why it is over, as ofono says
        self.expected: Optional[str] = None     # the state that an action brings about
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
        return self.over is not None and self.reason == "local"

    def abilities(self) -> Update:
        abilities: Update = {"supports_attended_transfer": True}
        if self.is_incoming:
            abilities["supports_deflect"] = True
        return abilities

    def handle(self) -> Handle:
        return handle(self.number)

    def broker_state(self) -> str:
        return STATES[self.state]


class Memory:
    """Which call of the broker is which of ofono's."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._known: Dict[str, Any] = dict(json.loads(path.read_text()))
        except (OSError, ValueError):
            self._known = {}

    def voice(self, life: str, path: str, properties: Dict[str, Any]) -> Voice:
        """The call as it was known in this life of ofono, or a new one."""
        known = self._known.get(f"{life} {path}")
        if isinstance(known, dict) and self._is_the_same(known, properties):
            return Voice(path, properties, known["call"], known["is_incoming"])
        is_incoming = properties.get("State") in INCOMING
        return Voice(path, properties, str(uuid.uuid4()), is_incoming)

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
