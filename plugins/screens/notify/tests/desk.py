"""A desktop of its own for a test: session bus, screen, notification server, sound server; the
broker, and apps and a user for it. Everything is waited for, with a ceiling."""
import array
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import (Admin, BrokerError, Controller, Failed, Provider, Screen,  # noqa: E402,F401
                        new_id, phone)
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "callbroker_notify.py")
RATE = 8000

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
"""


class Desk:
    """The user's place, as much of it as the test wants; with a broker of its own, or another."""

    def __init__(self, test, broker=None):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = broker or RealBroker()
        test.addCleanup(self.broker.close)
        self.performed = []
        if broker is None:
            self.user = self.entered(Controller("user", socket=self.broker.path))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "BROKER_SOCKET": self.broker.path}

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def program(self, name, *arguments, **options):
        return Program(self.test, self.folder, name, arguments, self.environment, **options)

    def output(self, *arguments):
        return subprocess.run(arguments, env=self.environment, check=True, text=True,
                              timeout=CEILING, stdout=subprocess.PIPE).stdout

    # ---- What is there

    def start_bus(self):
        path = os.path.join(self.folder, "session-bus")
        bus = self.program("bus", "dbus-daemon", "--session", "--nofork", "--print-address",
                           "--address=unix:path=" + path)
        bus.wait_for("unix:path=")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + path
        return bus

    def start_screen(self):
        # Without -noreset it throws out a client that comes while its last one leaves.
        screen = self.program("screen", "Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset")
        number = wait_until(lambda: f"a display: {screen.said()}",
                            lambda: re.search(r"^(\d+)\n", screen.said(), re.MULTILINE))
        self.environment["DISPLAY"] = ":" + number[1]

    def start_dunst(self):
        for name, text in (("chooser", CHOOSER), ("dunstrc", DUNSTRC)):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write(text.format(folder=self.folder))
            os.chmod(file.name, 0o700)
        self.dunst = self.program("dunst", "dunst", "-print", "-conf",
                                  os.path.join(self.folder, "dunstrc"))
        wait_until("dunst answers", lambda: subprocess.run(
            ["dunstctl", "count"], env=self.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False).returncode == 0)

    def start_desktop(self):
        self.start_bus()
        self.start_screen()
        self.start_dunst()

    def start_sound(self):
        """A sound server whose only output goes nowhere; what goes there can be recorded."""
        path = os.path.join(self.folder, "native")
        self.environment["PULSE_SERVER"] = "unix:" + path
        modules = (f"module-native-protocol-unix socket={path} auth-anonymous=1",
                   "module-null-sink sink_name=null0 rate=44100", "module-stream-restore")
        self.sound = [self.program(
            "sound", "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
            *[word for module in modules for word in ("-L", module)])]
        self.wait_for_sound()

    def start_pipewire(self):
        """The same, of PipeWire."""
        self.start_bus()                        # WirePlumber insists on one
        self.environment["PULSE_SERVER"] = "unix:" + os.path.join(self.folder, "pulse", "native")
        self.sound = [self.program("pipewire", "pipewire")]
        wait_until("PipeWire", lambda: os.path.exists(os.path.join(self.folder, "pipewire-0")))
        self.sound += [self.program(name, name) for name in ("wireplumber", "pipewire-pulse")]
        self.wait_for_sound()
        self.output("pactl", "load-module", "module-null-sink", "sink_name=null0")
        wait_until("its sink is used", lambda: json.loads(
            self.output("pactl", "-f", "json", "info"))["default_sink_name"] == "null0")

    def wait_for_sound(self):
        self.environment["XDG_DATA_DIRS"] = os.path.join(self.folder, "share")  # no ringtone is there
        wait_until("a sound server", lambda: subprocess.run(
            ["pactl", "info"], env=self.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False).returncode == 0)

    def start_notifier(self, *arguments, name="notifier"):
        """The program, when it has seen what calls there are."""
        notifier = self.program(name, PROGRAM, "--verbose", *arguments)
        wait_until(lambda: notifier.said(), lambda: "ready" in notifier.said())
        return notifier

    # ---- Calls

    def app(self, identity="org.example.phone", name="Desk phone", **members):
        provider = Provider(identity, name, handle_types=["phone"], socket=self.broker.path,
                            **members)
        for kind in ("start", "answer", "end", "set_held"):
            provider.on_action(kind)(
                lambda action: self.performed.append((action.kind, action.call)))
        return self.entered(provider)

    def rings(self, app, number="+15550100", **update):
        call = new_id()
        app.report_incoming(call, phone(number), **update).result(CEILING)
        return call

    def wait_for_action(self, kind, call):
        wait_until(lambda: f"{kind} among {self.performed}", lambda: (kind, call) in self.performed)

    def state(self, call):
        return self.user.get_call(call=call).result(CEILING)

    # ---- What the user sees and does

    def wait_for_cards(self, count):
        wait_until(lambda: f"{count} notifications, there are {self.cards()}: {self.seen()}",
                   lambda: self.cards() == count)

    def cards(self):
        return int(self.output("dunstctl", "count", "displayed"))

    def seen(self):
        """Everything that was ever shown."""
        return self.dunst.said()

    def wait_to_see(self, *texts):
        wait_until(lambda: f"{texts} in {self.seen()}",
                   lambda: all(text in self.seen() for text in texts))

    def press(self, button):
        with open(os.path.join(self.folder, "wish"), "w", encoding="utf-8") as file:
            file.write(button)
        self.output("dunstctl", "action", "0")


class Recording:
    """What is heard, as it is heard."""

    def __init__(self, desk):
        self.process = subprocess.Popen(
            ["parec", "--raw", "--device=null0.monitor", f"--rate={RATE}", "--channels=1",
             "--format=s16le", "--latency-msec=50"], env=desk.environment, stdout=subprocess.PIPE)
        desk.test.addCleanup(self.close)

    def heard(self, seconds):
        """The next stretch of sound, as samples."""
        return array.array("h", self.process.stdout.read(int(seconds * RATE) * 2))

    def wait_for_tone(self, *frequencies):
        """The loudness of a stretch of 0.1 s that is this tone."""
        loudness = []

        def is_tone():
            stretch = self.heard(0.1)
            loudness.append(max(map(abs, stretch)))
            return loudness[-1] > 200 and all(share(stretch, each) > 0.3 / len(frequencies)
                                              for each in frequencies) and loudness[-1]
        return wait_until(lambda: f"{frequencies} Hz, loudest {max(loudness)}", is_tone)

    def close(self):
        self.process.kill()
        self.process.communicate()


def share(samples, frequency):
    """Which part of the power is at that frequency."""
    step = 2 * math.pi * frequency / RATE
    real = sum(each * math.cos(step * index) for index, each in enumerate(samples))
    imaginary = sum(each * math.sin(step * index) for index, each in enumerate(samples))
    power = sum(each * each for each in samples)
    return 2 * (real * real + imaginary * imaginary) / (len(samples) * power) if power else 0.0


def streams(desk):
    """What plays at the sound server."""
    return json.loads(desk.output("pactl", "-f", "json", "list", "sink-inputs") or "[]")


