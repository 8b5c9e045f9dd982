"""Two suites at once choose different ports, and none that somebody has."""
import socket
import subprocess
import sys
import unittest

import lab  # noqa: F401
from phonelab import HERE, Ports, is_free

PROGRAM = """import sys
sys.path.insert(0, sys.argv[1])
from phonelab import free_ports
print(free_ports(4), flush=True)
sys.stdin.read()
"""


class PortTests(unittest.TestCase):
    def another(self):
        """Another process with ports of its own, and the first of them."""
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, HERE], stdin=subprocess.PIPE,
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


if __name__ == "__main__":
    unittest.main()
