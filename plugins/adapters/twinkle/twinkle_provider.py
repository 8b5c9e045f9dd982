#!/usr/bin/env python3
"""Makes Twinkle a provider of CallBroker: starts its console, and reads what that prints.

    twinkle_provider.py --profile NAME [--identity NAME] [--display-name TEXT] [--socket PATH]
                        [--verbose]

NAME is a user profile in ~/.twinkle. One call at a time.
"""
from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

from app_adapter import FEATURES, AppAdapter, Impossible, Leg, run, seconds_for, shortened
from callbroker import Action, EndDetail, Failed, Handle, Provider, Update, new_id, plugin_options
from console import STATUS, Console, announcement, caller

log = logging.getLogger("twinkle_provider")

LINE = 1                                        # of Twinkle's two
FOLDER = Path.home() / ".twinkle"
RETRY_SECONDS = 10.0                            # after a twinkle-console that did not start
HUNG_SECONDS = 3.0                              # with an answer in its log that it does not print
SPARE_SECONDS = 1.0                             # of a hold, before the adapter gives it up


class TwinkleLeg(Leg):
    """The call of the line."""

    def __init__(self, call: str, is_incoming: bool, address: str, name: str = "") -> None:
        super().__init__(call, is_incoming, name)
        self.address = address
        self.is_active = self.is_held = False

    def handle(self) -> Handle:
        return {"type": "generic", "value": shortened(self.address, 256)}

    def broker_state(self) -> str:
        if self.is_active:
            return "held" if self.is_held else "active"
        return "ringing" if self.is_incoming else "dialing"

    def abilities(self) -> Update:
        return {"supports_grouping": False, "supports_ungrouping": False}


