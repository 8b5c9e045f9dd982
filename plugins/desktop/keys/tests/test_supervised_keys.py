"""As a plugin that the broker starts, with the options that the user sets."""
import os
import signal
import unittest
from unittest import mock

import headsets
from place import CEILING, PLUGIN, wait_until
from test_hidraw import OFF_HOOK, RING, Room, TestHeadset

from callbroker import Admin  # noqa: E402

PASSED = ("DBUS_SESSION_BUS_ADDRESS", "HOME", "LC_MESSAGES", "XDG_RUNTIME_DIR")
NAME = "org.callbroker.keys"


class SupervisedTests(unittest.TestCase):
    def setUp(self):
        self.room = Room(self)
        self.room.start_bus()
        with mock.patch.dict(os.environ, {name: self.room.environment[name] for name in PASSED}):
            self.room.broker.kill()
            self.room.broker.arguments = ("--plugin-dir", PLUGIN)
            self.room.broker.start()
        self.admin = self.room.entered(Admin("admin", socket=self.room.broker.path))
        for option, value in (("devices", self.room.devices), ("spring_ms", 0),
                              ("descriptions", self.room.descriptions)):
            self.admin.request("plugin.set_option", {
                "plugin": NAME, "option": option, "value": value}).result(CEILING)
        self.admin.plugin("restart", plugin=NAME).result(CEILING)

    def ready(self, former=0):
        def process():
            row, = self.admin.plugin("list").result(CEILING)["plugins"]
            is_ready = (row["state"] == "ready" and not row.get("stopping")
                        and row.get("pid") != former)
            return row["pid"] if is_ready else None
        return wait_until("the plugin is ready", process)

    def test_it_has_the_users_options_and_takes_over_after_a_kill(self):
        headset = TestHeadset(self.room, "hidraw0", headsets.JABRA, 2, follows=True)
        self.room.keys = mock.Mock(said=lambda: "")
        process = self.ready()
        call = self.room.rings(self.room.app())
        headset.wait_for_lamps(RING)
        headset.lamps.clear()
        os.kill(process, signal.SIGKILL)
        self.ready(process)
        headset.wait_for_lamps(RING)
        headset.send(1)
        self.room.wait_for_state(call, "active")
        headset.wait_for_lamps(OFF_HOOK)
        self.assertEqual(self.room.performed.count(("answer", call)), 1)


if __name__ == "__main__":
    unittest.main()
