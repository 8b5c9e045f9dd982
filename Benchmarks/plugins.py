#!/usr/bin/env python3
"""Memory of the bundled plugins in Python, when nothing happens.

    ./plugins.py --daemon PATH                      # all of them
    ./plugins.py --daemon PATH --only keys hooks

All are enabled in one broker, in a session of their own (D-Bus, Xvfb, dunst, PulseAudio, mosquitto), with
Debian's Python. MB are 10^6 bytes. Resident counts what a process has in memory, also what it shares with
others; proportional counts a page that N processes have as a Nth part of it."""
import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "plugins/sdk/python/tests"))

from desktop_session import DesktopSession  # noqa: E402
from mosquitto_stand import Mosquitto  # noqa: E402
from programs import wait_until  # noqa: E402

# Without a telephone, those that stand for one have none, and wait for it.
# web-calls is started by browsers, and twinkle ends without its telephone.
LEFT_OUT = {"twinkle", "web-calls"}
OPTIONS = {"dialers": ["own_bus=true"], "mqtt": ["host=127.0.0.1", "port={port}"]}
IDLE, BUSY = 1.0, 0.02                          # in so many seconds, so many of a processor at most


class Session(DesktopSession):
    """The session, and the broker in it."""

    def __init__(self, program, folder, stack):
        self.callbroker, self.folder, self.addCleanup, self.test = program, folder, stack.callback, self
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_CONFIG_HOME": folder + "/config", "XDG_STATE_HOME": folder + "/state", "LC_ALL": "C.UTF-8",
            "BROKER_SOCKET": folder + "/broker.sock", "PULSE_SERVER": f"unix:{folder}/sound"}
        for name in ("run", "config", "state"):
            os.mkdir(os.path.join(folder, name), 0o700)

    def start(self):
        self.start_desktop()
        self.program("sound", "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "-L",
                     f"module-native-protocol-unix socket={self.folder}/sound auth-anonymous=1",
                     "-L", "module-null-sink sink_name=null0")
        wait_until("a sound server", lambda: self.succeeds("pactl", "info"))
        self.port = Mosquitto(self, self.folder).port
        self.program("broker", self.callbroker, "serve")
        wait_until("a broker", lambda: self.succeeds(self.callbroker, "status"))

    def enable(self, plugin):
        options = [each.format(port=self.port) for each in OPTIONS.get(plugin, [])]
        self.output(self.callbroker, "plugin", "enable", plugin, *options)

    def processes(self):
        """The process of each plugin."""
        rows = map(json.loads, self.output(self.callbroker, "plugin", "list", "--json").splitlines())
        return {row["plugin"].rsplit(".", 1)[1]: row.get("pid") for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--only", nargs="*", help="names of plugins")
    options = parser.parse_args()
    plugins = sorted(options.only or python_plugins())
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        session = Session(os.path.abspath(options.daemon), folder, stack)
        session.start()
        for plugin in plugins:
            session.enable(plugin)
        wait_until(lambda: f"processes: {session.processes()}", lambda: all(session.processes().values()))
        processes = session.processes()
        for process in processes.values():
            wait_for_idleness(process)
        print("| plugin | resident, MB | proportional, MB |\n|---|---|---|")
        for plugin in plugins:
            resident, proportional = memory(processes[plugin])
            print(f"| {plugin} | {resident / 1e6:.1f} | {proportional / 1e6:.1f} |")


def python_plugins():
    for path in (ROOT / "plugins").glob("*/*/*.plugin.json"):
        if path.parent.name not in LEFT_OUT and json.loads(path.read_text())["exec"][0].endswith(".py"):
            yield path.parent.name


def wait_for_idleness(process):
    """Until it hardly uses a processor: it answers the broker's pings, and some look for their app."""
    before = processor_seconds(process)
    while True:
        time.sleep(IDLE)
        after = processor_seconds(process)
        if after - before < BUSY:
            return
        before = after


def processor_seconds(process):
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def memory(process):
    text = Path(f"/proc/{process}/smaps_rollup").read_text()
    return [int(re.search(rf"^{kind}: +(\d+) kB", text, re.MULTILINE)[1]) * 1024 for kind in ("Rss", "Pss")]


if __name__ == "__main__":
    sys.exit(main())
