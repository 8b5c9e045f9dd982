"""A desk for a test: the broker, a bus in the place of the system's, the program at both, and the
dialers. Apps are scripted, or real telephones. Everything is waited for, with a ceiling."""
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
ROOT = os.path.abspath(os.path.join(PLUGIN, "..", "..", ".."))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
PHONES = os.path.join(ROOT, "Tests", "System", "Phones", "support")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests"), PHONES]

from callbroker import (Controller, Disconnected, Failed, Observer, Provider,  # noqa: E402,F401
                        new_id, phone)
from phonelab import ACCOUNT, Baresip, Caller, Daemon, baresip_provider  # noqa: E402,F401
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "dialers.py")
OWN_BUS = os.path.join(PLUGIN, "own-bus.conf")
MM = "org.freedesktop.ModemManager1"
ROOT_PATH, MODEM = "/org/freedesktop/ModemManager1", "/org/freedesktop/ModemManager1/Modem/0"
# The buttons of GNOME Calls, as (blue, green, red).
COLORS = {"blue": (226, 130, 48), "red": (32, 26, 210)}
BUTTON_PIXELS = 2000


class User(Controller, Observer):
    """The user at another screen."""

    roles = ("controller", "observer")


class Desk:
    """A place with a broker, and the program at a bus of its own.

    Args:
        starts: whether the program runs from the beginning.
    """

    def __init__(self, test, starts=True):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        test.addCleanup(self.broker.close)
        self.user = self.entered(User("user", socket=self.broker.path, topics=["*"]))
        self.performed = []
        self.bus = self.start_bus("bus")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "BROKER_SOCKET": self.broker.path, "DBUS_SYSTEM_BUS_ADDRESS": self.bus,
            "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1"}
        if starts:
            self.start()

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def program(self, name, *arguments, **environment):
        return Program(self.test, self.folder, name, arguments, {**self.environment, **environment})

    def start_bus(self, name, configuration=OWN_BUS):
        """Starts a bus; its address."""
        address = "unix:path=" + os.path.join(self.folder, name)
        self.bus_daemon = Program(self.test, self.folder, name + "-daemon", [
            "dbus-daemon", "--config-file=" + configuration, "--address=" + address, "--nofork",
            "--print-address=1"])
        self.bus_daemon.wait_for("unix:path=")
        return address

    def start(self, *arguments, name="dialers"):
        """Starts the program, and waits for its modem."""
        self.dialers = self.program(name, PROGRAM, "--verbose", *arguments)
        self.dialers.wait_for("the modem is there")
        self.dialers.wait_for("ready")

    def output(self, *arguments):
        done = subprocess.run(arguments, env=self.environment, check=False, text=True,
                              timeout=2 * CEILING, capture_output=True)
        self.test.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    # ---- Calls

    def app(self, identity="org.example.phone", name="Desk phone", kinds=(), **members):
        """A scripted app that does what is asked of it."""
        provider = Provider(identity, name, handle_types=["phone", "generic"],
                            url_schemes=["tel", "sip"], socket=self.broker.path, **members)
        for kind in ("start", "answer", "end", "set_held", "set_muted", *kinds):
            provider.on_action(kind)(lambda action: self.performed.append(
                (action.kind, action.call, dict(action.arguments))))
        return self.entered(provider)

    def rings(self, app, number="+15550101", **update):
        """Somebody calls; the call's id."""
        call = new_id()
        app.report_incoming(call, phone(number), **update).result(CEILING)
        return call

    def state(self, call):
        """The state of a call at the broker; None when it is over."""
        return self.user.calls.get(call, {}).get("state")

    def wait_for(self, call, state):
        wait_until(lambda: f"{state}, it is {self.state(call)}",
                   lambda: self.state(call) == state)

    def only_call(self):
        """The call that there is, once the user's client knows it."""
        wait_until(lambda: f"one call of {self.user.calls}", lambda: len(self.user.calls) == 1)
        return next(iter(self.user.calls.values()))

    def wait_for_app(self, call):
        """Waits until the app of a call is back at a broker that was started again. The broker is
        asked, because what the user's client knows may be from before."""
        def is_back():
            try:
                calls = self.user.list_calls().result(CEILING)["calls"]
            except Disconnected:
                return False
            return any(each["call"] == call and each["provider_connected"] for each in calls)
        wait_until("its app is not back", is_back)

    def wait_for_action(self, kind, call):
        wait_until(lambda: f"{kind} among {self.performed}", lambda: any(
            each[:2] == (kind, call) for each in self.performed))

    # ---- mmcli

    def mmcli(self, *arguments):
        """What mmcli prints, and its exit status."""
        done = subprocess.run(["mmcli", *arguments], env=self.environment, timeout=2 * CEILING,
                              text=True, capture_output=True, check=False)
        return done.stdout + done.stderr, done.returncode

    def listed(self):
        """The calls that mmcli lists: the path's number, with direction and state."""
        output, _ = self.mmcli("-m", "0", "--voice-list-calls")
        return dict(re.findall(r"/Call/(\d+) (.*)", output))

    def wait_to_list(self, **expected):
        """Waits until exactly these calls are listed, such as call_0="incoming (active)"."""
        wanted = {name.partition("_")[2]: words for name, words in expected.items()}
        wait_until(lambda: f"{wanted}, there are {self.listed()}", lambda: self.listed() == wanted)

    def wait_to_have(self, **expected):
        """Waits until these are among the calls that are listed; one that is over stays a while."""
        wanted = {name.partition("_")[2]: words for name, words in expected.items()}
        wait_until(lambda: f"{wanted} among {self.listed()}",
                   lambda: wanted.items() <= self.listed().items())

    def done(self, *arguments):
        """mmcli has done it."""
        output, status = self.mmcli(*arguments)
        self.test.assertEqual(status, 0, output)
        return output

    def refusal(self, *arguments):
        """The error that mmcli shows."""
        output, status = self.mmcli(*arguments)
        self.test.assertEqual(status, 1, output)
        return output

    # ---- The bus

    def watch_signals(self):
        """Records what the modem signals from now on, and what programs ask of it."""
        self.monitor = self.program("monitor", "dbus-monitor", "--address", self.bus)
        self.monitor.wait_for("member=NameAcquired")

    def signals(self, path=""):
        """The names of the signals so far, of that path or of all."""
        found = re.findall(r"^signal .* path=(\S+); interface=\S+; member=(\w+)$",
                           self.monitor.said(), re.M)
        return [member for where, member in found if where.startswith(path or ROOT_PATH)]

    def properties(self, path, interface):
        """The properties that `busctl` shows, by name: their types and values."""
        shown = self.output("busctl", "--address=" + self.bus, "introspect", MM, path, interface)
        return {words[0][1:]: (words[2], " ".join(words[3:-1])) for words in (
            line.split() for line in shown.splitlines()) if words[1] == "property"}

    def refused_to(self, user):
        """What another user is told who asks for the calls."""
        done = subprocess.run(
            ["setpriv", f"--reuid={user}", "--clear-groups", "dbus-send", "--print-reply",
             "--bus=" + self.environment["DBUS_SYSTEM_BUS_ADDRESS"], "--dest=" + MM, MODEM,
             MM + ".Modem.Voice.ListCalls"], timeout=CEILING, text=True, capture_output=True,
            check=False)
        self.test.assertEqual(done.returncode, 1, done.stdout)
        return done.stderr

    # ---- A dialer with windows

    def start_screen(self):
        """Starts a screen and a session bus."""
        screen = self.program("screen", "Xvfb", "-screen", "0", "800x800x24", "-displayfd", "1",
                              "-nolisten", "tcp", "-noreset")
        number = wait_until(screen.said, lambda: re.search(r"^(\d+)\n", screen.said(), re.M))
        self.environment["DISPLAY"] = ":" + number[1]

    def start_session(self):
        """Starts a session bus, on which nothing starts by itself."""
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.start_bus("session")

    def start_accessible_session(self):
        """Starts a session bus on which the bus of screen readers starts, and turns that on."""
        path = os.path.join(self.folder, "accessible")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + path
        del self.environment["NO_AT_BRIDGE"]
        self.program("accessible-daemon", "dbus-daemon", "--session", "--nofork", "--print-address",
                     "--address=unix:path=" + path).wait_for("unix:path=")
        self.output("busctl", "--user", "set-property", "org.a11y.Bus", "/org/a11y/bus",
                    "org.a11y.Status", "IsEnabled", "b", "true")

    def accessible(self, name):
        """The parts of a program's windows as a screen reader has them: role, name, box, whether it
        has the focus, and whether it can be pressed."""
        said = self.output("/usr/bin/python3", "-W", "ignore",
                           os.path.join(SDK, "tests", "accessible.py"), name)
        return [json.loads(line) for line in said.splitlines()]

    def wait_for_name(self, name):
        """Waits until a program is on the session bus."""
        wait_until(name, lambda: name in self.output("busctl", "--user", "--acquired", "list"))

    def press(self, color):
        """Clicks the button that has that color, once it is there and stays where it is."""
        seen = [None]

        def is_still():
            seen.append(self._button(color))
            return seen[-1] is not None and seen[-1] == seen[-2]

        wait_until(f"a {color} button", is_still)
        x, y = seen[-1]
        self.output("xdotool", "mousemove", str(x), str(y), "click", "1")

    def wait_to_see(self, color, is_seen=True):
        """Waits until there is a button of that color, or none."""
        wait_until(f"{color}: {is_seen}", lambda: (self._button(color) is not None) == is_seen)

    def _button(self, color):
        """The middle of what has that color."""
        width, pixels = self._pixels()
        found = [index for index, pixel in enumerate(pixels) if is_like(pixel, COLORS[color])]
        if len(found) < BUTTON_PIXELS:
            return None
        columns = sorted(index % width for index in found)
        return columns[len(columns) // 2], found[len(found) // 2] // width

    def _pixels(self):
        """The width of the screen, and its pixels as (blue, green, red)."""
        # It fails when a window goes while it looks.
        image = wait_until("a picture of the screen", lambda: subprocess.run(
            ["xwd", "-root", "-silent"], env=self.environment, check=False, timeout=CEILING,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
        header = struct.unpack(">25I", image[:100])
        size, width, height, step, line, colors = (header[each] for each in (0, 4, 5, 11, 12, 19))
        first = size + 12 * colors
        rows = (image[first + line * row:][:width * step // 8] for row in range(height))
        data = b"".join(rows)
        return width, list(zip(*(data[each::step // 8] for each in range(3))))

    def start_gnome_calls(self, name="gnome-calls"):
        """Starts GNOME Calls, and waits until it is on its bus."""
        calls = self.program(name, "gnome-calls", "-p", "mm", GSETTINGS_BACKEND="memory")
        self.wait_for_name("org.gnome.Calls")
        return calls


def is_like(pixel, color):
    """Whether a pixel has a color, or nearly."""
    return all(abs(one - other) < 24 for one, other in zip(pixel, color))
