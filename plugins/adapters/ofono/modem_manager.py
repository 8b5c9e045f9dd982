"""ModemManager, in ofono's words: its states and its signals are those of ofono here."""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, List, Set, Tuple

from dbus_fast import Variant

from line import MODEM, NETWORK, SIM
from line_settings import CALLS as SETTINGS
from line_settings import WAITING
from service import BUS, CALL, CALLS, DEFLECT, SPLIT, TRANSFER, Properties, Refused, Service

MM = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
MM_MODEM, MM_3GPP, MM_VOICE = MM + ".Modem", MM + ".Modem.Modem3gpp", MM + ".Modem.Voice"
MM_CALL = MM + ".Call"
OBJECTS, PROPERTIES = BUS + ".ObjectManager", BUS + ".Properties"
OURS = "callbroker"                             # the plugin of a modem that stands for our own calls

FAILED, LOCKED, ENABLED = -1, 2, 6              # MMModemState; above it, the modem is on, too
# MMCallState; of 0 it is not known yet, because nobody has started it.
STATES = {1: "dialing", 2: "alerting", 3: "incoming", 4: "active", 5: "held", 6: "waiting",
          7: "disconnected"}
DISCONNECTED, READING = STATES[7], "reading"    # and while it is read: signals only tell of news
INCOMING = 1                                    # MMCallDirection
# MMCallStateReason of a call that is over
REASONS = {4: "terminated", 5: "refused_or_busy", 6: "error", 7: "audio_setup_failed",
           8: "transferred", 9: "deflected"}
# MMModem3gppRegistrationState: 6 and 7 have messages alone
STATUSES = {0: "unregistered", 1: "registered", 2: "searching", 3: "denied", 4: "unknown",
            5: "roaming", 6: "no_calls", 7: "no_calls", 8: "emergency_only", 9: "registered",
            10: "roaming", 11: "emergency_only"}


def same(value: Any) -> Any:
    return value


# Interface and property here, and what ofono has in its place.
ABOUT: Dict[Tuple[str, str], Tuple[str, str, Callable[[Any], Any]]] = {
    (MM_MODEM, "Model"): (MODEM, "Name", same),
    (MM_MODEM, "OwnNumbers"): (SIM, "SubscriberNumbers", same),
    (MM_3GPP, "OperatorName"): (NETWORK, "Name", same),
    (MM_3GPP, "RegistrationState"): (NETWORK, "Status", lambda state: STATUSES.get(state, "unknown"))}
OF_CALL: Dict[str, Tuple[str, Callable[[Any], Any]]] = {
    "Number": ("LineIdentification", same), "Multiparty": ("Multiparty", bool),
    "State": ("State", lambda state: STATES.get(state, ""))}


def translated(found: Properties) -> Properties:
    """The properties of a call."""
    call = {name: convert(found[theirs]) for theirs, (name, convert) in OF_CALL.items()
            if theirs in found}
    return {"State": "", **call, "Incoming": found.get("Direction") == INCOMING,
            "Reason": REASONS.get(found.get("StateReason", 0), ModemManager.silent_end)}


