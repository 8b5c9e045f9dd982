"""A real telephone: baresip with its adapter, and sipp, which calls it."""
import os
import sys
import unittest

from terminal import ROOT, wait_that
from test_calls import Screens

sys.path.insert(0, os.path.join(ROOT, "Tests", "System", "Phones", "support"))

from phonelab import Baresip, Caller, baresip_provider  # noqa: E402


class TelephoneTests(Screens, unittest.TestCase):
    def test_keys_answer_hold_resume_and_end_a_call_of_baresip(self):
        phone = Baresip(self, self.folder, "bob")
        baresip_provider(self, self.folder, phone, self.broker.path, "org.example.baresip")
        screen = self.screen()
        carol = Caller(self, self.folder, "carol", phone)
        screen.wait_to_see("Incoming call: ", "[a] Answer")
        screen.keys("a")
        screen.wait_to_see("active", "[h] Hold")
        screen.keys("h")
        screen.wait_to_see("held", "[h] Resume")
        screen.keys("h")
        screen.wait_to_see("active", "[h] Hold")
        screen.keys("e")
        screen.wait_to_see("no calls")
        wait_that(lambda: carol.logged()[:3] == ["answered", "a=sendonly", "a=sendrecv"], carol.logged)


if __name__ == "__main__":
    unittest.main()
