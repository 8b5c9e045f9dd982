"""A real telephone, a baresip, whose calls are answered, held, resumed and ended on the page."""
import os
import sys
import unittest

from browser import PLUGIN, Page, World

sys.path.insert(0, os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones", "support"))

import phonelab  # noqa: E402


class TelephoneTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.phone = phonelab.Baresip(self, self.world.folder, "bob")
        phonelab.baresip_provider(self, self.world.folder, self.phone, self.world.broker.path,
                                  "org.example.baresip")
        self.page = Page(self.world)

    def wait_for_log(self, caller, *events):
        phonelab.wait_until(lambda: f"{events} is {caller.logged()}",
                            lambda: caller.logged() == list(events))

    def test_a_call_of_sip_is_answered_held_resumed_and_ended(self):
        caller = phonelab.Caller(self, self.world.folder, "carol", self.phone)
        self.page.wait_to_see("carol", within="dialog.incoming")
        self.page.press_verb("answer", within="dialog.incoming")
        self.wait_for_log(caller, "answered")
        self.page.press_verb("hold")
        self.wait_for_log(caller, "answered", "a=sendonly")
        self.page.press_verb("resume")
        self.wait_for_log(caller, "answered", "a=sendonly", "a=sendrecv")
        self.page.press_verb("end")
        self.assertEqual(caller.wait(), 0)
        self.page.wait_to_see("No calls at the moment")
        self.page.go("history")
        self.page.wait_to_see("carol", within=".view .rows")

    def test_two_calls_of_sip_are_swapped(self):
        carol = phonelab.Caller(self, self.world.folder, "carol", self.phone)
        self.page.press_verb("answer", within="dialog.incoming")
        self.wait_for_log(carol, "answered")
        dave = phonelab.Caller(self, self.world.folder, "dave", self.phone)
        self.page.press_verb("hold_and_answer", within="dialog.incoming")
        self.wait_for_log(dave, "answered")
        self.wait_for_log(carol, "answered", "a=sendonly")
        self.page.press_verb("swap")
        self.wait_for_log(dave, "answered", "a=sendonly")
        self.wait_for_log(carol, "answered", "a=sendonly", "a=sendrecv")


if __name__ == "__main__":
    unittest.main()
