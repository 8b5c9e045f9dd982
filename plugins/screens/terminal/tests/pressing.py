"""What presses keys and buttons of the screen, and knows which there are."""
import functools
import json
import os
import subprocess

from terminal import PROGRAM, wait_that
from test_calls import App, Screens

from callbroker import Admin, Controller, phone

ROWS = [line.split("\t") for line in subprocess.run(
    [PROGRAM, "--keys"], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()]
KEYS = {(row[0], row[1]) for row in ROWS}
BUTTONS = {(row[0], row[1]) for row in ROWS if len(row) > 2}
DECLARED = set()
# What tmux calls the keys that the screen calls otherwise.
TMUX = {"Esc": "Escape", "Backspace": "BSpace", "Del": "DC", "Shift-Tab": "BTab", "Ctrl-U": "C-u"}
NAMED = {"Enter", "Space", "Tab", "Up", "Down", "PageUp", "PageDown", "Home", "End", *TMUX}
LINES = [
    {"line": "work", "label": "Work", "handle": phone("+15550001"), "messages_waiting": 2,
     "voicemail": phone("+15550099"), "url_schemes": ["tel"], "settings": [
         {"setting": "forward_busy", "on": False}, {"setting": "call_waiting", "on": True}]},
    {"line": "home", "label": "Home", "state": "failed", "reason": "403 Forbidden", "url_schemes": ["tel"]}]


def presses(place, *keys):
    """Declares what a test presses; it fails if it has not."""
    names = {(place, key) for key in keys}
    DECLARED.update(names)

    def declare(test):
        @functools.wraps(test)
        def run(self):
            self.expected |= names
            test(self)
            if not hasattr(test, "__wrapped__"):
                self.assertEqual(self.pressed, self.expected)
        return run
    return declare


class Lines(App):
    """An app with lines, conferences and real-time text."""

    def __init__(self, broker, identity="org.example.desk", name="Desk phone", **members):
        super().__init__(broker, identity, name, **{"lines": LINES, "url_schemes": ["tel"], **members})
        self.lines = json.loads(json.dumps(members.get("lines", LINES)))
        self.people = [
            {"participant": "1", "name": "Ada", "self": True, "changeable": ["muted", "hand_raised"]},
            {"participant": "2", "name": "Grace", "state": "waiting"}]
        self.provider.on_change_setting(self.change_setting)
        self.provider.on_change_participant(self.change_participant)
        self.provider.on_send_text(lambda call, text: self.done.append(("send_text", str(call), {"text": text})))

    async def change_setting(self, line, setting):
        self.done.append(("change_setting", line, dict(setting)))
        mine = next(each for each in self.lines if each["line"] == line)
        mine["settings"] = [setting if each["setting"] == setting["setting"] else each for each in mine["settings"]]
        await self.provider.update(lines=self.lines)

    async def change_participant(self, call, participant, values):
        self.done.append(("change_participant", participant, values))
        next(each for each in self.people if each["participant"] == participant).update(values)
        await self.provider.report_participants(call, self.people, replace=True)


class Scenarios(Screens):
    """What is pressed, once as keys and once as buttons."""

    is_mouse = False

    def setUp(self):
        super().setUp()
        self.pressed, self.expected = set(), set()
        self.shown = None

    def broker_arguments(self):
        """One plugin, which waits for calls, for those who look at plugins."""
        if "plugin" not in self._testMethodName and "views" not in self._testMethodName:
            return ()
        folder = os.path.join(self.folder, "bell")
        os.makedirs(folder)
        program = os.path.join(folder, "run.sh")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec cat >/dev/null\n")
        os.chmod(program, 0o755)
        with open(os.path.join(folder, "org.example.bell.plugin.json"), "w", encoding="utf-8") as file:
            json.dump({"manifest": 1, "identity": "org.example.bell", "name": "Bell", "exec": ["./run.sh"],
                       "roles": ["provider"], "transport": "stdio", "handshake": "implicit", "start": "boot",
                       "provider": {"handle_types": ["generic"]}}, file)
        return ("--plugin-dir", folder)

    def open(self, *see, **environment):
        self.shown = self.screen(80, 24, "xterm-256color", **environment)
        self.shown.wait_to_see(*see)
        return self.shown

    def desk(self, *arguments, **members):
        app = Lines(self.broker, *arguments, **members)
        app.provider.__enter__()
        self.addCleanup(app.provider.__exit__, None, None, None)
        return app

    def active(self, app, number="+15550100", name="Ann", **members):
        """An active call, which the user has answered here."""
        call = app.incoming(number, name, **members)
        with Controller("test", socket=self.broker.path) as me:
            me.answer(call, wait="completed").result()
        self.shown.wait_to_see(name, "active")
        return call

    def press(self, place, key, *see):
        """Presses a key of a place, or clicks on its button; then all of `see` is shown."""
        self.pressed.add((place, key))
        if self.is_mouse and (place, key) in BUTTONS:
            words = f"[ {key} ]" if place == "keypad" and len(key) == 1 else f"[{key}]"
            self.shown.click(f" {key} " if key.isdigit() and place == "commands" else words)
        elif key in NAMED or key[0] == "F" and key[1:].isdigit():
            self.shown.keys(TMUX.get(key, key))
        else:
            self.shown.type(key)
        self.shown.wait_to_see(*see)

    def request(self, method, params, name):
        with Admin("test", socket=self.broker.path) as admin:
            return admin.request(method, params).result().get(name)

    def wait_for_policy(self, what, condition):
        wait_that(lambda: condition(self.request("policy.get", {}, "policy")), what)

    def last(self, app, kind):
        """What the app was asked last, once that is of this kind; it is forgotten then."""
        wait_that(lambda: bool(app.done) and app.done[-1][0] == kind, lambda: f"{kind}: {app.done}")
        return app.done.pop()[2]
