"""The broker, an app that does not run until a push comes, and a gateway; all real. Everything is
waited for, with a ceiling."""
import json
import os
import shutil
import sys
import tempfile
import time
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..", "..")
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
PHONE = os.path.join(ROOT, "examples", "push-phone")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from callbroker import Admin, Observer, Provider, new_id  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

APP = "org.example.pushphone"
NUMBER = "+15550100"


class PushBench:
    """
    Args:
        program: of the gateway.
    """

    def __init__(self, test, program):
        self.test, self.program = test, program
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.state = os.path.join(self.folder, "addresses.json")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder,
                            "XDG_RUNTIME_DIR": self.folder}
        # The environment of the broker, too, and of what it starts.
        patch = mock.patch.dict(os.environ, self.environment)
        patch.start()
        test.addCleanup(patch.stop)
        self.broker = RealBroker("--plugin-dir", PHONE)
        test.addCleanup(self.broker.close)
        self.open_clients()

    def open_clients(self):
        self.user = self.entered(Admin("user", socket=self.broker.path))
        self.observer = self.entered(Observer("observer", socket=self.broker.path))

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def launch(self, *arguments, **options):
        """The gateway, with those options."""
        given = [word for name, value in options.items()
                 for word in ("--option", f"{name}={json.dumps(value)}")]
        self.gateway = Program(self.test, self.folder, "gateway", [
            self.program, "--verbose", "--socket", self.broker.path, "--state", self.state,
            *given, *arguments], self.environment)
        return self.gateway

    def start(self, *arguments, **options):
        """The gateway, when it knows the apps."""
        self.launch(*arguments, **options).wait_for("following")
        return self.gateway

    def restart_broker(self):
        """After it was killed; it has the state that it had before."""
        os.remove(self.broker.path)
        self.broker.start()
        self.open_clients()

    def compare_options(self, defaults):
        """Of the program with those of the manifest and of the page."""
        folder = os.path.dirname(self.program)
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
            page = file.read()
        name = f"org.callbroker.{os.path.basename(folder)}.plugin.json"
        with open(os.path.join(folder, name), "rb") as file:
            options = {each["option"]: each["default"] for each in json.load(file)["options"]}
        self.test.assertEqual(options, defaults)
        for option in options:
            self.test.assertRegex(page, rf"\n\|[^|]*`{option}`[^|]*\|")

    # ---- The session bus

    def start_bus(self):
        """One of the test's own, that starts the services of `install_service`."""
        path = os.path.join(self.folder, "bus")
        address = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=" + path,
                   "XDG_DATA_HOME": os.path.join(self.folder, "data"),
                   "BROKER_SOCKET": self.broker.path}
        self.environment.update(address)
        os.environ.update(address)              # setUp's patch undoes it
        Program(self.test, self.folder, "session-bus", [
            "dbus-daemon", "--session", "--nofork", "--print-address",
            "--address=unix:path=" + path], self.environment).wait_for("unix:path=")

    def install_service(self, path):
        """As `make install` does, for the program of these sources."""
        prefix = os.path.join(self.folder, "prefix")
        os.makedirs(os.path.join(prefix, "bin"))
        os.symlink(self.broker.program, os.path.join(prefix, "bin", "callbroker"))
        with open(path, encoding="utf-8") as file:
            self.write(os.path.join("data", "dbus-1", "services", os.path.basename(path)),
                       file.read().replace("@PREFIX@", prefix))

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def supervise(self, plugin):
        """The gateway is started by the broker, which begins anew for it."""
        self.broker.kill()
        self.broker.arguments += ("--plugin-dir", os.path.join(ROOT, "plugins", plugin))
        self.restart_broker()

    # ---- The app

    def run_once(self):
        """The app has run, so that the broker and the gateway know which pushes it takes; returns
        its address."""
        self.user.plugin("start", plugin=APP).result(CEILING)
        address = wait_until("an address of the app", self.address)
        self.stop_app()
        return address

    def stop_app(self):
        """As if its user had closed it."""
        os.kill(self.app()["pid"], 15)
        wait_until(lambda: f"the app has ended: {self.app()}",
                   lambda: self.app()["state"] == "stopped")

    def plugin(self, identity):
        plugins = self.user.request("plugin.list").result(CEILING)["plugins"]
        return next(each for each in plugins if each["plugin"] == identity)

    def app(self):
        return self.plugin(APP)

    def is_running(self):
        return self.app()["state"] != "stopped"

    def address(self):
        """That which the app has got of the gateway; without one it is the app's identity."""
        try:
            with open(os.path.join(self.folder, "push-phone.address"), encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            return None
        return None if text in ("", APP) else text

    # ---- Pushes and calls

    def payload(self, **members):
        return {"call": new_id(), "caller": {"type": "phone", "value": NUMBER},
                "display_name": "Ann", **members}

    def wait_for_event(self, topic, **members):
        """The next event with that topic and those members of its data."""
        while True:
            event = self.observer.next_event().result(CEILING)
            if event["topic"] == topic and members.items() <= event["data"].items():
                return event

    def wait_for_ring(self, payload):
        """Until the call of a push rings at an observer; returns the milliseconds that it took."""
        began = time.monotonic()
        call = self.wait_for_event("call.added", call=payload["call"])["data"]
        took = int((time.monotonic() - began) * 1000)
        self.test.assertEqual((call["state"], call["remote"]), ("ringing", payload["caller"]))
        return took

    def calls(self):
        return self.user.request("call.list").result(CEILING)["calls"]

    def block(self, number=NUMBER):
        self.user.request("block.add", {"handle": {"type": "phone", "value": number}}).result(
            CEILING)

    def set_do_not_disturb(self, is_on=True):
        self.user.request("policy.set", {"do_not_disturb": {"on": is_on}}).result(CEILING)

    def provider(self, identity, **members):
        return Provider(identity, "Other", socket=self.broker.path, handle_types=["phone"],
                        **members)

    def other_app(self, identity="org.example.other"):
        """An app that runs in the test itself; its pushes and addresses are in lists."""
        app = self.provider(identity, push_types=["voip"])
        app.pushes, app.tokens = [], []
        app.on("push.received")(lambda push: app.pushes.append(push) or {})
        app.on("push.token")(lambda address: app.tokens.append(address["token"]))
        return self.entered(app)
