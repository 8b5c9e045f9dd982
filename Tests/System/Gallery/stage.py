"""A daemon, and a good provider with a call that goes on."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from test_check import HERE, TOOL

sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "plugins", "sdk", "python"))
import callbroker  # noqa: E402
from callbroker import Admin, Provider, new_id, phone  # noqa: E402

CEILING = 60.0
callbroker.OPENING_SECONDS = CEILING            # all the plugins start beside it


class Stage(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.socket = os.path.join(self.folder, "broker.sock")
        self.daemon = subprocess.Popen(
            [TOOL, "serve", "--no-explain", "--log-level", "critical", "--socket", self.socket,
             *self.options()], stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stopped)
        self.assertIn("listening on", self.daemon.stderr.readline())
        self.user = Admin("user", socket=self.socket, timeout=CEILING)
        self.good = Provider("org.example.good", "Good", socket=self.socket, handle_types=["phone"])
        for kind in ("answer", "end", "set_held", "set_muted"):
            self.good.on_action(kind)(lambda action: None)
        self.user.__enter__()
        self.addCleanup(self.user.__exit__, None, None, None)
        self.good.__enter__()
        self.addCleanup(self.good.__exit__, None, None, None)
        self.call = new_id()
        self.good.report_incoming(self.call, phone("+15550100")).result()
        self.user.answer(self.call, wait="completed").result()

    def stopped(self):
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(CEILING), 0)
        self.daemon.stderr.close()

    def options(self):
        """More of the daemon's."""
        return ("--test-mode",)

    def providers(self):
        listed = self.user.request("provider.list", {}).result()
        return {one["provider"] for one in listed["providers"]}

    def expect_that_all_is_well(self):
        self.assertIsNone(self.daemon.poll(), "the daemon has ended")
        call = self.user.request("call.get", {"call": self.call}).result()
        self.assertIn(call["state"], ("active", "held"))
        self.assertTrue(call["provider_connected"])
        for muted in (True, False):
            done = self.user.request("call.set_muted", {
                "call": self.call, "muted": muted, "wait": "completed"}).result()
            self.assertEqual(done["actions"][0]["state"], "fulfilled")
        with Admin("somebody else", socket=self.socket, timeout=CEILING) as other:
            calls = other.request("call.list", {}).result()["calls"]
            self.assertIn(self.call, [one["call"] for one in calls])
