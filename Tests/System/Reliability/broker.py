"""The program under test as a process: the program CALLBROKER, or the one that was built here."""
import os
import select
import signal
import socket
import subprocess
import time

CEILING = float(os.environ.get("CEILING", 60.0))
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
PROGRAM = os.path.abspath(
    os.environ.get("CALLBROKER") or os.path.join(ROOT, ".build", "debug", "callbroker"))


class NotServing(Exception):
    """It ended before it was ready: its exit status, and its last words."""


class Broker:
    """Serves in a folder, which outlives it; start, kill, start again."""

    def __init__(self, folder, *options, program=PROGRAM, wrapper=(), environment=None):
        self.folder, self.options, self.program = folder, options, program
        self.wrapper, self.environment = list(wrapper), environment or {}
        # Where it writes its log instead of into the file.
        self.standard_error = None
        # How long it may take until it serves.
        self.patience = CEILING
        self.path = os.path.join(folder, "broker.sock")
        self.state = os.path.join(folder, "state")
        self.log = os.path.join(folder, "log")
        self.process = None
        self.hangs = False
        # When it was started last, by the monotonic clock.
        self.started_at = 0.0

    def start(self):
        """Serves when this returns; NotServing if it does not get there."""
        notify = os.path.join(self.folder, "notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, open(self.log, "ab") as log:
            if os.path.exists(notify):
                os.unlink(notify)
            ready.bind(notify)
            self.hangs = False
            self.started_at = time.monotonic()
            self.process = subprocess.Popen(
                [*self.wrapper, self.program, "serve", "--socket", self.path, "--state-dir",
                 self.state, "--no-explain", "--log-level", "warning", *self.options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=self.standard_error or log,
                env={**os.environ, "NOTIFY_SOCKET": notify, "SWIFT_BACKTRACE": "enable=no",
                     **self.environment})
            self._wait_ready(ready)

    def _wait_ready(self, ready):
        exit = os.pidfd_open(self.process.pid)
        try:
            poll = select.poll()
            poll.register(ready, select.POLLIN)
            poll.register(exit, select.POLLIN)
            if ready.fileno() not in dict(poll.poll(self.patience * 1_000)):
                raise NotServing(self.kill(), self.said()[-2_000:])
        finally:
            os.close(exit)

    @property
    def pid(self):
        return self.process.pid

    @property
    def is_alive(self):
        return self.process is not None and not self.hangs and self.process.poll() is None

    def hang(self):
        """Does nothing any more: what is sent to it now it will never read."""
        self.process.send_signal(signal.SIGSTOP)
        self.hangs = True

    def kill(self, number=signal.SIGKILL):
        """As a crash would; with SIGTERM, as an administrator would. The exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(CEILING)

    def stop(self):
        if self.process:
            self.kill()

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def resident_kib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def cpu_seconds(self):
        """The time that its threads have run, by the scheduler: whatever else the host does."""
        tasks = f"/proc/{self.pid}/task"
        times = []
        for task in os.listdir(tasks):
            with open(os.path.join(tasks, task, "schedstat"), encoding="ascii") as file:
                times.append(int(file.read().split()[0]))
        return sum(times) / 1e9

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))
