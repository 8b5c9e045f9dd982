"""Every key and every button of every view: pressed and clicked in a real terminal, with what it did at the broker.

The keys are those that `callbroker-phone --keys` lists, so that a key that nobody presses here fails."""
import unittest

from call_keys import CallScenarios
from pressing import DECLARED, KEYS
from view_keys import ViewScenarios

from callbroker import phone


class KeyboardTests(CallScenarios, ViewScenarios, unittest.TestCase):
    def test_every_key_is_pressed(self):
        self.assertEqual(KEYS - DECLARED, set())
        self.assertEqual(DECLARED - KEYS, set())


class MouseTests(CallScenarios, ViewScenarios, unittest.TestCase):
    """The same; what has a button on the screen is clicked on."""

    is_mouse = True

    def test_rows_items_and_the_wheel(self):
        app, screen = self.desk(), self.open("no calls")
        for number, name in enumerate(("Ann", "Bob")):
            call = app.incoming(f"+1555010{number}", name)
            app.provider.report_ended(call, "unanswered").result()
        screen.click("3 Missed")
        screen.wait_to_see("> * Bob")
        screen.click("Ann")
        screen.wait_to_see("> * Ann")
        screen.wheel("Ann", up=True)
        screen.wait_to_see("> * Bob")
        screen.wheel("Ann", up=False)
        screen.wait_to_see("> * Ann")
        screen.click("> * Ann")
        screen.wait_to_see("dialing")
        self.assertEqual(self.last(app, "start")["remote"], phone("+15550100"))
        screen.type("i")
        screen.wait_to_see("> 1 End")
        screen.click("1 End")
        screen.wait_to_see("would be done")
        screen.keys("Escape")
        screen.wait_to_see("[i] What if")
        screen.type("?")
        screen.wait_to_see("For the selected call")
        screen.wheel("For the selected call", up=False)
        screen.wait_not_to_see("For the selected call")
        screen.wheel("Keys (calls", up=True)
        screen.wait_to_see("For the selected call")


if __name__ == "__main__":
    unittest.main()
