"""The desktop's part of global shortcuts, of the test's own, behind the real xdg-desktop-portal
(org.freedesktop.impl.portal.GlobalShortcuts): a key is pressed and released by a line on standard
input.

    shortcut_backend.py        lines: down NAME AT_MS, up NAME AT_MS, close
"""
import asyncio
import os
import sys

SDK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "sdk", "python")
sys.path.insert(0, SDK)

from jeepney import message_bus  # noqa: E402

from served import Interface, Served  # noqa: E402
from bus import Bus, session_bus  # noqa: E402

NAME = "org.freedesktop.impl.portal.desktop.callbrokertest"
SHORTCUTS = "org.freedesktop.impl.portal.GlobalShortcuts"
SESSION = "org.freedesktop.impl.portal.Session"
DESKTOP = "/org/freedesktop/portal/desktop"


class Backend:
    def __init__(self, bus):
        self.bus, self.session = bus, ""
        self.served = Served(bus, DESKTOP, Interface(SHORTCUTS, {
            "CreateSession": ("oosa{sv}", "ua{sv}", self.create),
            "BindShortcuts": ("ooa(sa{sv})sa{sv}", "ua{sv}", self.bind),
            "ListShortcuts": ("oo", "ua{sv}", lambda *_: (0, {})),
        }, lambda: {"version": ("u", 1)}, {"Activated": "osta{sv}", "Deactivated": "osta{sv}"}))

    def create(self, handle, session, app, options):
        self.session = session
        self.object = Served(self.bus, session, Interface(
            SESSION, {"Close": ("", "", lambda: ())}, lambda: {"version": ("u", 1)},
            {"Closed": ""}))
        return 0, {}

    def bind(self, handle, session, rows, parent, options):
        words = [name + "=" + words["description"][1] for name, words in rows]
        print("bound", "; ".join(words), flush=True)
        return 0, {"shortcuts": ("a(sa{sv})", [(name, {**words, "trigger_description": ("s", "F1")})
                                               for name, words in rows])}

    def key(self, line):
        word, *rest = line.split()
        if word == "close":
            return self.object.signal(SESSION, "Closed")
        name, at_ms = rest
        signal = {"down": "Activated", "up": "Deactivated"}[word]
        return self.served.signal(SHORTCUTS, signal, self.session, name, int(at_ms), {})


async def main():
    backend = Backend(Bus(session_bus))
    await backend.bus.open()
    await backend.bus.ask(message_bus.RequestName(NAME))
    print("serves", flush=True)
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        backend.key(line.decode())


if __name__ == "__main__":
    asyncio.run(main())
