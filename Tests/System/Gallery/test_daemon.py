"""No provider of this folder hurts the daemon, or the calls of a good one."""
import os
import subprocess
import unittest

from stage import CEILING, Stage
from test_check import HERE, faulty_providers

from callbroker import BrokerError, phone


# The scenarios whose faulty providers never register under the identity that they should have.
NEVER_REGISTERED = {"registers", "has_its_identity"}


def identity(name):
    return "org.gallery." + name.replace("_", "-")


class DaemonTests(Stage):
    """Each of them connects by itself. The clock is virtual."""

    def setUp(self):
        super().setUp()
        self.tried = 0

    def start(self, name):
        """Starts the faulty provider as a process, in a folder of its own."""
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        process = subprocess.Popen(
            [os.path.join(HERE, name + ".py")], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "BROKER_SOCKET": self.socket, "XDG_RUNTIME_DIR": folder,
                 "GALLERY_IDENTITY": identity(name)})
        self.addCleanup(self.killed, process)
        return process

    def killed(self, process):
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait(CEILING)

    def wait_until_there(self, process, name):
        """It registers; or it ends, or never will. Those that do may be slow to start."""
        patience = 1 if faulty_providers()[name] in NEVER_REGISTERED else int(CEILING)
        for _ in range(20 * patience):
            if identity(name) in self.providers() or process.poll() is not None:
                return
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                pass

    def try_it(self, name):
        """What a user would do with it. What comes of it is its own business.

        It is rung last: many have room for one call only."""
        self.call_with(name)
        self.ring(name)

    def call_with(self, name):
        try:
            started = self.user.start(provider=identity(name), remote=phone("+15550199")).result()
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
        """Rings the bell of the faulty provider, if there is one."""
        try:
            bell = os.open(os.path.join(self.folder, name, "bell"), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return
        os.write(bell, b"1\n")
        os.close(bell)

    def test_one_after_the_other(self):
        for name in faulty_providers():
            with self.subTest(name):
                process = self.start(name)
                self.wait_until_there(process, name)
                self.try_it(name)
                self.expect_that_all_is_well()
                # Every deadline there is comes to its end.
                self.user.advance(ms=150_000).result()
                self.expect_that_all_is_well()
                self.killed(process)
        self.assertGreater(self.tried, 60, "hardly any of them could be tried")

    def test_all_at_once(self):
        crowd = {name: self.start(name) for name in faulty_providers()}
        for name, process in crowd.items():
            self.wait_until_there(process, name)
        for name in crowd:
            self.try_it(name)
            self.expect_that_all_is_well()
        self.assertGreater(self.tried, 0)
        self.user.advance(ms=150_000).result()
        self.expect_that_all_is_well()


if __name__ == "__main__":
    unittest.main()
