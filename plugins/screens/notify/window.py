#!/usr/bin/python3
"""The window of the calls that ring: a program of its own, because GTK has a loop of its own and is
loaded only while somebody calls.

It reads what to show, one JSON object a line, and shows it until its input ends:

    {"direction": "ltr", "title": "Ann",
     "calls": [{"call": "1", "name": "Ann", "body": "Incoming call",
                "buttons": [["answer", "Answer"]]}]}

It writes what the user presses: {"call": "1", "button": "answer"}. Escape is the button `close` of
every call.
"""
from __future__ import annotations

import json
import sys
from typing import Any, Dict, List, Optional, Tuple

try:
    import gi
    gi.require_version("Gdk", "4.0")
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gdk, Gio, GLib, Gtk
except (ImportError, ValueError) as missing:
    sys.exit(f"callbroker_notify: no window: install python3-gi and gir1.2-gtk-4.0 ({missing})")
try:
    gi.require_version("GdkX11", "4.0")
    from gi.repository import GdkX11
except (ImportError, ValueError):
    GdkX11 = None                               # Wayland alone

JSON = Dict[str, Any]

UNTOUCHED_MS = 1000                             # what is typed just then is meant elsewhere
PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_MS = 300
PREFER_DARK = 1
NARROW = 1200                                   # points that five buttons beside each other need
ENTER = (Gdk.KEY_Return, Gdk.KEY_KP_Enter, Gdk.KEY_ISO_Enter)
STYLE = """
.call { padding: 24px; }
.name { font-size: 40pt; font-weight: bold; }
.body { font-size: 18pt; }
.press { font-size: 20pt; min-height: 72px; min-width: 180px; padding: 0 24px;
         border-radius: 36px; }
.answer { background: #1a7f37; color: white; }
.decline { background: #b3261e; color: white; }
.press:focus-visible { outline: 4px solid currentColor; outline-offset: 4px; }
"""


class Window:
    """Shows calls over the whole screen. It asks for no focus: typed text goes where it went."""

    def __init__(self) -> None:
        self._shown: Optional[JSON] = None
        self._is_ready = False                  # for keys and clicks
        self._buttons: Dict[Tuple[str, str], Gtk.Button] = {}
        self._box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=24,
                            valign=Gtk.Align.CENTER, halign=Gtk.Align.CENTER)
        self._window = Gtk.Window(child=Gtk.ScrolledWindow(child=self._box), decorated=False)
        self._window.connect("close-request", lambda _: self._close() or True)
        keys = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        keys.connect("key-pressed", self._typed)
        self._window.add_controller(keys)

    def show(self, wanted: JSON) -> None:
        if wanted == self._shown:
            return
        focus = self._focused()
        is_new = self._shown is None
        self._shown = wanted
        is_rtl = wanted["direction"] == "rtl"
        Gtk.Widget.set_default_direction(Gtk.TextDirection.RTL if is_rtl else Gtk.TextDirection.LTR)
        self._window.set_title(wanted["title"])
        self._fill(wanted["calls"])
        if is_new:
            self._appear()
        button = self._buttons.get(focus) if focus else None
        button = button or next(iter(self._buttons.values()), None)
        if button is not None:
            self._window.set_focus(button)

    def _appear(self) -> None:
        self._window.realize()
        surface = self._window.get_surface()
        if GdkX11 is not None and isinstance(surface, GdkX11.X11Surface):
            surface.set_user_time(0)            # the window manager gives it no focus
        self._window.fullscreen()
        self._window.set_visible(True)
        GLib.timeout_add(UNTOUCHED_MS, self._get_ready)

    def _get_ready(self) -> bool:
        self._is_ready = True
        return GLib.SOURCE_REMOVE

    def _focused(self) -> Optional[Tuple[str, str]]:
        focus = self._window.get_focus()
        return next((key for key, button in self._buttons.items() if button is focus), None)

    def _fill(self, calls: List[JSON]) -> None:
        while (child := self._box.get_first_child()) is not None:
            self._box.remove(child)
        self._buttons = {}
        for call in calls:
            self._box.append(self._call(call))

    def _call(self, call: JSON) -> Gtk.Widget:
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=18, css_classes=["call"])
        for style in ("name", "body"):
            box.append(Gtk.Label(label=call[style], wrap=True, justify=Gtk.Justification.CENTER,
                                 css_classes=[style], visible=bool(call[style])))
        row = Gtk.Box(orientation=self._direction(), spacing=18, halign=Gtk.Align.CENTER)
        first = next((verb for verb, _ in call["buttons"] if verb.endswith("answer")), None)
        for verb, label in call["buttons"]:
            row.append(self._button(call, verb, label, "answer" if verb == first else verb))
        box.append(row)
        return box

    def _button(self, call: JSON, verb: str, label: str, color: str) -> Gtk.Widget:
        """Of the answers only the first has a color: the others end a call."""
        button = Gtk.Button(label=label, css_classes=["press", color])
        button.connect("clicked", lambda _: self._press(call["call"], verb))
        who = f"{call['name']} {call['body']}"
        button.update_property([Gtk.AccessibleProperty.DESCRIPTION], [who])
        self._buttons[call["call"], verb] = button
        return button

    def _direction(self) -> Gtk.Orientation:
        """Of the buttons of a call: below each other on a narrow screen."""
        monitors = Gdk.Display.get_default().get_monitors()
        widths = [monitors.get_item(index).get_geometry().width
                  for index in range(monitors.get_n_items())]
        is_narrow = bool(widths) and min(widths) < NARROW
        return Gtk.Orientation.VERTICAL if is_narrow else Gtk.Orientation.HORIZONTAL

    def _typed(self, _: Gtk.EventControllerKey, key: int, code: int,
               state: Gdk.ModifierType) -> bool:
        if not self._is_ready:
            return True
        if key == Gdk.KEY_Escape:
            self._close()
        elif key in ENTER and self._focused() is not None:
            self._press(*self._focused())
        else:
            return False
        return True

    def _close(self) -> None:
        for call in (self._shown or {}).get("calls", []):
            write(call["call"], "close")

    def _press(self, call: str, verb: str) -> None:
        if self._is_ready:
            write(call, verb)


