"""The plugin as a service of a user, beside a real systemd-logind: a Debian in systemd-nspawn, in
which two users have sessions at one seat. The broker is that user's, outside; its socket is in a
folder of the machine."""
import os
import shutil
import sys
import unittest
from unittest import mock

from presence_bench import (CEILING, HERE, PLUGIN, SDK, Admin, Bench, RealBroker,  # noqa: E402
                            wait_until)

sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "..", "packaging", "tests"))
from machine import BOOTABLE, Machine, make_root, needs_root  # noqa: E402

PLACE = "/srv/calls"                            # /tmp and /run are the machine's own
UNIT = "presence.service"


class UserBroker(RealBroker):
    """A broker of the user of the machine, whose folder is there."""

    def __init__(self, machine):
        program = os.path.abspath(os.environ.get("CALLBROKER") or os.path.join(
            HERE, "..", "..", "..", "..", ".build", "debug", "callbroker"))
        self.folder, self.arguments = machine.path(PLACE), ()
        os.chmod(os.path.dirname(machine.root), 0o711)
        os.mkdir(self.folder)
        self.program = os.path.join(self.folder, "broker")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec env HOME={self.folder} setpriv --reuid={machine.uid} "
                       f"--regid={machine.uid} --clear-groups {program} \"$@\"\n")
        os.chmod(self.program, 0o755)
        os.chown(self.folder, machine.uid, machine.uid)
        self.path = os.path.join(self.folder, "broker.sock")
        self.start()


class Seat(Bench):
    """The machine with its broker, and the calls of its user."""

    def __init__(self, test, machine):
        self.machine = machine
        with mock.patch("presence_bench.RealBroker", lambda: UserBroker(machine)):
            super().__init__(test)
        self.file = machine.path(PLACE + "/presence.json")
        # To the broker outside the machine is a sandbox, whose programs may only observe.
        admin = self.entered(Admin("admin", socket=self.broker.path))
        admin.request("policy.set", {"rights": [
            {"identity": "org.callbroker.presence", "sandbox": "any"}]}).result(CEILING)

    def start_plugin(self):
        self.machine.execute(
            "systemd-run", "--user", "--unit", UNIT, "/opt/presence/presence.py", "--verbose",
            "--socket", f"{PLACE}/broker.sock", "--file", f"{PLACE}/presence.json")
        self.wait_for_shown("free")

    def log_in(self, user):
        """A session at the seat, which comes to the front; returns its id."""
        former = set(self.sessions())
        self.machine.execute(
            "systemd-run", f"--uid={user}", "--property=PAMName=login", "--setenv=XDG_SEAT=seat0",
            "--setenv=XDG_SESSION_TYPE=x11", "--setenv=XDG_SESSION_CLASS=user", "sleep", "infinity",
            user="root")
        return wait_until(f"a session of {user}", lambda: set(self.sessions()) - former).pop()

    def sessions(self):
        listed = self.machine.execute("loginctl", "list-sessions", "--no-legend", user="root")
        return [line.split()[0] for line in listed.splitlines() if line.strip()]

    def activate(self, session):
        self.machine.execute("loginctl", "activate", session, user="root")

    def wait_for_lock(self, is_held):
        def locks():
            return self.machine.execute("systemd-inhibit", "--list", "--no-pager", user="root")
        wait_until(lambda: f"a lock: {locks()}", lambda: ("CallBroker" in locks()) == is_held)


@needs_root
class RealLogindTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.lower = make_root(*BOOTABLE, "polkitd", "python3-dbus-fast")

    def setUp(self):
        machine = Machine(self.lower)
        self.addCleanup(machine.close)
        machine.add_user("bob")
        for folder, name in ((PLUGIN, "presence"), (SDK, "python")):
            shutil.copytree(folder, machine.path(f"/opt/{name}"),
                            ignore=shutil.ignore_patterns("tests", "__pycache__"))
        machine.boot()
        self.seat = Seat(self, machine)

    def test_who_sits_in_front_has_the_microphone_and_the_host_stays_awake(self):
        mine = self.seat.log_in("ada")
        self.seat.start_plugin()
        app = self.seat.app()
        call = self.seat.answered(app)
        self.seat.wait_for_lock(True)
        self.seat.log_in("bob")
        self.seat.wait_for_state(call, "held")
        second = self.seat.incoming(app)
        wait_until("it is silenced", lambda: self.seat.call(second)["silenced"])
        self.seat.end(second)
        self.seat.activate(mine)
        self.seat.wait_for_state(call, "active")
        self.seat.end(call)
        self.seat.wait_for_lock(False)

    def test_a_plugin_that_is_there_before_its_user_logs_in_knows_the_session(self):
        self.seat.start_plugin()
        self.seat.log_in("ada")
        call = self.seat.answered(self.seat.app())
        self.seat.log_in("bob")
        self.seat.wait_for_state(call, "held")

    def test_a_service_that_is_stopped_leaves_no_lock(self):
        self.seat.log_in("ada")
        self.seat.start_plugin()
        self.seat.answered(self.seat.app())
        self.seat.wait_for_lock(True)
        self.seat.machine.systemctl("stop", UNIT)
        self.seat.wait_for_lock(False)
        self.assertIsNone(self.seat.shown())


if __name__ == "__main__":
    unittest.main()
