"""What `plugin new` made, under the care of a broker: it rings, is killed, and comes back."""
import os
import signal
import subprocess
import sys
import tempfile
import time

from checking import ROOT, TOOL

sys.path.insert(0, os.path.join(ROOT, "plugins", "sdk", "python"))
from callbroker import Admin  # noqa: E402

CEILING = 60.0
# Longer than the first pause of one that has failed, by the clock of the test.
PAUSE_MS = 600


class Supervised:
    """A broker whose only plugin is the doorbell of that folder; the button is ours."""

    def __init__(self, folder, runtime):
        self.bell = os.path.join(runtime, "door-bell.fifo")
        os.mkfifo(self.bell)
        self.button = os.open(self.bell, os.O_RDWR | os.O_NONBLOCK)
        path = os.path.join(runtime, "broker.sock")
        self.daemon = subprocess.Popen(
            [TOOL, "serve", "--test-mode", "--no-explain", "--log-level", "critical", "--socket",
             path, "--plugin-dir", folder], stderr=subprocess.PIPE, text=True,
            env={**os.environ, "XDG_RUNTIME_DIR": runtime})
        self.daemon.stderr.readline()
        self.user = Admin("user", socket=path, timeout=CEILING)

    def __enter__(self):
        self.user.__enter__()
        return self

    def __exit__(self, *_):
        self.user.__exit__(None, None, None)
        self.daemon.terminate()
        self.daemon.wait(CEILING)
        self.daemon.stderr.close()
        os.close(self.button)

    def until(self, ask, is_there):
        """Each answer is a turn of the daemon."""
        end = time.monotonic() + CEILING
        while not is_there(found := ask()):
            if time.monotonic() > end:
                raise AssertionError(f"it never comes: {found}")
        return found

    def plugin(self, state):
        return self.until(lambda: self.user.plugin("list").result()["plugins"][0],
                          lambda row: row["state"] == state)

    def calls(self, count):
        return self.until(lambda: self.user.request("call.list", {}).result()["calls"],
                          lambda calls: len(calls) == count)

    def rings(self, who):
        os.write(self.button, who.encode() + b"\n")
        return [call["remote"]["value"] for call in self.calls(1)]


def live(folder):
    """Who rang before it was killed and after, how often it was started, and how it ended."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as runtime, Supervised(folder, runtime) as broker:
        first = broker.plugin("ready")
        rang = broker.rings("front")
        os.kill(first["pid"], signal.SIGKILL)
        broker.plugin("backoff")
        broker.calls(0)
        broker.user.request("test.advance", {"ms": PAUSE_MS}).result()
        second = broker.plugin("ready")
        rang += broker.rings("back")
        return rang, second["starts"], second["exit"], second["pid"] != first["pid"]
