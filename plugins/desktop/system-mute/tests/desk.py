"""A sound server of its own for a test, with two microphones; the broker; the plugin."""
import json
import os
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
GUARD = os.path.join(PLUGIN, "..", "..", "guards", "pulse-guard")
sys.path[:0] = [PLUGIN, os.path.join(GUARD, "tests")]

from studio import CEILING, ONE, TWO, Studio, wait_until  # noqa: E402,F401  (finds the library)

PROGRAM = os.path.join(PLUGIN, "system_mute.py")
BUILT_IN, HEADSET = "built-in-mic", "headset-mic"
# The server does not answer who mutes a source.
MUTELESS_PACTL = """#!/bin/sh
[ "$1" = set-source-mute ] && [ ! -e "{folder}/go" ] && exec sleep 60
exec {pactl} "$@"
"""
# The user takes the first mute of a source back at once.
QUICK_PACTL = """#!/bin/sh
{pactl} "$@" || exit
[ "$1 $3" = "set-source-mute 1" ] && [ ! -e {folder}/go ] && touch {folder}/go && {pactl} set-source-mute "$2" 0
exit 0
"""


class Desk(Studio):
    """Where the user talks; `server` is pulseaudio or pipewire."""

    def __init__(self, test, server, *modules):
        super().__init__(test, server, *modules)
        self.state = os.path.join(self.folder, "borrowed.json")
        self.actions = []                       # the mutes that apps were asked for

    def start_server(self):
        super().start_server()
        for name in (BUILT_IN, HEADSET):
            self.output("pactl", "load-module", "module-remap-source", "source_name=" + name,
                        "master=null0.monitor")
        self.use(BUILT_IN)

    def use(self, source):
        """As the user does in the settings."""
        self.output("pactl", "set-default-source", source)
        wait_until("it is used", lambda: self.info()["default_source_name"] == source)

    def start_plugin(self, *arguments):
        """The plugin, when it follows the calls."""
        self.plugin = self.program("plugin", PROGRAM, "--verbose", "--state", self.state, *arguments)
        self.plugin.wait_for("following")
        return self.plugin

    def hang(self, number=signal.SIGSTOP):
        """The server, until SIGCONT."""
        for program in self.sound:
            program.process.send_signal(number)

    def ignore_mutes(self):
        """The server does not answer the next plugin that mutes a source, until `let_mute`."""
        self.replace_pactl(MUTELESS_PACTL)

    def unmute_quickly(self):
        """The next mute of a source by another plugin is taken back before that plugin sees it."""
        self.replace_pactl(QUICK_PACTL)

    # ---- Calls

    def app(self, identity, **members):
        """A provider that mutes what it is asked to, and writes it down."""
        provider = super().app(identity, **members)

        @provider.on_set_muted
        def mute(action):
            self.actions.append((action.call, action.arguments["muted"]))
        return provider

    def set_call(self, call, muted):
        self.user.set_muted(call, muted, wait="completed").result(CEILING)

    def is_call_muted(self, call):
        return self.user.get_call(call=call).result(CEILING)["muted"]

    def wait_for_call(self, call, muted):
        wait_until(f"the call has the mute {muted}", lambda: self.is_call_muted(call) == muted)

    def end(self, call):
        self.user.end(call, wait="completed").result(CEILING)

    # ---- The microphone

    def set_source(self, muted, source="@DEFAULT_SOURCE@"):
        """As the keyboard's key does, or the mixer."""
        self.output("pactl", "set-source-mute", source, "1" if muted else "0")

    def is_source_muted(self, source=BUILT_IN):
        (found,) = [each["mute"] for each in json.loads(self.output(
            "pactl", "-f", "json", "list", "sources")) if each["name"] == source]
        return found

    def wait_for_source(self, muted, source=BUILT_IN):
        wait_until(lambda: f"{source} has the mute {muted}; of {self.info()['default_source_name']} the "
                   f"plugin says: {self.plugin.said()[-2000:]}",
                   lambda: self.is_source_muted(source) == muted)

    def wait_for_nothing_borrowed(self):
        wait_until("nothing is borrowed", lambda: not os.path.exists(self.state))
