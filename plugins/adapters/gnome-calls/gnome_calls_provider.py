#!/usr/bin/python3
"""Makes GNOME Calls a provider of CallBroker, over its interface on the session bus.

    gnome_calls_provider.py [--modem] [--identity NAME] [--display-name TEXT] [--socket PATH]
                            [--verbose]

It attaches to a GNOME Calls that runs, and is registered while it does. The interpreter is Debian's,
whose package python3-dbus-fast is needed.
"""
from __future__ import annotations

import argparse
import logging
import sys
import uuid
from pathlib import Path
from typing import Any, Dict, Optional, Sequence

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

try:
    from calls_bus import CallsBus, Properties, Refused
except ImportError as error:
    sys.exit(f"gnome_calls_provider: {error}; install python3-dbus-fast, and run this with "
             "/usr/bin/python3")
from app_adapter import FEATURES, AppAdapter, Leg, run, shortened
from callbroker import Action, Failed, Handle, Provider, Update, plugin_options

log = logging.getLogger("gnome_calls_provider")

ATTACH_SECONDS = (0.1, 2.0)                     # between tries, the first and the longest
DIAL_SECONDS = 10.0                             # for a call to appear that is dialed
ACTIVE, HELD, DIALING, ALERTING, INCOMING, WAITING, DISCONNECTED = range(1, 8)
STATES = {ACTIVE: "active", HELD: "held", DIALING: "dialing", ALERTING: "alerting",
          INCOMING: "ringing", WAITING: "ringing"}
CALL_IDS = uuid.UUID("7d1b2f0a-5c0e-4a58-9d0e-1e0f1a4a6b11")


class CallLeg(Leg):
    """A call of GNOME Calls, named by its object's path."""

    def __init__(self, life: str, path: str, properties: Properties) -> None:
        state = int(properties.get("State", 0))
        # Paths are not given away again in one life: a restarted adapter finds the same id.
        super().__init__(str(uuid.uuid5(CALL_IDS, life + path)), bool(properties.get("Inbound")),
                         str(properties.get("DisplayName", "")))
        self.path, self.state = path, state
        self.address = str(properties.get("Id", ""))
        self.has_tones = bool(properties.get("CanDtmf"))
        self.has_rung = state == ALERTING

    def handle(self) -> Handle:
        if not self.address:
            return {"type": "generic", "value": "withheld"}
        kind = "generic" if "@" in self.address else "phone"
        return {"type": kind, "value": shortened(self.address, 256)}

    def broker_state(self) -> str:
        return STATES[self.state]

    def abilities(self) -> Update:
        return {"supports_holding": False, "supports_grouping": False,
                "supports_ungrouping": False, "supports_dtmf": self.has_tones}


