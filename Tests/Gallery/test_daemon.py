"""No provider of this folder hurts the daemon, or the calls of a good one."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from test_check import HERE, TOOL, sinners

sys.path.insert(0, os.path.join(HERE, "..", "..", "plugins", "python"))
from callbroker import Admin, BrokerError, Provider, new_id, phone  # noqa: E402

CEILING = 60.0


class DaemonTests(unittest.TestCase):
    """One daemon with a virtual clock, and a good provider with a call that goes on."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.socket = os.path.join(self.folder, "broker.sock")
        self.daemon = subprocess.Popen(
            [TOOL, "serve", "--test-mode", "--no-explain", "--log-level", "critical", "--socket",
             self.socket], stderr=subprocess.PIPE, text=True)
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
        self.tried = 0
        self.call = new_id()
        self.good.report_incoming(self.call, phone("+15550100")).result()
        self.user.answer(self.call, wait="completed").result()

    def stopped(self):
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(CEILING), 0)
        self.daemon.stderr.close()

    def start(self, name):
        """The sinner as a process, in a folder of its own."""
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        process = subprocess.Popen(
            [os.path.join(HERE, name + ".py")], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "BROKER_SOCKET": self.socket, "XDG_RUNTIME_DIR": folder,
                 "GALLERY_IDENTITY": "org.gallery." + name.replace("_", "-")})
        self.addCleanup(self.killed, process)
        return process

    def killed(self, process):
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait(CEILING)

    def providers(self):
        listed = self.user.request("provider.list", {}).result()
        return {one["provider"] for one in listed["providers"]}

    def wait_until_there(self, process, identity):
        """It registers; or it ends, or never will."""
        for _ in range(40):
            if identity in self.providers() or process.poll() is not None:
                return
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass

    def try_it(self, name):
        """What a user would do with it. What comes of it is its own business."""
        self.ring(name)
        identity = "org.gallery." + name.replace("_", "-")
        try:
            started = self.user.start(provider=identity, remote=phone("+15550199")).result()
        except BrokerError:
            return
        self.tried += 1
        call = started["actions"][-1]["call"]
        for verb, more in (("call.set_muted", {"muted": True}), ("call.end", {})):
            try:
                self.user.request(verb, {"call": call, **more}).result()
            except BrokerError:
                pass

    def ring(self, name):
        """Somebody calls the sinner, if it has a bell."""
        try:
            bell = os.open(os.path.join(self.folder, name, "bell"), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return
        os.write(bell, b"1\n")
        os.close(bell)

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

    def test_one_after_the_other(self):
        for name in sinners():
            with self.subTest(name):
                identity = "org.gallery." + name.replace("_", "-")
                process = self.start(name)
                self.wait_until_there(process, identity)
                self.try_it(name)
                self.expect_that_all_is_well()
                # Every deadline there is comes to its end.
                self.user.advance(ms=150_000).result()
                self.expect_that_all_is_well()
                self.killed(process)
        self.assertGreater(self.tried, 60, "hardly any of them could be tried")

    def test_all_at_once(self):
        crowd = {name: self.start(name) for name in sinners()}
        for name, process in crowd.items():
            self.wait_until_there(process, "org.gallery." + name.replace("_", "-"))
        for name in crowd:
            self.try_it(name)
            self.expect_that_all_is_well()
        self.assertGreater(self.tried, 0)
        self.user.advance(ms=150_000).result()
        self.expect_that_all_is_well()


if __name__ == "__main__":
    unittest.main()
