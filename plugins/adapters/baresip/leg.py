"""A call of baresip, and what of it has to be remembered."""
from __future__ import annotations

import asyncio
import json
import re
import uuid
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Set

from app_adapter import Leg, shortened
from callbroker import EndDetail, Endpoint, Failed, Handle, Update
from quality import Quality

# That of the domain baresip.callbroker.org. To compute it, here, takes all of OpenSSL.
NAMESPACE = uuid.UUID("5109d5f6-e315-50ea-8e2b-01007c8e9ceb")


def handle(uri: str) -> Handle:
    """The address of the far end: its URI without parameters, which its user may have too."""
    bare = "@".join(part.partition(";")[0] for part in uri.split("@", 1))
    return {"type": "generic", "value": shortened(bare, 256)}


class End(NamedTuple):
    """Why a call is over."""
    text: str                                   # as baresip says it
    reason: Optional[str]                       # the broker's; None: the user of baresip ended it
    detail: EndDetail


TRANSFERRED: EndDetail = {"reason": "transferred"}
LOST = End("lost", "failed", {})                # it is gone, and nobody saw why
NOT_TRANSFERRED = End("hung up", "failed", {"text": "baresip hung up after a failed transfer"})


def ending(param: str, has_rung: bool) -> End:
    """Why a call was closed. The broker knows what the codes of SIP mean, but not that the call has
    rung before: then 408 and 480 say that nobody answered."""
    if param.startswith("Connection reset by "):
        return End(param, None if param.endswith("user") else "remote_ended", {})
    if param == "Local timeout":                # it rang here for call_local_timeout
        return End(param, "unanswered", {"reason": "no_answer"})
    if param == "Call transfered":              # as baresip writes it
        return End(param, "remote_ended", TRANSFERRED)
    found = re.fullmatch(r"([3-6]\d\d)(?: +(.*))?", param)
    code, text = (found[1], found[2]) if found else ("", param)
    detail: EndDetail = {"code": f"SIP {code}"} if code else {}
    if text:
        detail["text"] = shortened(text, 256)
    if has_rung and code in ("408", "480"):
        detail["reason"] = "no_answer"
    return End(param, _end_reason(code, detail), detail)


def refusal_of_transfer(param: str) -> Failed:
    """Why a transfer has failed: the status with which the far end, or the new party, refused."""
    found = re.fullmatch(r"([3-6]\d\d)(?: +(.*))?", param)
    code, text = (f"SIP {found[1]}", found[2] or "") if found else (None, param)
    return Failed("remote_refused", shortened(text, 256), app_code=code)


def dialed(remote: Handle, gateway: Optional[str]) -> str:
    """The address to call; of a number, that at the gateway. A registrar is no gateway unless its
    user says so, and baresip would call itself."""
    value = remote["value"]
    is_number = remote["type"] == "phone" or value.startswith("tel:")
    if not is_number:
        return value
    if gateway is None:
        raise Failed("invalid_address", "baresip has no gateway for numbers; --gateway names one")
    number = re.sub(r"[\s().-]", "", value.partition(":")[2] if ":" in value else value)
    number = number.partition(";")[0]           # the parameters of a tel:
    if not re.fullmatch(r"\+?[0-9*#]+", number):
        raise Failed("invalid_number", "expected a number of digits, * and #, such as +15550100")
    return f"sip:{number.replace('#', '%23')}@{gateway}"


def target(address: str) -> str:
    """The address of the new party, as the command takes it. It becomes a part of a SIP message."""
    if not re.fullmatch(r"[^\s<>\"\x00-\x1f\x7f]+", address):
        raise Failed("invalid_address", "expected an address without blanks and quotation marks, "
                                        "such as sip:ann@example.org")
    return f"<{address}>" if re.match("(sips?|tel):", address) else address


def _end_reason(code: str, detail: EndDetail) -> str:
    if code.startswith("3") or code in ("486", "600", "603", "607", "608"):
        return "remote_ended"
    return "unanswered" if code == "487" or "reason" in detail else "failed"


class SipLeg(Leg):
    """A call of baresip, named by the Call-ID of SIP, which is the same at both ends."""

    def __init__(self, id: str, aor: str, call: str, is_incoming: bool, peer: str,
                 name: str = "") -> None:
        super().__init__(call, is_incoming, name)
        self.id = id
        self.aor = aor                          # of the account that has it
        self.peer = peer
        self.quality = Quality()
        self.endpoints: List[Endpoint] = []     # devices that can play it
        self.is_answering = False
        self.is_established = False
        self.held = False                       # by us, and the far end agreed
        self.muted: Optional[bool] = False      # None: nobody knows
        self.is_leaving = False                 # by a transfer of the broker
        self.refusal = ""                       # why that has failed, as baresip says it
        self.turn = asyncio.Lock()              # one hold or resume after the other

    def handle(self) -> Handle:
        return handle(self.peer)

    def broker_state(self) -> str:
        if self.is_established:
            return "held" if self.held else "active"
        if self.is_incoming:
            return "ringing"
        return "alerting" if self.has_rung else "dialing"

    def abilities(self) -> Update:
        abilities: Update = {"supports_grouping": False, "supports_ungrouping": False,
                             "supports_transfer": True, "external_id": shortened(self.id, 256)}
        if self.endpoints:
            abilities["endpoints"] = self.endpoints
        return abilities


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
