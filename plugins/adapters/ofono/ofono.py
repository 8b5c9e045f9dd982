"""ofono, and PipeWire, whose Bluetooth telephony has the same interfaces for calls."""
from __future__ import annotations

import asyncio
from typing import Any, List, Tuple

from dbus_fast import Variant

from line import MODEM, NETWORK
from service import CALL, CALLS, DEFLECT, SPLIT, TRANSFER, Properties, Refused, Service

MANAGER = "org.ofono.Manager"
BUSY = "InProgress"                             # the error's name
BUSY_SECONDS, BUSY_TRIES = 0.2, 150             # a network may take long


class Ofono(Service):
    """The modems of ofonod, on the system's bus."""

    name, title, display_name = "org.ofono", "ofono", "Cellular"
    advice = "its service has to run: systemctl start ofono"
    no_modem = "ofono has no modem; is it plugged in, and does ofono know its kind?"
    abilities = frozenset({TRANSFER, DEFLECT, SPLIT})
    root = "/"

    async def modems(self) -> List[Tuple[str, Properties]]:
        (found,) = await self._call(self.root, MANAGER, "GetModems")
        return list(dict(found).items())

    async def properties(self, interface: str) -> Properties:
        """Asks again while ofono is asking the network for somebody else."""
        for _ in range(BUSY_TRIES):
            try:
                (found,) = await self._call(self.modem, interface, "GetProperties")
                return dict(found)
            except Refused as refusal:
                if refusal.name != BUSY:
                    break
            await asyncio.sleep(BUSY_SECONDS)
        return {}

    async def set_property(self, interface: str, name: str, signature: str, value: Any) -> None:
        await self._call(self.modem, interface, "SetProperty", "sv", name,
                         Variant(signature, value))

    async def set_modem(self, path: str, name: str, value: bool) -> None:
        await self._call(path, MODEM, "SetProperty", "sv", name, Variant("b", value))

    async def calls(self) -> List[Tuple[str, Properties]]:
        (found,) = await self._command("GetCalls")
        return list(dict(found).items())

    async def dial(self, number: str) -> None:
        await self._command("Dial", "ss", number, "")

    async def answer(self, path: str) -> None:
        await self._call(path, CALL, "Answer")

    async def hang_up(self, path: str) -> None:
        await self._call(path, CALL, "Hangup")

    async def deflect(self, path: str, number: str) -> None:
        await self._call(path, CALL, "Deflect", "s", number)

    async def swap(self) -> None:
        await self._command("SwapCalls")

    async def hold_and_answer(self) -> None:
        await self._command("HoldAndAnswer")

    async def join(self) -> None:
        await self._command("CreateMultiparty")

    async def split(self, path: str) -> None:
        await self._command("PrivateChat", "o", path)

    async def transfer(self) -> None:
        await self._command("Transfer")

    async def send_tones(self, path: str, digits: str) -> None:
        await self._command("SendTones", "s", digits)

    async def _command(self, member: str, signature: str = "", *values: Any) -> List[Any]:
        """A method of the modem's calls."""
        return await self._call(self.modem, CALLS, member, signature, *values)

    def _heard(self, path: str, interface: str, member: str, values: List[Any]) -> None:
        if interface in (MANAGER, MODEM):
            self.changed.set()
        elif self.modem and f"{path}/".startswith(self.modem + "/"):
            self._on_signal(path, f"{interface}.{member}", values)


class PipeWire(Ofono):
    """The mobile phones that are connected over Bluetooth (hands-free profile), on the session's
    bus. They have no switch, no name and no number, and do not tell why a call ended."""

    name, title, display_name = "org.pipewire.Telephony", "PipeWire", "Mobile phone"
    advice = ("PipeWire 1.4 or later has to run with its Bluetooth telephony: "
              "systemctl --user start pipewire wireplumber")
    no_modem = ("no mobile phone is connected over Bluetooth; pair it once, and connect it: "
                "bluetoothctl connect ADDRESS")
    abilities = frozenset()
    silent_end = "terminated"
    root = "/org/pipewire/Telephony"
    is_of_session = True

    async def modems(self) -> List[Tuple[str, Properties]]:
        return [(path, {"Powered": True, "Online": True, "Interfaces": [CALLS]})
                for path, _ in await super().modems()]

    async def properties(self, interface: str) -> Properties:
        return {MODEM: {"Name": self.display_name},
                NETWORK: {"Status": "registered"}}.get(interface, {})

    async def dial(self, number: str) -> None:
        await self._command("Dial", "s", number)
