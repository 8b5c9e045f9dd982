"""A desktop of its own for a test: session bus, screen, notification server, sound server; the
broker, and apps and a user for it. Everything is waited for, with a ceiling."""
import json
import os
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import (Admin, BrokerError, Controller, Failed, Provider, Screen,  # noqa: E402,F401
                        new_id, phone)
from desktop_session import DesktopSession  # noqa: E402
from heard import Recording, share  # noqa: E402,F401
from programs import CEILING, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "callbroker_notify.py")
AGAIN_SECONDS = 1.5                             # the window ignores clicks in its first second

class Desk(DesktopSession):
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
        self.hide_ringtones()

    def start_pipewire(self):
        super().start_pipewire()
        self.hide_ringtones()

    def hide_ringtones(self):
        """Of this machine."""
        self.environment["XDG_DATA_DIRS"] = os.path.join(self.folder, "share")

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

    def waiting(self):
        """How many notifications have come and are not shown yet."""
        return int(self.output("dunstctl", "count", "waiting"))

    def wait_for_cards(self, count):
        wait_until(lambda: f"{count} notifications, there are {self.cards()}: {self.seen()}",
                   lambda: self.waiting() == 0 and self.cards() == count)

    def press(self, button):
        with open(os.path.join(self.folder, "wish"), "w", encoding="utf-8") as file:
            file.write(button)
        self.output("dunstctl", "action", "0")


def act_until(act, condition, can_act=lambda: True):
    """Acts, and again where nothing has come of it, as a user does while a window is too new to be
    touched. Not at once: what comes of it may move the buttons."""
    acted_at = [0.0]

    def acted():
        if condition():
            return True
        if can_act() and time.monotonic() - acted_at[0] > AGAIN_SECONDS:
            act()
            acted_at[0] = time.monotonic()
        return False
    wait_until(condition, acted)


def streams(desk):
    """What plays at the sound server."""
    return json.loads(desk.output("pactl", "-f", "json", "list", "sink-inputs") or "[]")


