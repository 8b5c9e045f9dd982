"""A call of baresip, and what of it has to be remembered."""
from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Dict, Optional, Set

from app_adapter import Leg, shortened
from callbroker import Handle, Update

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "baresip.callbroker.org")


def handle(uri: str) -> Handle:
    """The address of the far end: its URI without parameters."""
    return {"type": "generic", "value": shortened(uri.partition(";")[0], 256)}


def end_reason(param: str) -> Optional[str]:
    """Why a call was closed, in the broker's words; None when the user of baresip ended it."""
    if param == "Connection reset by user":
        return None
    code = param[:3]
    if param == "Connection reset by peer" or code in ("486", "600", "603"):
        return "remote_ended"
    return "unanswered" if code in ("408", "480", "487") else "failed"


class Line(Leg):
    """A call of baresip, named by the Call-ID of SIP, which is the same at both ends."""

    def __init__(self, id: str, call: str, is_incoming: bool, peer: str, name: str = "") -> None:
        super().__init__(call, is_incoming, name)
        self.id = id
        self.peer = peer
        self.has_rung = False                   # at the far end
        self.is_answering = False
        self.is_established = False
        self.held = False                       # by us, and the far end agreed
        self.muted: Optional[bool] = False      # None: nobody knows
        self.turn = asyncio.Lock()              # one hold or resume after the other

    def handle(self) -> Handle:
        return handle(self.peer)

    def broker_state(self) -> str:
        if self.is_established:
            return "held" if self.held else "active"
        return "ringing" if self.is_incoming else "dialing"

    def update(self) -> Update:
        return {"supports_grouping": False, "supports_ungrouping": False, **super().update()}


class Memory:
    """Which call of the broker is which of baresip's, for calls whose id the broker chose."""

    def __init__(self, path: Path, identity: str) -> None:
        self._path = path
        self._identity = identity
        try:
            self._known: Dict[str, str] = dict(json.loads(path.read_text()))
        except (OSError, ValueError):
            self._known = {}

    def call(self, id: str) -> str:
        """The broker's id: the same after every restart, and another at each end of a call."""
        return self._known.get(id) or str(uuid.uuid5(NAMESPACE, f"{self._identity} {id}"))

    def learn(self, id: str, call: str) -> None:
        """From now on that is the call's id."""
        self._known[id] = call
        self._save()

    def keep(self, ids: Set[str]) -> None:
        """Forgets all other calls."""
        if not self._known.keys() <= ids:
            self._known = {id: call for id, call in self._known.items() if id in ids}
            self._save()

    def _save(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = self._path.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_text(json.dumps(self._known))
        new.replace(self._path)
