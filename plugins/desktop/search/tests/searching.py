"""A desktop that searches: a session bus, the broker, an app and contacts, and the program. GLib's
D-Bus calls it, as GNOME Shell does, and refuses replies of another signature."""
import os
import shutil
import sys
import tempfile

from gi.repository import Gio, GLib

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import Controller, Provider, phone  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

from interfaces import GNOME, KRUNNER, NAME, PATH  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "search.py")
REPLIES = {"GetInitialResultSet": "(as)", "GetSubsearchResultSet": "(as)",
           "GetResultMetas": "(aa{sv})", "ActivateResult": "()", "LaunchSearch": "()",
           "Match": "(a(sssida{sv}))", "Run": "()", "Actions": "(a(sss))"}


class Searching:
    """As much of it as the test wants."""

    def __init__(self, test):
        self.test, self.folder = test, tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        test.addCleanup(self.broker.close)
        self.user = self.entered(Controller("user", socket=self.broker.path))
        self.performed = []
        self.environment = {
            "PATH": os.path.dirname(self.broker.program) + ":" + os.environ["PATH"],
            "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "LC_MESSAGES": "C",
            "BROKER_SOCKET": self.broker.path}
        self.start_bus()

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def program(self, name, *arguments):
        return Program(self.test, self.folder, name, arguments, self.environment)

    def start_bus(self):
        address = "unix:path=" + os.path.join(self.folder, "bus")
        self.program("bus", "dbus-daemon", "--session", "--nofork", "--print-address",
                     "--address=" + address).wait_for("unix:path=")
        # The system bus is this one, too: no test asks the machine whether it is locked.
        for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"):
            self.environment[name] = address
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
            | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.test.addCleanup(self.bus.close_sync, None)

    def app(self, identity="org.example.phone", **members):
        members = {"handle_types": ["phone"], "url_schemes": ["tel"], **members}
        provider = Provider(identity, "Desk phone", socket=self.broker.path, **members)
        for kind in ("start", "answer", "end"):
            provider.on_action(kind)(lambda action: self.performed.append((action.kind, action)))
        return self.entered(provider)

    def contact(self, name, *numbers, **members):
        self.user.put_contact(name=name, handles=[phone(each) for each in numbers], **members
                              ).result(CEILING)

    def start_search(self):
        self.search = self.program("search", PROGRAM, "--verbose")
        for words in ("searching", "following"):
            self.search.wait_for(words)

    # ---- What the desktop does

    def call(self, interface, method, signature=None, *values):
        """The values of the reply, whose signature GLib has compared."""
        arguments = GLib.Variant(signature, values) if signature else None
        return self.bus.call_sync(
            NAME, PATH, interface, method, arguments, GLib.VariantType(REPLIES[method]),
            Gio.DBusCallFlags.NO_AUTO_START, int(CEILING * 1000), None).unpack()

    def shell(self, method, signature, *values):
        return self.call(GNOME, method, signature, *values)

    def found(self, words):
        """The ids that GNOME Shell gets."""
        return self.shell("GetInitialResultSet", "(as)", words.split())[0]

    def wait_for_found(self, words, *ids):
        """Until GNOME Shell gets these, or any: the search finds nothing when the broker, or what
        knows the sentences, is not as quick as the user types."""
        def found():
            now = self.found(words)
            return now if now and (not ids or now == list(ids)) else None
        return wait_until(lambda: f"{ids} for {words!r}, not {self.found(words)}", found)

    def wait_for_match(self, words):
        """Until KRunner gets something."""
        return wait_until(words, lambda: self.matches(words))

    def matches(self, words):
        return self.call(KRUNNER, "Match", "(s)", words)[0]

    def dialed(self):
        """The addresses that were called, in order."""
        return [action.arguments["remote"]["value"] for kind, action in list(self.performed)
                if kind == "start"]

    def wait_for_dialed(self, *addresses):
        wait_until(lambda: f"{addresses} of {self.dialed()}: {self.search.said()}",
                   lambda: self.dialed() == list(addresses))
