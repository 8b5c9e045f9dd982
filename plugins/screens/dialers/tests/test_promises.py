"""The program keeps every promise that `callbroker plugin check` knows: among others it comes back
after the broker, and is idle while nothing happens."""
import os
import sys
import unittest

import lab

sys.path.append(os.path.join(lab.ROOT, "plugins", "testing", "tests"))
from checking import check  # noqa: E402


class PromiseTests(unittest.TestCase):
    def test_every_promise_of_a_client_without_calls_is_kept(self):
        desk = lab.Desk(self, starts=False)
        failed, status, not_applicable = check(
            lab.PLUGIN, DBUS_SYSTEM_BUS_ADDRESS=desk.bus, XDG_RUNTIME_DIR=desk.folder)
        self.assertEqual((failed, status), ([], 0))
        for promise in ("registers", "reconnects", "broker_away", "idle_cpu", "stops_at_sigterm"):
            self.assertNotIn(promise, not_applicable)


if __name__ == "__main__":
    unittest.main()
