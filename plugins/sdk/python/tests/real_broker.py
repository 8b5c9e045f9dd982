"""The broker itself: the program CALLBROKER, or .build/debug/callbroker of this repository."""
import os
import shutil
import subprocess
import tempfile
import time

from scripted_broker import HERE


class RealBroker:
    """Serves in a folder of its own until it is closed; with further arguments if there are any."""

    def __init__(self, *arguments):
        self.arguments = arguments
        self.program = os.path.abspath(os.environ.get("CALLBROKER") or os.path.join(
            HERE, "..", "..", "..", "..", ".build", "debug", "callbroker"))
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "broker.sock")
        self.start()

    def start(self):
        """Serves, with the state that it had before if there was one."""
        with open(os.path.join(self.folder, "log"), "wb") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--socket", self.path, "--state-dir",
                 os.path.join(self.folder, "state"), *self.arguments], stdout=subprocess.PIPE, stderr=log)
        said = ""
        with open(os.path.join(self.folder, "log"), encoding="utf-8") as log:
            while "listening on " not in said:
                if self.process.poll() is not None:
                    raise RuntimeError(f"{self.program} does not serve")
                time.sleep(0.002)               # it may want this processor
                said += log.read()

    def kill(self):
        """As a crash would."""
        self.process.kill()
        self.process.communicate()

    def close(self):
        self.process.terminate()
        self.process.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)
