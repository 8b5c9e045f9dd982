"""Every button that people see, pressed on a real desktop: of notifications, of the tray's menu and
of the window. The program says which there are; one without a press fails."""
import re
import unittest

import test_tray
import test_window
from desk import CEILING, Desk, wait_until
from situations import Situations

import cards
import status

# What the menu of the tray has for each call.
OF_A_CALL = (*cards.VERBS, *cards.LIVE_VERBS, cards.CONTINUE_TONES, cards.DROP_TONES)


class NotificationTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)
        self.desk.start_desktop()
        self.desk.start_notifier("--silent", "--no-tray")
        self.situations = Situations(self.desk, self.press)

    def press(self, label):
        """Presses the button of the topmost notification, once it is there. dunst shows those that
        are urgent first, and of several buttons asks which."""
        news = lambda: self.desk.seen()[self.seen:]
        wait_until(lambda: f"{label} in {news()}", lambda: label in news())
        wait_until(self.desk.waiting, lambda: self.desk.waiting() == 0 and self.desk.cards() > 0)
        self.desk.press(label)

    def test_every_button(self):
        for button in cards.BUTTONS:
            with self.subTest(button):
                self.seen = len(self.desk.seen())
                self.situations.run(button)
                self.desk.wait_for_cards(0)


class TrayTests(test_tray.TrayBase):
    def setUp(self):
        super().setUp()
        self.start_tray()
        self.situations = Situations(self.desk, self.click)

    def test_every_entry_of_a_call(self):
        for button in OF_A_CALL:
            with self.subTest(button):
                self.situations.run(button)
                self.wait_for("IconName", "callbroker-free")    # the entries of the call are gone

    def test_every_other_entry(self):
        presses = {status.SEEN: self.see, status.DO_NOT_DISTURB: self.do_not_disturb}
        self.assertEqual(set(presses), set(status.ENTRIES) - {status.CALL})
        for entry, press in presses.items():
            with self.subTest(entry):
                press()

    def see(self):
        app = self.situations.app
        app.report_ended(self.situations.rings(), "unanswered").result(CEILING)
        missed = lambda: self.desk.user.list_history(limit=1).result(CEILING)["missed"]
        self.assertEqual(missed(), 1)
        self.click("Mark missed calls as seen")
        wait_until(missed, lambda: missed() == 0)

    def do_not_disturb(self):
        is_on = lambda: self.desk.user.get_policy().result(CEILING)["policy"]["do_not_disturb"]["on"]
        for wanted in (True, False):
            self.click("Do not disturb")
            wait_until(is_on, lambda wanted=wanted: is_on() == wanted)
            wait_until(self.layout, lambda wanted=wanted: f"'toggle-state': <{int(wanted)}>" in self.layout())


class WindowTests(test_window.Screen):
    def setUp(self):
        super().setUp()
        self.notifier = self.desk.start_notifier("--silent", "--window", "--no-tray")
        self.situations = Situations(self.desk, self.press)

    def press(self, label):
        before = self.revisions()
        self.wait_for(label)
        self.press_until(lambda: self.click_on(label), lambda: self.revisions() != before)

    def revisions(self):
        """The calls with their revisions, which every change counts."""
        calls = self.desk.user.list_calls().result(CEILING)["calls"]
        return [(call["call"], call["rev"]) for call in calls]

    def test_every_button(self):
        for button in cards.VERBS:
            with self.subTest(button):
                self.situations.run(button)
                self.wait_for_nothing()
        self.assertNotRegex(self.notifier.said(), "555010")


class SourceTests(unittest.TestCase):
    def test_a_button_that_is_not_listed_cannot_be_shown(self):
        with self.assertRaises(ValueError):
            cards.label("no_such_button")

    def test_each_listed_button_has_a_situation(self):
        self.assertEqual([button for button in cards.BUTTONS if not hasattr(Situations, button)], [])
        self.assertEqual(len(set(map(cards.label, cards.BUTTONS))), len(cards.BUTTONS))
        self.assertTrue(all(re.search(r"\w", cards.label(button)) for button in cards.BUTTONS))


if __name__ == "__main__":
    unittest.main()