def write(call: str, button: str) -> None:
    print(json.dumps({"call": call, "button": button}), flush=True)


def session_bus() -> Optional[Gio.DBusConnection]:
    try:
        return Gio.bus_get_sync(Gio.BusType.SESSION)
    except GLib.Error:
        return None


def prefers_dark(bus: Gio.DBusConnection) -> bool:
    """What the user chose for all programs, where the desktop has a portal that tells it."""
    try:
        reply = bus.call_sync(
            PORTAL, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Settings", "Read",
            GLib.Variant("(ss)", ("org.freedesktop.appearance", "color-scheme")), None,
            Gio.DBusCallFlags.NONE, PORTAL_MS)
        return bool(reply.unpack()[0] == PREFER_DARK)
    except GLib.Error:
        return False                            # the theme's own setting counts


def style(bus: Optional[Gio.DBusConnection]) -> None:
    provider = Gtk.CssProvider()
    provider.load_from_data(STYLE.encode())
    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), provider,
                                              Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
    if bus is not None and prefers_dark(bus):
        Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", True)


def main() -> int:
    if Gdk.Display.get_default() is None:
        print("callbroker_notify: no window: there is no screen to show it on", file=sys.stderr)
        return 1
    GLib.set_prgname("callbroker")
    bus = session_bus()                         # kept open: Gio closes one in a thread of its own,
    style(bus)                                  # which can wait for Python while Python waits for GTK
    window, loop = Window(), GLib.MainLoop()
    lines = Gio.DataInputStream.new(Gio.UnixInputStream.new(sys.stdin.fileno(), False))

    def read(stream: Gio.DataInputStream, result: Gio.AsyncResult) -> None:
        line, _ = stream.read_line_finish_utf8(result)
        if line is None:
            return loop.quit()
        window.show(json.loads(line))
        stream.read_line_async(GLib.PRIORITY_DEFAULT, None, read)
    lines.read_line_async(GLib.PRIORITY_DEFAULT, None, read)
    loop.run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
