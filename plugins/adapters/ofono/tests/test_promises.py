"""The program keeps every promise that `callbroker plugin check` knows, at each service that has a
mock: somebody calls the modem when the check wants a call."""
import os
import sys
import unittest

import lab
from mock_modem_manager import ModemManagerMock
from mock_pipewire import PipeWireMock

sys.path.append(os.path.join(lab.ROOT, "plugins", "testing", "tests"))
from checking import check  # noqa: E402

TEST = "org.example.Test"                       # an interface of the mocks, for the test alone
NUMBER = "+15550101"


class PromiseTests(unittest.TestCase):
    def setUp(self):
        self.folder = lab.folder(self)
        self.bus = lab.Bus(self, self.folder)

    def check(self, service, modem):
        def ring(path):
            with modem.lock:                    # a scenario that ended left its call
                modem.calls.clear()
                modem.follow()
            modem.rings(NUMBER)
        modem.mock.methods[TEST, "Ring"] = ("", "", ring)
        modem.dialed = lab.ACTIVE
        failed, status, not_applicable = check(
            "--ring", f"dbus-send --bus={self.bus.address} --print-reply --dest={modem.mock.name} / "
            f"{TEST}.Ring", lab.PLUGIN, "--", "--service", service, "--bus", self.bus.address,
            PATH="/usr/bin:/bin", XDG_STATE_HOME=self.folder)
        self.assertEqual((failed, status), ([], 0))
        for promise in ("registers", "reconnects", "incoming", "idle_cpu", "stops_at_sigterm"):
            self.assertNotIn(promise, not_applicable)

    def test_every_promise_is_kept_over_modem_manager(self):
        self.check("modemmanager", ModemManagerMock(self, self.bus.address))

    def test_every_promise_is_kept_over_pipewire(self):
        self.check("pipewire", PipeWireMock(self, self.bus.address))


if __name__ == "__main__":
    unittest.main()
