"""A sound server of its own for a test, with a microphone; the broker; the plugin; programs that record."""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
GUARD = os.path.join(PLUGIN, "..", "..", "guards", "pulse-guard")
sys.path[:0] = [PLUGIN, os.path.join(GUARD, "tests")]

from studio import CEILING, TWO, Studio, start_until, wait_until  # noqa: E402,F401  (finds the library)

from callbroker import Admin, BrokerError, Controller, Observer  # noqa: E402  isort:skip

PROGRAM = os.path.join(PLUGIN, "watcher.py")
WATCHED = "org.callbroker.watcher."
APP = "phone-one"                               # the watched app, and the name of its program
REPORTER = "org.example.reporter"               # a provider that reports the calls of that app itself
ENDS_AT_ONCE = {"begin_ms": 0, "end_ms": 0}


class User(Controller, Observer):
    """The user at a screen."""

    roles = ("controller", "observer")


class Booth(Studio):
    """Where programs record; `server` is pulseaudio or pipewire."""

    source = "microphone"

    def __init__(self, test, server, *modules):
        super().__init__(test, server, *modules)
        self.user = self.entered(User("user", socket=self.broker.path, topics=["call.*"]))
        with Admin("admin", socket=self.broker.path) as admin:  # a busy machine is slow to mute
            admin.set_policy(deadlines=dict.fromkeys(("set_held", "set_muted", "end"), 60_000)).result(CEILING)
        self.state = os.path.join(self.folder, "state")
        self.write_rules()

    def start_server(self):
        super().start_server()
        for name in (self.source, "headset-mic"):
            self.output("pactl", "load-module", "module-remap-source", "source_name=" + name,
                        "master=null0.monitor")
        self.output("pactl", "set-default-source", self.source)

    def write_rules(self, app=APP, **members):
        """The user's own rules: one app."""
        folder = os.path.join(self.folder, ".config", "callbroker", "watcher")
        os.makedirs(folder, exist_ok=True)
        rule = {"app": app, "name": "Phone one", "match": [{"binary": app}], "unless": [REPORTER],
                **ENDS_AT_ONCE, **members}
        with open(os.path.join(folder, "own.json"), "w", encoding="utf-8") as file:
            json.dump({"apps": [rule]}, file)

    def start_watcher(self, *arguments):
        """The plugin, when it watches."""
        watcher = self.program("watcher", PROGRAM, "--verbose", "--state", self.state, *arguments)
        watcher.wait_for("watching")
        return watcher

    def deny_new_providers(self):
        with Admin("admin", socket=self.broker.path) as admin:
            admin.set_policy(new_providers="deny").result(CEILING)

    # ---- Calls

    def calls(self):
        """Those that last, by provider."""
        return {call["provider"]: call for call in list(self.user.calls.values())
                if call["state"] != "ended"}

    def watched(self, app=APP):
        return self.calls().get(WATCHED + app, {})

    def wait_for_state(self, state, app=APP):
        """The call of the watched app, once it is so; None: once there is none."""
        wait_until(lambda: f"{app} is {state}: {self.calls()}",
                   lambda: self.watched(app).get("state") == state)
        return self.watched(app)

    def history(self):
        return self.user.list_history().result(CEILING)["entries"]

    def refusal(self, reply):
        """The error of a request that has to fail."""
        try:
            reply.result(CEILING)
        except BrokerError as error:
            return error
        raise AssertionError("it was done")