class ModemManager(Service):
    """The modems of ModemManager, on the system's bus. The modem that the plugin dialers offers
    there is none of them: its calls are those of the broker."""

    name, title, display_name = MM, "ModemManager", "Cellular"
    advice = "its service has to run: systemctl start ModemManager"
    no_modem = ("ModemManager has no modem; is it plugged in, and does mmcli -L list it? (CallBroker's "
                "own, of the plugin dialers, does not count)")
    abilities = frozenset({TRANSFER, DEFLECT, SPLIT})
    silent_end = "terminated"

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._states: Dict[str, str] = {}       # of calls by path; empty if nobody has started it
        self._unread: Set[str] = set()          # calls about which more has come than was read

    async def modems(self) -> List[Tuple[str, Properties]]:
        (found,) = await self._call(ROOT, OBJECTS, "GetManagedObjects")
        return [(path, self._modem(interfaces)) for path, interfaces in found.items()
                if interfaces.get(MM_MODEM, {}).get("Plugin", OURS) != OURS]

    @staticmethod
    def _modem(interfaces: Dict[str, Properties]) -> Properties:
        """A modem without a card, or with a locked one, is not switched on by a switch."""
        state = interfaces[MM_MODEM].get("State", 0)
        is_on = state >= ENABLED
        return {"Powered": is_on or state in (FAILED, LOCKED), "Online": is_on,
                "Interfaces": [CALLS] if is_on and MM_VOICE in interfaces else []}

    async def set_modem(self, path: str, name: str, value: bool) -> None:
        """Both are one switch here."""
        if name == "Powered":
            await self._call(path, MM_MODEM, "Enable", "b", value)

    async def properties(self, interface: str) -> Properties:
        if interface == SETTINGS:
            return await self._call_waiting()
        wanted = [(theirs, ours) for theirs, ours in ABOUT.items() if ours[0] == interface]
        found = {each: await self._all(self.modem, each) for each in {one for (one, _), _ in wanted}}
        return {name: convert(found[theirs][property])
                for (theirs, property), (_, name, convert) in wanted if property in found[theirs]}

    async def _all(self, path: str, interface: str) -> Properties:
        try:
            (found,) = await self._call(path, PROPERTIES, "GetAll", "s", interface)
        except Refused:
            return {}
        return dict(found)

    async def _call_waiting(self) -> Properties:
        try:
            (is_on,) = await self._command("CallWaitingQuery")
        except Refused:
            return {}
        return {WAITING: "enabled" if is_on else "disabled"}

    async def set_property(self, interface: str, name: str, signature: str, value: Any) -> None:
        if (interface, name) != (SETTINGS, WAITING):
            raise Refused("NotSupported", f"{self.title} has no {name}")
        await self._command("CallWaitingSetup", "b", value == "enabled")

    # ---- Commands

    async def _command(self, member: str, signature: str = "", *values: Any) -> List[Any]:
        """A method of the modem's calls."""
        return await self._call(self.modem, MM_VOICE, member, signature, *values)

    async def dial(self, number: str) -> None:
        (path,) = await self._command("CreateCall", "a{sv}", {"number": Variant("s", number)})
        try:
            await self._call(path, MM_CALL, "Start")
        except Refused:
            await self._delete(path)
            raise

    async def answer(self, path: str) -> None:
        await self._call(path, MM_CALL, "Accept")

    async def hang_up(self, path: str) -> None:
        await self._call(path, MM_CALL, "Hangup")

    async def deflect(self, path: str, number: str) -> None:
        await self._call(path, MM_CALL, "Deflect", "s", number)

    async def swap(self) -> None:
        await self._command("HoldAndAccept")

    async def hold_and_answer(self) -> None:
        await self._command("HoldAndAccept")

    async def join(self) -> None:
        held = next((path for path, state in self._states.items() if state == "held"), None)
        if held is None:
            raise Refused("WrongState", "no call is held")
        await self._call(held, MM_CALL, "JoinMultiparty")

    async def split(self, path: str) -> None:
        await self._call(path, MM_CALL, "LeaveMultiparty")

    async def transfer(self) -> None:
        await self._command("Transfer")

    async def send_tones(self, path: str, digits: str) -> None:
        for digit in digits:                    # it takes one at a time
            await self._call(path, MM_CALL, "SendDtmf", "s", digit)

    # ---- Calls

    async def calls(self) -> List[Tuple[str, Properties]]:
        (paths,) = await self._command("ListCalls")
        found = [(path, await self._read(path)) for path in paths]
        return [(path, call) for path, call in found if call["State"] not in ("", DISCONNECTED)]

    async def _read(self, path: str) -> Properties:
        """A call; its state is empty if nobody has started it, or it is gone. Reads once more if a
        signal came meanwhile, which may be newer than what was read."""
        found: Properties = {}
        self._unread.add(path)
        while path in self._unread:
            self._unread.discard(path)
            self._states[path] = READING
            found = await self._all(path, MM_CALL)
        call = translated(found)
        self._states[path] = call["State"]
        if not found or call["State"] == DISCONNECTED:
            del self._states[path]
        return call

    async def _appear(self, path: str) -> None:
        """Tells of a call; of one that comes even if it was over before it could be read."""
        call = await self._read(path)
        is_over = call["State"] == DISCONNECTED
        if is_over:
            call["State"] = self._states[path] = "incoming" if call["Incoming"] else ""
        if call["State"]:
            self._on_signal(self.modem, f"{CALLS}.CallAdded", [path, call])
        if is_over:
            self._end(path, call["Reason"])

    async def _delete(self, path: str) -> None:
        """Takes a call that is over from the list; another program may have done so."""
        with contextlib.suppress(Refused):
            await self._command("DeleteCall", "o", path)

    # ---- Signals

    def _heard(self, path: str, interface: str, member: str, values: List[Any]) -> None:
        if interface == OBJECTS or (interface, member) == (MM_MODEM, "StateChanged"):
            self.changed.set()
        elif path == self.modem and interface == MM_VOICE:
            if member == "CallAdded":
                self._do(self._appear(values[0]))
            elif member == "CallDeleted":
                self._over(values[0], self.silent_end)
        elif path == self.modem and member == "PropertiesChanged":
            self._modem_changed(values[0], values[1])
        elif path in self._states:
            self._call_happened(path, interface, member, values)

    def _modem_changed(self, interface: str, changed: Properties) -> None:
        for theirs, value in changed.items():
            if (interface, theirs) in ABOUT:
                ours, name, convert = ABOUT[interface, theirs]
                self._on_signal(self.modem, f"{ours}.PropertyChanged", [name, convert(value)])

    def _call_happened(self, path: str, interface: str, member: str, values: List[Any]) -> None:
        if self._states[path] == READING:
            self._unread.add(path)
        elif not self._states[path]:            # somebody starts it
            self._states[path] = READING
            self._do(self._appear(path))
        elif interface == MM_CALL and member == "StateChanged":
            self._became(path, STATES.get(values[1], ""), values[2])
        elif member == "PropertiesChanged" and values[0] == MM_CALL:
            for theirs in ("Number", "Multiparty"):
                if theirs in values[1]:
                    name, convert = OF_CALL[theirs]
                    self._tell(path, name, convert(values[1][theirs]))

    def _became(self, path: str, state: str, reason: int) -> None:
        if state == DISCONNECTED:
            self._end(path, REASONS.get(reason, self.silent_end))
        elif state:
            self._states[path] = state
            self._tell(path, "State", state)

    def _tell(self, path: str, name: str, value: Any) -> None:
        self._on_signal(path, f"{CALL}.PropertyChanged", [name, value])

    def _end(self, path: str, reason: str) -> None:
        """The call is over, and is to be taken from the list."""
        self._over(path, reason)
        self._do(self._delete(path))

    def _over(self, path: str, reason: str) -> None:
        if self._states.get(path) == READING:
            self._unread.add(path)
        elif self._states.pop(path, ""):
            self._on_signal(path, f"{CALL}.DisconnectReason", [reason])
            self._on_signal(self.modem, f"{CALLS}.CallRemoved", [path])
