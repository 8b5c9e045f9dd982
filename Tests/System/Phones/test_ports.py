"""Two suites at once choose different ports, and none that somebody has. So do telephones that start
in the same moment."""
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

import lab  # noqa: F401
from phonelab import (
    ADAPTERS, CEILING, HERE, Daemon, Ports, Program, is_free, udp_sockets, wait_until)
from callbroker import Controller

PROGRAM = """import sys
sys.path.insert(0, sys.argv[1])
import phonelab
phonelab.Ports.MARK = sys.argv[2]
print(phonelab.free_ports(4), flush=True)
sys.stdin.read()
"""


class PortTests(unittest.TestCase):
    def another(self):
        """Another process with ports of its own, and the first of them. Other suites do not take part."""
        mark = f"callbroker-ports-of-{os.getpid()}"
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, HERE, mark], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.communicate)
        return process, int(process.stdout.readline())

    def ports(self):
        ports = Ports()
        self.addCleanup(ports.close)
        return ports

    def test_processes_have_ranges_of_their_own_until_they_end(self):
        (one, first), (_, second) = self.another(), self.another()
        self.assertGreaterEqual(abs(first - second), Ports.SIZE)
        one.communicate()
        self.assertLess(self.another()[1], first + Ports.SIZE)

    def test_one_after_the_other_and_then_again(self):
        """Some may be taken: those of a suite that has just ended are, for a minute."""
        ports = self.ports()
        given = [ports.free(64)]
        while (again := ports.free(64)) > given[-1]:
            given.append(again)
        self.assertGreater(len(given), Ports.SIZE // 64 // 2)
        self.assertTrue(all(second - port >= 64 for port, second in zip(given, given[1:])))
        self.assertLess(again, given[0] + 64)

    def test_what_somebody_has_is_left_out(self):
        ports = self.ports()
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            first = ports.free(1)
            with socket.socket(socket.AF_INET, kind) as taken:
                taken.bind(("127.0.0.1", first + 10))
                self.assertFalse(is_free(first + 10))
                self.assertGreater(ports.free(64), first + 10)


class StartTests(unittest.TestCase):
    """Programs that start a telephone each, where nobody has chosen a port."""

    KINDS = {"baresip": [sys.executable, os.path.join(ADAPTERS, "baresip", "baresip_provider.py"),
                         "--start", "--sound", "tone", "--memory", "memory"],
             "linphone": [os.path.join(ADAPTERS, "linphone", "build", "linphone_provider"),
                          "--start", "--memory", "memory"],
             "liblinphone": [os.path.join(ADAPTERS, "liblinphone", "build",
                                          "liblinphone_provider"), "--sound", "none"]}

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = Daemon(self, self.folder)

    def begin(self, kind, name):
        folder = os.path.join(self.folder, name)
        os.mkdir(folder)
        return Program(self, folder, name, [
            *self.KINDS[kind], "--identity", "org.example." + name, "--socket", self.daemon.socket,
            "--folder", folder, "--verbose"])

    @staticmethod
    def port(program):
        """Where it takes calls, of the ports that it may have tried."""
        return int(re.findall(r"calls at 127\.0\.0\.1:(\d+)", program.said())[-1])

    def test_nine_telephones_of_three_kinds_start_in_the_same_moment(self):
        programs = [self.begin(kind, f"{kind}{number}") for number in range(3)
                    for kind in self.KINDS]
        with Controller("user", socket=self.daemon.socket) as user:
            wait_until("they are not providers", lambda: len(
                user.list_providers().result(CEILING)["providers"]) == len(programs))
        ports = [self.port(program) for program in programs]
        self.assertEqual(sorted(set(ports)), sorted(ports))
        self.assertEqual([udp_sockets(port) for port in ports], [1] * len(ports))


if __name__ == "__main__":
    unittest.main()
