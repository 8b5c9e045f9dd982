"""Which requests of GNOME Calls to hang up are not the user's."""
import unittest

import lab  # noqa: F401
from second_calls import GNOME_CALLS, SecondCalls

HERE, THERE = ":1.1", ":1.2"


class SecondCallTests(unittest.TestCase):
    def setUp(self):
        self.calls = SecondCalls()

    def read(self, *paths, sender=HERE, program=GNOME_CALLS):
        for path in paths:
            self.calls.read(sender, program, path)

    def expected(self, *paths, sender=HERE):
        return [self.calls.is_expected(sender, path) for path in paths]

    def test_a_lone_call_is_hung_up_by_its_user(self):
        self.read("/0", "/0")
        self.assertEqual(self.expected("/0"), [False])

    def test_a_second_call_is_first_hung_up_by_itself(self):
        self.read("/0")
        self.read("/0", "/1")
        self.assertEqual(self.expected("/1", "/1", "/0"), [True, False, False])

    def test_of_calls_that_were_there_already_all_but_one_are(self):
        self.read("/0", "/1", "/2")
        self.assertEqual(self.expected("/1", "/0", "/2", "/0"), [True, True, False, False])

    def test_one_that_is_left_alone_is_not(self):
        self.read("/0", "/1")
        self.calls.removed("/0")
        self.assertEqual(self.expected("/1"), [False])

    def test_programs_are_told_apart(self):
        self.read("/0", "/1")
        self.read("/0", "/1", sender=THERE, program="modem-daemon")
        self.assertEqual(self.expected("/1", sender=THERE), [False])
        self.assertEqual(self.expected("/1"), [True])

    def test_a_modem_that_comes_back_is_read_anew(self):
        self.read("/0", "/1")
        self.calls.forget()
        self.assertEqual(self.expected("/1"), [False])


if __name__ == "__main__":
    unittest.main()