class Adapter(AppAdapter[TwinkleLeg]):
    """One life of twinkle-console."""

    KINDS = ("start", "answer", "end", "set_held", "set_muted", "play_dtmf")

    def __init__(self, provider: Provider) -> None:
        super().__init__(provider, "Twinkle", log, ValueError)
        self.console = Console(self._printed, FOLDER / "twinkle.log")
        self._is_calling = False                # the caller's address is in the next lines
        self._failed = ""                       # what the status in the next line is about
        self._is_muted = False

    async def gone(self) -> None:
        await asyncio.wait({self.console.lost})

    def disconnect(self) -> None:
        pass                                    # it ends with this program

    # ---- Actions

    async def start(self, action: Action) -> None:
        if self.legs:
            raise Failed("busy", "Twinkle has a call already")
        leg = TwinkleLeg(action.call, False, action.arguments["remote"]["value"])
        leg.is_starting = True
        self.legs["line"] = leg
        reached = leg.event("alerting", "active")
        action.progress(phase="dialing")
        try:
            await self._until_printed(reached, leg.address)
        finally:
            leg.is_starting = False
        self.begun(leg)
        if leg.is_active:
            self.tell(self.provider.report_connected(leg.call))

    async def _until_printed(self, reached: asyncio.Future[None], address: str) -> None:
        """Calls, until it prints how far the call is. At times it hangs when the far end answers at
        once: its log has the answer, and nothing is printed. It is ended then, and started anew."""
        logged = asyncio.ensure_future(self.console.invite("call", address))
        await asyncio.wait({reached, logged}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({reached}, timeout=HUNG_SECONDS)
        if not reached.done():
            status, words = logged.result()
            log.warning("twinkle-console hangs, and is started anew")
            self.console.kill()
            raise Failed("app_gone", f"twinkle-console hangs; the far end: {words}",
                         app_code=f"SIP {status}")
        logged.cancel()
        await reached

    async def answer(self, action: Action) -> None:
        leg = self.leg(action.call)
        active = leg.event("active")
        self.console.send("answer")
        await active

    async def hang_up(self, leg: TwinkleLeg) -> None:
        self.console.send("reject" if leg.is_incoming and not leg.is_active else "bye")

    async def set_held(self, action: Action) -> None:
        """Twinkle prints refusals only: its log has the answer of the far end."""
        leg, held = self.leg(action.call), bool(action.arguments["held"])
        if leg.is_held == held:
            return
        agreed = asyncio.ensure_future(self.console.invite("hold" if held else "retrieve"))
        await asyncio.wait({agreed}, timeout=seconds_for(action, SPARE_SECONDS))
        if not agreed.done():
            self.do(self._undo(agreed, held))
            raise Failed("remote_refused", "the far end does not answer")
        status, words = agreed.result()
        if status >= 300:
            raise Failed("remote_refused", words, app_code=f"SIP {status}")
        leg.is_held = held

    async def _undo(self, agreed: asyncio.Future[Tuple[int, str]], held: bool) -> None:
        """The far end agrees to what the broker no longer expects."""
        status, _ = await agreed
        if status < 300:
            self.console.send("retrieve" if held else "hold")

    async def set_muted(self, action: Action) -> None:
        leg, muted = self.leg(action.call), bool(action.arguments["muted"])
        if self._is_muted != muted:
            done = leg.event("muted" if muted else "unmuted")
            self.console.send("mute")
            await done

    async def play_dtmf(self, action: Action) -> None:
        self.leg(action.call)
        self.console.send("dtmf", action.arguments["digits"])

    # ---- What it prints

    def _printed(self, text: str) -> None:
        status = STATUS.fullmatch(text.strip())
        said = announcement(text)
        if said is not None and said[0] != LINE:
            log.warning("a second call is left to Twinkle; set call_waiting=no in %s/twinkle.sys",
                        FOLDER)
        elif said is not None:
            self._happened(said[1])
        elif self._is_calling and (who := caller(text)):
            self._is_calling = False
            self._rings(*who)
        elif self._failed and status:
            self._ended("failed", {"code": f"SIP {status[1]}", "text": shortened(status[2], 256)})
        elif text.strip() in ("Line muted.", "Line unmuted."):
            self._is_muted = text.strip() == "Line muted."
            for leg in self.legs.values():
                leg.happened("muted" if self._is_muted else "unmuted")

    def _happened(self, words: str) -> None:
        leg = self.legs.get("line")
        self._is_calling = words == "incoming call"
        self._failed = words if words == "call failed" else ""
        if leg is None:
            return
        if words.startswith("received 18"):
            self.rings_there(leg)
            leg.happened("alerting")
        elif words in ("call established", "far end answered call"):
            self._active(leg)
        elif words in ENDS:
            self._ended(ENDS[words], {})

    def _rings(self, name: str, address: str) -> None:
        leg = self.legs["line"] = TwinkleLeg(new_id(), True, address, name)
        self.do(self.report_incoming(leg))

    def _active(self, leg: TwinkleLeg) -> None:
        leg.is_active = True
        if not leg.happened("active") and not leg.is_starting:
            self.tell(self.provider.report_connected(leg.call))

    def _ended(self, reason: str, detail: EndDetail) -> None:
        leg: Optional[TwinkleLeg] = self.legs.pop("line", None)
        self._failed, self._is_muted = "", False
        if leg is None:
            return
        leg.close("the call is over", detail)
        if not leg.is_ending and not leg.is_starting:
            self.tell(self.provider.report_ended(leg.call, reason, detail=detail or None))


# Words of Twinkle at the end of a call, and the reason for the broker.
ENDS: Dict[str, Any] = {"far end ended call": "remote_ended", "call ended": "remote_ended",
                        "far end cancelled call": "remote_ended", "call rejected": "failed",
                        "answer timeout": "unanswered"}


async def one_life(options: argparse.Namespace) -> None:
    """From the start of twinkle-console to its end."""
    provider = Provider(
        options.identity, options.display_name, name="twinkle_provider", socket=options.socket,
        features=FEATURES, handle_types=["generic"], url_schemes=["sip"], kind="adapter",
        max_call_groups=1, max_calls_per_group=1)
    adapter = Adapter(provider)
    try:
        await adapter.console.open(options.profile)
        log.info("Twinkle takes calls")
        if not await adapter.serve():
            raise asyncio.CancelledError
    except ConnectionError as error:
        log.warning("%s", error)
        await asyncio.sleep(RETRY_SECONDS)
    finally:
        await adapter.console.close()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Makes Twinkle a provider of CallBroker.")
    parser.add_argument("--profile", help="of Twinkle's user, in ~/.twinkle",
                        default=plugin_options().get("profile"))
    parser.add_argument("--identity", default="org.callbroker.twinkle", help="of this provider")
    parser.add_argument("--display-name", default="Twinkle", help="for people")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args()


async def checked_life(options: argparse.Namespace) -> None:
    if not options.profile:
        raise Impossible("no profile: --profile NAME, for a plugin callbroker plugin set twinkle "
                         "profile NAME")
    try:
        await one_life(options)
    except FileNotFoundError:
        raise Impossible("twinkle-console is not installed; it is in the package "
                         "twinkle-console") from None


def main() -> None:
    options = arguments()
    run("twinkle_provider", lambda: checked_life(options), options.verbose)


if __name__ == "__main__":
    main()
