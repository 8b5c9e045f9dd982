"""The broker, an app with calls, and the plugin; all real. Everything is waited for, with a
ceiling."""
import json
import os
import shutil
import sys
import tempfile
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import Admin, Controller, Provider, new_id, phone  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "presence.py")
ONE, TWO = "org.example.one", "org.example.two"


class Bench:
    def __init__(self, test):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        test.addCleanup(self.broker.close)
        self.user = self.entered(Controller("user", socket=self.broker.path))
        self.file = os.path.join(self.folder, "callbroker", "presence.json")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + os.path.join(self.folder, "no-bus")}

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def app(self, identity=ONE, **members):
        """A provider that does what it is asked for."""
        app = Provider(identity, identity, handle_types=["phone"], socket=self.broker.path,
                       **members)
        for kind in ("start", "answer", "end", "set_held"):
            app.on_action(kind)(lambda action: None)
        return self.entered(app)

    def start(self, *arguments, **options):
        """The plugin, when it knows the presence."""
        given = [word for name, value in options.items()
                 for word in ("--option", f"{name}={json.dumps(value)}")]
        plugin = Program(self.test, self.folder, "presence", [
            PROGRAM, "--verbose", "--socket", self.broker.path, *given, *arguments],
            self.environment)
        plugin.wait_for("following")
        return plugin

    def supervise(self):
        """The plugin, started by the broker, which begins anew for it."""
        with mock.patch.dict(os.environ, HOME=self.folder, XDG_RUNTIME_DIR=self.folder):
            self.broker.kill()
            self.broker.arguments = ("--plugin-dir", PLUGIN)
            self.broker.start()

    # ---- Calls

    def incoming(self, app, number="+15550100", **update):
        call = new_id()
        app.report_incoming(call, phone(number), **update).result(CEILING)
        return call

    def answered(self, app, **update):
        call = self.incoming(app, **update)
        self.user.answer(call, wait="completed").result(CEILING)
        return call

    def end(self, call):
        self.user.end(call, wait="completed").result(CEILING)

    def hold(self, call, held=True):
        self.user.set_held(call, held, wait="completed").result(CEILING)

    def call(self, call):
        return self.user.request("call.get", {"call": call}).result(CEILING)

    def wait_for_state(self, call, state):
        wait_until(lambda: f"{state}: {self.call(call)}", lambda: self.call(call)["state"] == state)

    # ---- The file

    def shown(self):
        try:
            with open(self.file, encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None

    def wait_for_shown(self, state):
        return wait_until(lambda: f"{state}: {self.shown()}",
                          lambda: (self.shown() or {}).get("state") == state and self.shown())
