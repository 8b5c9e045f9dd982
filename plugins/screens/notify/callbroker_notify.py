#!/usr/bin/python3
"""Shows calls on the desktop, with buttons, and rings.

    callbroker_notify.py [--socket PATH] [--ringtone FILE] [--silent] [--no-in-call]
                         [--no-tray] [--window] [--when-locked WORD] [--verbose]

Calls come from the broker; what the user presses is asked of it. Without a desktop it rings only.
"""
from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import List, Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

from bus import Bus, session_bus
from callbroker import run_program
from display import Display
from incoming import CALL, CALLER, NOTHING, IncomingWindow
from notifier import Notifier
from overview import Overview
from sound.ringer import Ringer
from sound.sound import Sound
from sound.vibration import Vibration

IDENTITY = "org.callbroker.notify"
TOPICS = ("call.*", "host.changed", "history.changed", "policy.changed", "provider.added",
          "provider.changed", "transaction.completed")


async def serve(options: argparse.Namespace, folder: Path) -> None:
    """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
    screen = Display("callbroker_notify", identity=IDENTITY, socket=options.socket, topics=TOPICS,
                     features=["alerting", "ask", "video_request", "text"])
    ringer = None if options.silent else Ringer(folder, lambda: screen.connected)
    screen.has_ringer = ringer is not None
    bus = Bus(session_bus)
    sound = Sound(screen, ringer, Vibration(bus, IDENTITY), options.ringtone)
    notifier = Notifier(screen, bus, sound, not options.no_in_call)
    if not options.no_tray:
        notifier.followers.append(Overview(screen, bus, notifier.press, notifier.fail))
    system = Bus(lambda: "SYSTEM")
    window = incoming_window(options, notifier, bus, system)
    notifier.followers.append(window)
    try:
        await screen.serve_beside(notifier.watch(), notifier.draw())
    finally:
        await window.leave()
        await notifier.leave()
        for each in (bus, system):
            await each.leave()


def incoming_window(options: argparse.Namespace, notifier: Notifier, session: Bus,
                    system: Bus) -> IncomingWindow:
    """What the user set for the plugin counts beside the command line."""
    chosen = notifier.screen.option
    return IncomingWindow(
        session, system,
        lambda: notifier.ringing() if options.window or chosen("window", False) else {},
        notifier.press, notifier.send_away,
        lambda: str(options.when_locked or chosen("when_locked", CALL)))


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Shows calls on the desktop, with buttons, and rings.")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--ringtone", default="", metavar="FILE", help="in place of every other")
    parser.add_argument("--silent", action="store_true", help="never ring")
    parser.add_argument("--no-in-call", action="store_true", help="no notes of calls that talk")
    parser.add_argument("--no-tray", action="store_true", help="no item in the tray")
    parser.add_argument("--window", action="store_true", help="incoming calls in a window, too")
    parser.add_argument("--when-locked", choices=(NOTHING, CALL, CALLER), metavar="WORD",
                        help="what the window shows while the session is locked: nothing, call "
                        "(not who it is; the default), or caller")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="callbroker-notify-") as folder:
        return run_program("callbroker_notify", lambda: serve(options, Path(folder)),
                           options.verbose)


if __name__ == "__main__":
    sys.exit(main())
