"""A call of baresip, and what of it has to be remembered."""
from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path
from typing import Dict, List, Optional, Set, cast

from callbroker import Failed, Handle, LiveCall, Update

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "baresip.callbroker.org")


def handle(uri: str) -> Handle:
    """The address of the far end: its URI without parameters."""
    return {"type": "generic", "value": shortened(uri.partition(";")[0], 256)}


def shortened(text: str, most: int) -> str:
    """At most so many bytes of it, and no U+0000."""
    return text.replace("\0", "").encode("utf-8")[:most].decode("utf-8", "ignore")


def end_reason(param: str) -> Optional[str]:
    """Why a call was closed, in the broker's words; None when the user of baresip ended it."""
    if param == "Connection reset by user":
        return None
    code = param[:3]
    if param == "Connection reset by peer" or code in ("486", "600", "603"):
        return "remote_ended"
    return "unanswered" if code in ("408", "480", "487") else "failed"


class Line:
    """A call of baresip, named by the Call-ID of SIP, which is the same at both ends."""

    def __init__(self, id: str, call: str, is_incoming: bool, peer: str, name: str = "") -> None:
        self.id = id
        self.call = call                        # the broker's id
        self.is_incoming = is_incoming
        self.peer = peer
        self.name = name
        self.has_rung = False                   # at the far end
        self.is_answering = False
        self.is_established = False
        self.held = False                       # by us, and the far end agreed
        self.remote_held = False
        self.muted: Optional[bool] = False      # None: nobody knows
        self.is_starting = False                # by an action that is not settled
        self.is_ending = False                  # by an action of the broker
        self.closed: Optional[str] = None       # baresip's reason
        self.turn = asyncio.Lock()              # one hold or resume after the other
        self._awaited: Dict[str, List[asyncio.Future[None]]] = {}

    def event(self, name: str) -> asyncio.Future[None]:
        """The next event of that name. It fails when the call ends first."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited.setdefault(name, []).append(future)
        if self.closed is not None:
            self.close(self.closed)
        return future

    def happened(self, name: str) -> bool:
        """Tells whoever waits for the event. Returns whether somebody did."""
        waiting = [future for future in self._awaited.pop(name, []) if not future.done()]
        for future in waiting:
            future.set_result(None)
        return bool(waiting)

    def close(self, reason: str) -> None:
        """Tells everybody that nothing more will happen."""
        self.closed = reason
        self.happened("closed")
        for name in list(self._awaited):
            for future in self._awaited.pop(name):
                if not future.done():
                    future.set_exception(Failed("call_ended", reason))
                    future.exception()          # it may be that nobody waits any more

    def update(self) -> Update:
        """What the broker is told besides the address."""
        update: Update = {"supports_grouping": False, "supports_ungrouping": False}
        if self.name:
            update["display_name"] = shortened(self.name, 128)
        if self.remote_held:
            update["remote_held"] = True
        return update

    def live(self) -> LiveCall:
        """How the broker learns of it after a pause."""
        state = "ringing" if self.is_incoming else "dialing"
        if self.is_established:
            state = "held" if self.held else "active"
        live: LiveCall = {"call": self.call, "state": state, "remote": handle(self.peer),
                          "direction": "incoming" if self.is_incoming else "outgoing"}
        live.update(cast(LiveCall, self.update()))
        return live


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
