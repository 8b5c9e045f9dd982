"""What the network keeps for a modem's line: forwarding, waiting, the hidden number."""
from __future__ import annotations

from typing import Any, Awaitable, Callable, Dict, List, Mapping, Tuple

from app_adapter import shortened
from callbroker import LineSetting, phone
from line import NUMBER_BYTES, Properties

FORWARDING, CALLS = "org.ofono.CallForwarding", "org.ofono.CallSettings"
SETTING_INTERFACES = (FORWARDING, CALLS)

Write = Tuple[str, str, str, Any]               # interface, property, type in D-Bus, value

FORWARDS = {"forward_always": "VoiceUnconditional", "forward_busy": "VoiceBusy",
            "forward_no_reply": "VoiceNoReply", "forward_unreachable": "VoiceNotReachable"}
TIMEOUT = "VoiceNoReplyTimeout"
TIMEOUT_SECONDS = range(1, 31)                  # that networks take
WAITING, HIDDEN = "VoiceCallWaiting", "HideCallerId"
# Of the subscription, where the user has not chosen: whether the number is hidden then.
RESTRICTED = {"permanent": True, "temporary": True, "on": True, "on permanent": True}


def settings_of(about: Mapping[str, Properties]) -> List[LineSetting]:
    """The settings that the interfaces have; none of an interface that the modem does not have,
    or whose network has not answered."""
    forwarding, calls = about.get(FORWARDING, {}), about.get(CALLS, {})
    settings = [_forward(kind, name, forwarding) for kind, name in FORWARDS.items()
                if name in forwarding]
    if WAITING in calls:
        settings.append({"setting": "call_waiting", "on": calls[WAITING] == "enabled"})
    if HIDDEN in calls:
        hidden = {"enabled": True, "disabled": False}.get(
            str(calls[HIDDEN]), RESTRICTED.get(str(calls.get("CallingLineRestriction")), False))
        settings.append({"setting": "caller_id_hidden", "on": hidden})
    return settings


def _forward(kind: str, name: str, properties: Properties) -> LineSetting:
    number = str(properties[name])
    setting: LineSetting = {"setting": kind, "on": bool(number)}
    if number:
        setting["to"] = phone(shortened(number, NUMBER_BYTES))
        if kind == "forward_no_reply" and properties.get(TIMEOUT):
            setting["after_ms"] = int(properties[TIMEOUT]) * 1000
    return setting


def writes(setting: LineSetting) -> List[Write]:
    """The properties to set, one after the other. A time comes after its number: ofono has none for
    calls that are not forwarded."""
    kind, is_on = setting["setting"], setting["on"]
    if kind == "call_waiting":
        return [(CALLS, WAITING, "s", "enabled" if is_on else "disabled")]
    if kind == "caller_id_hidden":
        return [(CALLS, HIDDEN, "s", "enabled" if is_on else "disabled")]
    number = setting["to"]["value"] if is_on else ""
    forward: List[Write] = [(FORWARDING, FORWARDS[kind], "s", number)]
    if is_on and setting.get("after_ms"):
        seconds = min(max(round(setting["after_ms"] / 1000), TIMEOUT_SECONDS[0]),
                      TIMEOUT_SECONDS[-1])
        forward.append((FORWARDING, TIMEOUT, "q", seconds))
    return forward


class Settings:
    """The properties of the two interfaces. ofono asks the network for them when it is first asked,
    which may take many seconds."""

    def __init__(self) -> None:
        self._known: Dict[str, Properties] = {}
        self._told: Dict[str, Properties] = {}  # by signals since the last reading began

    async def read(self, properties: Callable[[str], Awaitable[Properties]]) -> None:
        """Reads all of them with `properties`, which is given the interface. What a signal has told
        meanwhile is newer."""
        for interface in SETTING_INTERFACES:
            self._told[interface] = {}
            found = await properties(interface)
            self._known[interface] = {**found, **self._told[interface]}

    def changed(self, interface: str, name: str, value: Any) -> None:
        """Follows a signal."""
        for properties in (self._known, self._told):
            properties.setdefault(interface, {})[name] = value

    def list(self) -> List[LineSetting]:
        """Returns the settings that are known."""
        return settings_of(self._known)
