"""A bus in the place of the system's, with a stand for logind: the template of python-dbusmock. Its
session has the id "auto", because it knows no other session of a caller."""
import json
import os
import subprocess

from presence_bench import CEILING, Program, wait_until

LOGIND = "org.freedesktop.login1"
SESSION = "/org/freedesktop/login1/session/auto"


class LoginBus:
    def __init__(self, bench):
        self.bench = bench
        path = os.path.join(bench.folder, "system-bus")
        bench.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=" + path
        Program(bench.test, bench.folder, "bus", [
            "dbus-daemon", "--session", "--nofork", "--address=unix:path=" + path])
        wait_until("a bus", lambda: os.path.exists(path))

    def start_logind(self):
        program = Program(self.bench.test, self.bench.folder, "logind", [
            "/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
            self.bench.environment)
        wait_until("logind", lambda: self.succeeds("GetNameOwner", LOGIND))
        wait_until("its methods",
                   lambda: self.mock("AddSession", "auto", "seat0", 1000, "ada", True))
        return program

    def gdbus(self, name, path, method, *arguments):
        return subprocess.run(
            ["gdbus", "call", "--system", "--dest", name, "--object-path", path, "--method", method,
             *arguments], env=self.bench.environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=CEILING, check=False)

    def succeeds(self, method, *arguments):
        return self.gdbus("org.freedesktop.DBus", "/", "org.freedesktop.DBus." + method,
                          *arguments).returncode == 0

    def mock(self, method, *arguments):
        return self.gdbus(LOGIND, "/org/freedesktop/login1", "org.freedesktop.DBus.Mock." + method,
                          *map(json.dumps, arguments)).returncode == 0

    def set_active(self, is_active):
        """The session is in front, or another one is."""
        done = self.gdbus(LOGIND, SESSION, "org.freedesktop.DBus.Mock.UpdateProperties",
                          LOGIND + ".Session",
                          "{'Active': <true>}" if is_active else "{'Active': <false>}")
        assert done.returncode == 0, done.stderr

    def locks(self):
        return self.gdbus(LOGIND, "/org/freedesktop/login1",
                          LOGIND + ".Manager.ListInhibitors").stdout
