"""The broker, an app with calls, the plugin with a folder of hooks; all real. Everything is waited
for, with a ceiling."""
import json
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import (Admin, BrokerError, Controller, Disconnected, Provider,  # noqa: E402
                        new_id, phone)
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "hooks.py")
APP, NUMBER, NAME = "org.example.phone", "+15550100", "Ann Example"
# Writes its variables and its input as one line of JSON, at once, so that a reader sees all of it.
RECORDER = """#!/usr/bin/env python3
import json, os, sys
words = {{key: value for key, value in os.environ.items() if key.startswith("CALL_")}}
with open({file!r}, "a") as file:
    file.write(json.dumps([words, json.load(sys.stdin), sys.argv[0]]) + "\\n")
"""


class Bench:
    def __init__(self, test):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.hooks = os.path.join(self.folder, "callbroker", "hooks")
        os.makedirs(self.hooks)
        self.broker = RealBroker()
        test.addCleanup(self.broker.close)
        self.user = self.entered(Controller("user", socket=self.broker.path))
        self.app = Provider(APP, "Phone", handle_types=["phone"], socket=self.broker.path)
        for kind in ("answer", "end", "set_held"):
            self.app.on_action(kind)(lambda action: None)
        self.entered(self.app)

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def start(self, *arguments, **environment):
        """The plugin, when it follows the events."""
        plugin = Program(self.test, self.folder, "hooks", [
            PROGRAM, "--verbose", "--socket", self.broker.path, *arguments],
            {"PATH": os.environ["PATH"], "HOME": self.folder, "XDG_CONFIG_HOME": self.folder,
             **environment})
        plugin.wait_for("following")
        return plugin

    # ---- Hooks

    def path(self, event, name):
        folder = os.path.join(self.hooks, event + ".d")
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, name)

    def write(self, event, name, text, mode=0o755):
        """It appears at once and as a whole."""
        path = self.path(event, name)
        with open(path + "~", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path + "~", mode)
        os.rename(path + "~", path)
        return path

    def shell(self, event, name, script):
        return self.write(event, name, "#!/bin/sh\n" + script + "\n")

    def recorder(self, event, name="record"):
        """A hook that writes what it receives; returns the file."""
        file = os.path.join(self.folder, f"{event}-{name}.received")
        self.write(event, name, RECORDER.format(file=file))
        return file

    def lines(self, file):
        if not os.path.exists(file):
            return []
        with open(file, encoding="utf-8") as lines:
            return [line.rstrip("\n") for line in lines]

    def received(self, file, count):
        """What the hook has received: variables, input and the name of the program, each time."""
        wait_until(lambda: f"{count} events: {self.lines(file)}",
                   lambda: len(self.lines(file)) >= count)
        return [json.loads(line) for line in self.lines(file)]

    # ---- Calls

    def incoming(self, **update):
        call = new_id()
        self.app.report_incoming(call, phone(NUMBER), display_name=NAME, **update).result(CEILING)
        return call

    def answered(self):
        call = self.incoming()
        self.user.answer(call, wait="completed").result(CEILING)
        return call

    def end(self, call):
        self.user.end(call, wait="completed").result(CEILING)

    def has_no_calls(self):
        try:
            return not self.user.request("call.list").result(CEILING)["calls"]
        except (BrokerError, Disconnected):     # its connection is being renewed
            return False
