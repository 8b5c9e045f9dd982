"""The unit of the user's session that serves the page: its file is valid, and its command serves."""
import os
import re
import shutil
import socket
import subprocess
import unittest

from browser import CEILING, PLUGIN, SCREEN, Program, World, wait_until

UNIT = os.path.join(PLUGIN, "..", "..", "..", "packaging", "systemd", "callbroker-screen.service")


class UnitTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.world.server.stop()
        self.prefix = os.path.join(self.world.folder, "prefix")
        programs = os.path.join(self.prefix, "libexec", "callbroker")
        os.makedirs(programs)
        os.symlink(SCREEN, os.path.join(programs, "callbroker-screen"))
        with open(UNIT, encoding="utf-8") as file:
            self.text = file.read().replace("@PREFIX@", self.prefix)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "without systemd there is no unit")
    def test_the_unit_is_valid(self):
        path = os.path.join(self.world.folder, "callbroker-screen.service")
        for name, text in (("callbroker-screen.service", self.text),
                           ("callbroker.socket", "[Socket]\nListenStream=/nowhere\n"),
                           ("callbroker.service", "[Service]\nExecStart=/bin/true\n")):
            with open(os.path.join(self.world.folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        found = subprocess.run(["systemd-analyze", "verify", "--user", "--man=no", "--recursive-errors=no", path],
                               capture_output=True, text=True, timeout=CEILING, check=False, env=self.world.environment)
        self.assertEqual((found.returncode, found.stderr), (0, ""))

    def test_its_command_serves_the_page_and_prints_no_address(self):
        command = re.search(r"^ExecStart=(.*)$", self.text, re.MULTILINE)[1].split()
        self.assertEqual(command[1:], ["--serve", "--port", "7787"])
        command[-1] = "0"                       # any that is free
        service = Program(self, self.world.folder, "service", command, self.world.environment)
        self.assertRegex(self.asked(), r"^http://127\.0\.0\.1:\d+/\?token=")
        self.assertEqual(service.said(), "")

    def asked(self):
        """The address that `callbroker screen` prints, once the service listens."""
        path = os.path.join(self.world.folder, "callbroker", "screen.sock")
        wait_until(f"{path} is there", lambda: self.listens(path))
        return self.world.fresh_address()

    @staticmethod
    def listens(path):
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(path) == 0


if __name__ == "__main__":
    unittest.main()
