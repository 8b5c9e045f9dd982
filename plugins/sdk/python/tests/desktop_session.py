"""A desktop of its own for a test: session bus, screen, notifications, sound server. Everything is
waited for, with a ceiling."""
import json
import os
import re
import subprocess
import time

from programs import CEILING, Program, wait_until

KINDS = ("sink-input", "source-output")         # of streams
MISSED_SECONDS = 10.0                           # in which WirePlumber sees a new sink by itself
# What dunst asks when a notification has several buttons: it writes them one a line.
CHOOSER = """\
#!/bin/sh
exec grep -m1 -F "$(cat {folder}/wish)"
"""
DUNSTRC = """\
[global]
    dmenu = {folder}/chooser
    markup = full
    notification_limit = 0
    format = "%s\\n%b"
[urgency_normal]
    timeout = 20
"""


class DesktopSession:
    """As much of it as the test wants. A subclass has `test`, with `addCleanup`, a `folder`, and the
    `environment` of the session with HOME and XDG_RUNTIME_DIR."""

    def program(self, name, *arguments, **options):
        return Program(self.test, self.folder, name, arguments, self.environment, **options)

    def output(self, *arguments):
        return subprocess.run(arguments, env=self.environment, check=True, text=True,
                              timeout=CEILING, stdout=subprocess.PIPE).stdout

    def succeeds(self, *arguments):
        return subprocess.run(arguments, env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def start_bus(self):
        path = os.path.join(self.folder, "session-bus")
        bus = self.program("bus", "dbus-daemon", "--session", "--nofork", "--print-address",
                           "--address=unix:path=" + path)
        bus.wait_for("unix:path=")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + path
        return bus

    # ---- What is seen

    def start_screen(self):
        # Without -noreset it throws out a client that comes while its last one leaves.
        screen = self.program("screen", "Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset")
        number = wait_until(lambda: f"a display: {screen.said()}",
                            lambda: re.search(r"^(\d+)\n", screen.said(), re.MULTILINE))
        self.environment["DISPLAY"] = ":" + number[1]

    def start_window_manager(self):
        """openbox, once it has done what was asked of it: it announces itself before, and a window that
        comes in between stays invisible until openbox receives something else."""
        self.program("manager", "openbox", "--sm-disable")
        wait_until("a window manager", lambda: self.xdotool(
            "set_num_desktops", "3", "get_num_desktops").strip() == "3")

    def xdotool(self, *arguments):
        """What it prints; windows may go while it looks."""
        return subprocess.run(["xdotool", *arguments], check=False, env=self.environment, text=True,
                              capture_output=True, timeout=CEILING).stdout

    def start_dunst(self):
        for name, text in (("chooser", CHOOSER), ("dunstrc", DUNSTRC)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text.format(folder=self.folder))
            os.chmod(file.name, 0o700)
        self.dunst = self.program("dunst", "dunst", "-print", "-conf",
                                  os.path.join(self.folder, "dunstrc"))
        wait_until("dunst answers", lambda: self.succeeds("dunstctl", "count"))

    def start_desktop(self):
        self.start_bus()
        self.start_screen()
        self.start_dunst()

    def cards(self):
        """How many notifications there are."""
        return int(self.output("dunstctl", "count", "displayed"))

    def seen(self):
        """Every notification that was ever shown."""
        return self.dunst.said()

    def wait_to_see(self, *texts):
        wait_until(lambda: f"{texts} in {self.seen()}",
                   lambda: all(text in self.seen() for text in texts))

    # ---- What is heard

    def start_pipewire(self):
        """PipeWire with WirePlumber, which insists on a session bus, in the place of PulseAudio. Its
        only output is to nowhere."""
        if "DBUS_SESSION_BUS_ADDRESS" not in self.environment:
            self.start_bus()
        runtime = self.environment["XDG_RUNTIME_DIR"]
        self.environment["PULSE_SERVER"] = f"unix:{runtime}/pulse/native"
        self.sound = [self.program("pipewire", "pipewire")]
        wait_until("PipeWire", lambda: os.path.exists(os.path.join(runtime, "pipewire-0")))
        self.sound += [self.program(name, name) for name in ("wireplumber", "pipewire-pulse")]
        self.wait_for_sound()
        self.output("pactl", "load-module", "module-null-sink", "sink_name=null0")
        asked_after = time.monotonic() + MISSED_SECONDS

        def is_used():
            if self.info()["default_sink_name"] == "null0":
                return True
            if time.monotonic() > asked_after:  # WirePlumber may miss what comes while it starts
                self.succeeds("pactl", "set-default-sink", "null0")
            return False
        wait_until(lambda: f"its sink is used: {self.info()}", is_used)

    def wait_for_sound(self):
        wait_until("a sound server", lambda: self.succeeds("pactl", "info"))

    def info(self):
        return json.loads(self.output("pactl", "-f", "json", "info"))

    def streams(self, name):
        """Those of a program: kind, index, and whether it is muted."""
        found = []
        for kind in KINDS:
            for each in json.loads(self.output("pactl", "-f", "json", "list", kind + "s") or "[]"):
                if each["properties"].get("application.process.binary") == name:
                    found.append((kind, each["index"], each["mute"]))
        return found

    def mutes(self, name):
        return [muted for _, _, muted in self.streams(name)]

    def wait_for_mutes(self, name, count, muted=None):
        """Until the program has so many streams (None: some), all muted, all not, or either."""
        def are_so():
            mutes = self.mutes(name)
            has_them = bool(mutes) if count is None else len(mutes) == count
            return has_them and (muted is None or set(mutes) <= {muted})
        wait_until(lambda: f"{name} has {self.streams(name)}", are_so)
