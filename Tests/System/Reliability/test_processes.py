"""Processes of apps die, with and without the broker: their calls end when they must, and not
before."""
import contextlib
import os
import subprocess
import sys
import time
import unittest

import kills

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mortal.py")
IDENTITY = "org.example.mortal"
RESTART_GRACE = 15.0
# What ends at once does not wait for a grace, here half a minute; a busy host may take its time.
AT_ONCE = 20.0
PATIENT = '{"grace_ms": 30000}'
LATE_MAX = 10.0


class ProcessTests(unittest.TestCase):
    def setUp(self):
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.world = stack.enter_context(kills.world(1, apps=1, users=0))
        self.world.begin()

    def born(self, members="{}", *call):
        """A process whose call rings; the process, and the call."""
        process = subprocess.Popen(
            [sys.executable, PROGRAM, self.world.broker.path, IDENTITY, members, *call],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.die, process)
        return process, process.stdout.readline().strip()

    def die(self, process):
        process.kill()
        process.wait()
        process.stdout.close()

    def restart(self, meanwhile=lambda: None):
        self.world.broker.kill()
        self.world.mourn()
        meanwhile()
        self.world.broker.start()
        self.world.come_back()

    def until_over(self, call, start=None):
        """Waits for the end of the call; seconds, from now on or from a moment before."""
        start = start or time.monotonic()
        self.world.until("the call ends", lambda: self.world.history.fold()
                         or call in self.world.history.removed_at)
        return time.monotonic() - start

    def check(self):
        self.world.rest()
        self.assertFalse(self.world.complaints, self.world.report())

    def test_its_calls_end_at_once(self):
        process, call = self.born(PATIENT)
        self.die(process)
        self.assertLess(self.until_over(call), AT_ONCE)
        self.check()

    def test_its_calls_end_at_once_after_the_broker_was_killed_too(self):
        process, call = self.born(PATIENT)
        self.restart()
        self.assertEqual(process.stdout.readline().strip(), call)
        self.die(process)
        self.assertLess(self.until_over(call), AT_ONCE)
        self.check()

    def test_it_dies_while_there_is_no_broker(self):
        process, call = self.born()
        self.restart(meanwhile=lambda: self.die(process))
        self.assertIn(call, self.world.history.calls)
        seconds = self.until_over(call, self.world.broker.started_at)
        self.assertGreater(seconds, RESTART_GRACE - 3)
        self.assertLess(seconds, RESTART_GRACE + LATE_MAX)
        self.check()

    def test_an_adapter_is_replaced_within_its_grace(self):
        process, call = self.born('{"app_process":"separate","grace_ms":30000}')
        self.die(process)
        self.restart()
        _, again = self.born('{"app_process":"separate","grace_ms":30000}', call)
        self.assertEqual(again, call)
        self.world.history.fold()
        self.assertIn(call, self.world.history.calls)

    def test_the_calls_of_an_adapter_wait_out_its_grace(self):
        process, call = self.born('{"app_process":"separate","grace_ms":1000}')
        start = time.monotonic()
        self.die(process)
        self.assertGreater(self.until_over(call, start), 0.8)
        self.check()


if __name__ == "__main__":
    unittest.main()
