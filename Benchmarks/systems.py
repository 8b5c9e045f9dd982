"""The systems: how each is found, started, watched and stopped."""
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANY_CALLS = {"held_groups": 1_000_000, "calls_per_provider": 1_000_000, "calls": 1_000_000}
START_TIMEOUT = 15              # seconds
STOP_TIMEOUT = 5
PR_SET_PDEATHSIG = 1
libc = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    """A system or a run that did not do what it should; the text says what."""


def die_with_parent():
    """For preexec_fn: whatever happens to this program, no child outlives it."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def first_line(command):
    """The first line a command prints, or None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.strip().splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


class System:
    """One kind of broker.  Instances of it are started with `Running`."""
    name = ""
    wire = "line"

    def missing(self):
        """Why it cannot run here, or None."""
        return None

    def version(self):
        return ""

    def command(self, folder, socket):
        """What to execute; `folder` is the instance's own, `socket` is in it."""
        raise NotImplementedError

    def broker_pid(self, pid):
        """The process that does the work, given the one started; None: not there yet."""
        return pid


class Floor(System):
    name = "floor"
    wire = "floor"

    def __init__(self, build):
        self.program = build / "floor"

    def command(self, folder, socket):
        return [self.program, socket]


class CallBroker(System):
    name = "callbroker"

    def __init__(self, program):
        self.program = Path(program).resolve()

    def missing(self):
        return None if os.access(self.program, os.X_OK) else f"{self.program} is not an executable"

    def version(self):
        line = first_line([self.program, "--version"])
        return line.removeprefix("callbroker").strip() if line else "(version unknown)"

    def command(self, folder, socket):
        configuration = folder / "configuration.json"
        configuration.write_text(json.dumps({"policy": {"limits": MANY_CALLS}}))
        return [self.program, "serve", "--socket", socket, "--state-dir", folder / "state", "--config", configuration]


class DBus(System):
    wire = "dbus"
    programs = ()

    def missing(self):
        return None if all(map(shutil.which, self.programs)) else "not installed"

    def version(self):
        line = first_line([self.programs[0], "--version"])
        return line.split()[-1] if line else "(version unknown)"

    def configuration(self, folder, socket):
        path = folder / "dbus.conf"
        path.write_text((HERE / "dbus.conf").read_text().replace("@SOCKET@", str(socket)))
        return path


class DBusDaemon(DBus):
    name = "dbus-daemon"
    programs = ("dbus-daemon",)

    def command(self, folder, socket):
        return ["dbus-daemon", f"--config-file={self.configuration(folder, socket)}", "--nofork", "--nopidfile"]


class DBusBroker(DBus):
    name = "dbus-broker"
    programs = ("dbus-broker", "dbus-broker-launch")

    def missing(self):
        return super().missing() or (None if os.geteuid() == 0 else "needs root")

    def command(self, folder, socket):
        return [sys.executable, HERE / "dbus_broker_alone.py", socket, self.configuration(folder, socket)]

    def broker_pid(self, pid):
        """The launcher's child of that name; the launcher takes no part in the traffic."""
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if Path(f"/proc/{child}/comm").read_text().strip() == "dbus-broker":
                return int(child)
        return None


class Running:
    """A started instance of a system.  stop() may be called any number of times."""
    count = 0

    def __init__(self, system, temporary, load):
        Running.count += 1
        self.system = system
        self.folder = temporary / f"{system.name}-{Running.count}"
        self.folder.mkdir()
        (self.folder / "state").mkdir()
        self.socket = self.folder / "socket"
        self.pid = None
        command = [str(part) for part in system.command(self.folder, self.socket)]
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                                            start_new_session=True, preexec_fn=die_with_parent)
        try:
            self._await(load)
        except BaseException:
            self.stop()
            raise

    def _await(self, load):
        """Until it answers a hello and a ping."""
        deadline, reason = time.monotonic() + START_TIMEOUT, "no socket"
        while time.monotonic() < deadline:
            time.sleep(0.05)
            if self.process.poll() is not None:
                raise Failure(f"did not start: {self.last_words()}")
            if not self.socket.exists() or not self._find_pid():
                continue
            probe = [load, "probe", "-p", self.system.wire, "-a", self.socket]
            try:
                done = subprocess.run(probe, capture_output=True, text=True, timeout=START_TIMEOUT, preexec_fn=die_with_parent)
            except subprocess.TimeoutExpired:
                raise Failure("did not start: no answer to the first hello and ping") from None
            if done.returncode == 0:
                return
            reason = done.stderr.strip()
        raise Failure(f"did not start: {reason} {self.last_words()}".strip())

    def _find_pid(self):
        try:
            self.pid = self.system.broker_pid(self.process.pid)
        except OSError:                         # a process that has just ended
            self.pid = None
        return self.pid

    def last_words(self):
        lines = (self.folder / "log").read_text(errors="replace").strip().splitlines()
        return " / ".join(lines[-3:]) or f"ended with {self.process.poll()}"

    def check_alive(self):
        if self.process.poll() is not None:
            raise Failure(f"has ended: {self.last_words()}")

    def set_cores(self, cores):
        """Where all its threads may run; twice, for a thread born meanwhile."""
        for _ in range(2):
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                try:
                    os.sched_setaffinity(int(thread), cores)
                except ProcessLookupError:
                    pass

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.pid not in (None, self.process.pid):
            self._stop_child()

    def _stop_child(self):
        """A broker under a launcher ends with it; if not, it is killed."""
        comm = Path(f"/proc/{self.pid}/comm")
        for _ in range(STOP_TIMEOUT * 20):
            if not comm.exists():
                return
            time.sleep(0.05)
        try:
            if comm.read_text().strip() == self.system.name:
                os.kill(self.pid, signal.SIGKILL)
        except OSError:
            pass
