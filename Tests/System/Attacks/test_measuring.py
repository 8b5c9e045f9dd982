"""The judge is judged: harm is noticed, and a busy machine is none."""
import os
import select
import signal
import subprocess
import sys
import time
import unittest

import field
from attack import Attack


def still(field, seconds):
    """The broker does nothing for so long."""
    os.kill(field.broker.pid, signal.SIGSTOP)
    select.select([], [], [], seconds)
    os.kill(field.broker.pid, signal.SIGCONT)


def crowded(field):
    """The broker shares its processor with four programs that never rest."""
    os.sched_setaffinity(field.broker.pid, {min(os.sched_getaffinity(0))})
    for _ in range(4):
        hog = field.process(sys.executable, "-c", "while True: pass", stdout=subprocess.DEVNULL)
        os.sched_setaffinity(hog.pid, {min(os.sched_getaffinity(0))})
    end = time.monotonic() + 1
    field.until(lambda: time.monotonic() > end, "a second is over")


class MeasuringTests(unittest.TestCase):
    def setUp(self):
        field.raise_descriptors()

    def play(self, run):
        return Attack("", run, once=True).play().faults

    def test_a_broker_that_stands_still_is_noticed(self):
        self.assertIn("a request above 50 ms", self.play(lambda field: still(field, 0.2)))

    def test_a_crowded_processor_is_no_slow_broker(self):
        self.assertEqual(self.play(crowded), [])

    def test_a_broker_that_ends_is_noticed(self):
        self.assertTrue(self.play(lambda field: field.broker.process.kill()))


if __name__ == "__main__":
    unittest.main()