class Adapter(AppAdapter[CallLeg]):
    """One life of GNOME Calls.

    Args:
        protocols: of the calls that are reported.
    """

    KINDS = ("start", "answer", "end", "play_dtmf")

    def __init__(self, provider: Provider, protocols: Sequence[str]) -> None:
        super().__init__(provider, "GNOME Calls", log, Refused)
        self._protocols = protocols
        self._turn = asyncio.Lock()             # one call is dialed after the other
        self._dialed: Optional[asyncio.Future[CallLeg]] = None
        self.bus = CallsBus(self._happened)

    async def attach(self) -> None:
        """Finds out which calls there are."""
        for path, properties in (await self.bus.open()).items():
            if self._is_reported(properties) and properties.get("State") in STATES:
                self.legs.setdefault(path, CallLeg(self.bus.life, path, properties))

    async def gone(self) -> None:
        await asyncio.wait({self.bus.lost})

    def disconnect(self) -> None:
        self.bus.close()

    def _is_reported(self, properties: Properties) -> bool:
        return str(properties.get("Protocol", "")) in self._protocols

    # ---- Actions: each ends by a signal

    async def start(self, action: Action) -> None:
        for known in self.legs.values():
            if known.call == action.call:       # it was dialed in the app
                return self.begun(known)
        async with self._turn:
            leg = await self._dial(action.arguments["remote"]["value"])
        leg.call, leg.is_starting = action.call, True
        try:
            if leg.state not in (ALERTING, ACTIVE):
                action.progress(phase="dialing")
                await leg.event("alerting", "active")
        finally:
            leg.is_starting = False
        self.begun(leg)
        if leg.state == ACTIVE:
            self.tell(self.provider.report_connected(leg.call))

    async def _dial(self, address: str) -> CallLeg:
        """Lets the app dial. Its interface has no method for that; its command line does."""
        self._dialed = asyncio.get_running_loop().create_future()
        command = await asyncio.create_subprocess_exec(
            "gnome-calls", "--dial", address, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL)
        try:
            return await asyncio.wait_for(asyncio.shield(self._dialed), DIAL_SECONDS)
        except asyncio.TimeoutError:
            raise Failed("app_refused", "GNOME Calls made no call") from None
        finally:
            self._dialed = None
            if command.returncode is None:
                command.kill()
            await command.wait()

    async def answer(self, action: Action) -> None:
        leg = self.leg(action.call)
        active = leg.event("active")
        await self.bus.call(leg.path, "Accept")
        await active

    async def play_dtmf(self, action: Action) -> None:
        leg = self.leg(action.call)
        for digit in action.arguments["digits"]:
            await self.bus.call(leg.path, "SendDtmf", "s", digit)

    async def hang_up(self, leg: CallLeg) -> None:
        await self.bus.call(leg.path, "Hangup")

    # ---- Signals

    def _happened(self, path: str, properties: Optional[Properties]) -> None:
        leg = self.legs.get(path)
        if leg is None:
            if properties is not None and self._is_reported(properties):
                self._appeared(path, properties)
        elif properties is None or properties.get("State") == DISCONNECTED:
            self._over(leg)
        elif "State" in properties:
            self._became(leg, int(properties["State"]))

    def _appeared(self, path: str, properties: Dict[str, Any]) -> None:
        leg = CallLeg(self.bus.life, path, properties)
        if leg.state not in STATES:
            return
        self.legs[path] = leg
        if leg.is_incoming:
            self.do(self.report_incoming(leg))
        elif self._dialed is not None and not self._dialed.done():
            leg.is_starting = True
            self._dialed.set_result(leg)
        else:
            self.do(self.ask_to_start(leg))

    def _became(self, leg: CallLeg, state: int) -> None:
        former, leg.state = leg.state, state
        if state == ALERTING:
            self.rings_there(leg)
            leg.happened("alerting")
        elif state == ACTIVE:
            is_asked = leg.happened("active")
            if former == HELD:
                self.tell(self.provider.report_held(leg.call, False))
            elif not is_asked and not leg.is_starting:
                self.tell(self.provider.report_connected(leg.call))
        elif state == HELD:
            self.tell(self.provider.report_held(leg.call, True))

    def _over(self, leg: CallLeg) -> None:
        """Its interface does not say who has ended it."""
        del self.legs[leg.path]
        leg.close("the call is over")
        if not leg.is_ending and not leg.is_starting:
            self.tell(self.provider.report_ended(leg.call, "remote_ended"))


async def attached(options: argparse.Namespace) -> Adapter:
    """Waits for a GNOME Calls, however long that takes."""
    delay, longest = ATTACH_SECONDS
    said = ""
    while True:
        schemes = ["tel", "sip"] if options.modem else ["sip"]
        provider = Provider(
            options.identity, options.display_name, name="gnome_calls_provider",
            socket=options.socket, features=FEATURES, handle_types=["phone", "generic"],
            url_schemes=schemes, app_process="separate", kind="adapter", max_calls_per_group=1)
        adapter = Adapter(provider, schemes)
        try:
            await adapter.attach()
            return adapter
        except (OSError, Refused, asyncio.TimeoutError) as error:
            if str(error) != said:
                log.warning("waiting for GNOME Calls (%s); start it, or let it start with the "
                            "session: gnome-calls --daemon", error)
            said = str(error)
            adapter.close()
        await asyncio.sleep(delay)
        delay = min(delay * 2, longest)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes GNOME Calls a provider of CallBroker.")
    parser.add_argument("--modem", action="store_true", help="report calls of its modems, too, not "
                        "only those of its SIP accounts")
    parser.add_argument("--identity", default="org.callbroker.gnome-calls", help="of this provider")
    parser.add_argument("--display-name", default="GNOME Calls", help="for people")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    options = parser.parse_args()
    options.modem = options.modem or bool(plugin_options().get("modem"))
    return options


def main() -> None:
    options = arguments()

    async def one_life() -> None:
        adapter = await attached(options)
        log.info("attached to GNOME Calls")
        if not await adapter.serve():
            raise asyncio.CancelledError
    run("gnome_calls_provider", one_life, options.verbose)


if __name__ == "__main__":
    main()
