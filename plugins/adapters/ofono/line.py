"""The line of a modem, as ofono's interfaces describe it."""
from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, Mapping

from app_adapter import shortened
from callbroker import Line, phone

Properties = Dict[str, Any]

MODEM, NETWORK = "org.ofono.Modem", "org.ofono.NetworkRegistration"
MESSAGES, SIM = "org.ofono.MessageWaiting", "org.ofono.SimManager"
INTERFACES = (MODEM, NETWORK, MESSAGES, SIM)    # those that tell something about a line

ID_BYTES, LABEL_BYTES, NUMBER_BYTES = 64, 128, 256
STATES = {"registered": "registered", "roaming": "registered", "searching": "registering",
          "unknown": "registering", "denied": "failed", "emergency_only": "failed",
          "no_calls": "failed", "unregistered": "off"}


def line_id(path: str) -> str:
    """The id of the line: the modem's path."""
    return shortened(path, ID_BYTES)


def label(path: str, about: Mapping[str, Properties]) -> str:
    """The name for people: the operator's, or else the modem's."""
    names = (about.get(NETWORK, {}).get("Name"), about.get(MODEM, {}).get("Name"), path)
    return shortened(next(str(name) for name in names if name), LABEL_BYTES)


def line_of(path: str, about: Mapping[str, Properties]) -> Line:
    """The line of the modem; `about` has the properties of the interfaces that it has now. Without
    a network only emergencies can be called."""
    status = str(about.get(NETWORK, {}).get("Status", "unregistered"))
    line: Line = {"line": line_id(path), "label": label(path, about), "default": True,
                  "state": STATES.get(status, "registering")}
    if line["state"] == "failed":
        line["reason"] = status
    numbers = about.get(SIM, {}).get("SubscriberNumbers") or []
    if numbers and numbers[0]:
        line["handle"] = phone(shortened(str(numbers[0]), NUMBER_BYTES))
    messages = about.get(MESSAGES, {})
    if messages:
        count = max(1, int(messages.get("VoicemailMessageCount", 0)))   # 0: nobody counts them
        line["messages_waiting"] = count if messages.get("VoicemailWaiting") else 0
    if messages.get("VoicemailMailboxNumber"):
        line["voicemail"] = phone(shortened(str(messages["VoicemailMailboxNumber"]), NUMBER_BYTES))
    return line


class About:
    """The properties of a modem's interfaces, those that tell something about its line."""

    def __init__(self) -> None:
        self._known: Dict[str, Properties] = {}
        self._changes = 0                       # so far

    async def read(self, properties: Callable[[str], Awaitable[Properties]]) -> None:
        """Reads all of them with `properties`, which is given the interface. Reads once more if a
        signal came meanwhile, which may be newer than what was read."""
        read_at, known = -1, self._known
        while read_at != self._changes:
            read_at = self._changes
            known = {interface: await properties(interface) for interface in INTERFACES}
        self._known = known

    def changed(self, interface: str, name: str, value: Any) -> None:
        """Follows a signal."""
        self._changes += 1
        self._known.setdefault(interface, {})[name] = value

    def line(self, path: str) -> Line:
        """Returns the line of the modem with that path."""
        return line_of(path, self._known)
