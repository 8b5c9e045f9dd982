"""A broker that gives calls to one screen at a time: a scripted one, with a real desktop."""
import unittest

from desk import CEILING, PROGRAM, Desk
from scripted_broker import CALL, OTHER, ScriptedBroker

APP = {"provider": "org.a", "display_name": "Desk phone"}


def call(id, number, **members):
    return {"call": id, "provider": "org.a", "direction": "incoming", "state": "ringing", "rev": 1,
            "remote": {"type": "phone", "value": number}, "allowed": ["answer", "decline"],
            **members}


class ScreenTests(unittest.TestCase):
    def setUp(self):
        self.broker, self.seq = ScriptedBroker(), 1
        self.desk = Desk(self, self.broker)
        self.desk.start_desktop()
        self.notifier = self.desk.program("notifier", PROGRAM, "--silent", "--no-in-call", "--no-tray")
        self.peer = self.broker.accept()

    def open(self, calls):
        """The broker's side of the opening."""
        self.peer.greet()
        self.peer.reply(self.peer.read("broker.describe"), {"name": "ui.claim"})
        claim = self.peer.read("ui.claim")
        self.assertEqual(claim["params"], {"sound": False})
        self.peer.reply(claim, {"primary": True})
        self.peer.reply(self.peer.read("events.subscribe"), {
            "subscription": 1, "epoch": "e", "seq": 1, "snapshot": {"calls": calls}})
        self.peer.reply(self.peer.read("provider.list"), {"providers": [APP]})

    def event(self, ended):
        self.seq += 1
        self.peer.send({"method": "event", "params": {
            "subscription": 1, "epoch": "e", "seq": self.seq, "prev": self.seq - 1, "at_ms": 0,
            "topic": "call.changed", "call": ended["call"], "data": {**ended, "rev": 2}}})

    def test_it_says_whether_it_rings(self):
        self.open([])
        self.desk.program("loud", PROGRAM, "--no-tray")
        peer = self.broker.accept()
        peer.greet()
        peer.reply(peer.read("broker.describe"), {"name": "ui.claim"})
        self.assertEqual(peer.read("ui.claim")["params"], {"sound": True})

    def test_a_broker_that_does_not_want_it_is_the_end_and_is_told(self):
        self.peer.refuse(self.peer.read("broker.hello"), -32015, reason="version_unsupported")
        self.assertEqual(self.notifier.process.wait(CEILING), 1)
        self.assertEqual(self.notifier.said(), "callbroker_notify: no (version_unsupported)\n")

    def present(self, shown, **members):
        self.peer.send({"id": 7, "method": "ui.present", "params": {
            **shown, **members, "actions": shown["allowed"], "deadline_ms": 2000}})
        return self.peer.read()["result"]["presented"]

    def test_only_what_is_presented_is_shown_and_missed(self):
        self.open([call(CALL, "+15550100"), call(OTHER, "+15550101", state="waiting")])
        self.assertTrue(self.present(call(OTHER, "+15550101", state="waiting"),
                                     suggested={"name": "Bo", "label": "work"}))
        self.desk.wait_for_cards(1)
        self.desk.wait_to_see("Bo", "Another call · +15550101 · work · Desk phone")
        self.event(call(CALL, "+15550100", state="ended", missed_reasons=["unanswered"]))
        self.event(call(OTHER, "+15550101", state="ended", missed_reasons=["unanswered"]))
        self.peer.send({"method": "ui.dismiss", "params": {"call": OTHER, "reason": "ended"}})
        self.desk.wait_to_see("Missed call", "+15550101")
        self.assertNotIn("+15550100", self.desk.seen())

    def test_what_goes_to_another_screen_is_shown_no_longer(self):
        self.open([call(CALL, "+15550100")])
        for reason in ("timed_out", "taken"):
            self.assertTrue(self.present(call(CALL, "+15550100")))
            self.desk.wait_for_cards(1)
            self.peer.send({"method": "ui.dismiss", "params": {"call": CALL, "reason": reason}})
            self.desk.wait_for_cards(0)

    def ask(self):
        self.peer.send({"id": 8, "method": "ui.ask", "params": {
            "question": 1, "subject": "calls", "provider": "org.a", "display_name": "Desk phone",
            "executable": "/usr/bin/phone", "deadline_ms": 300000}})
        self.desk.wait_for_cards(1)

    def test_the_user_answers_what_an_app_would_like(self):
        self.open([])
        for button, answer in (("Allow", "allow"), ("Deny", "deny"), ("Later", "later")):
            self.ask()
            self.desk.wait_to_see("Desk phone would like to have calls", "org.a", "/usr/bin/phone")
            self.desk.press(button)
            self.assertEqual(self.peer.read()["result"], {"answer": answer})
            self.desk.wait_for_cards(0)

    def test_a_question_that_is_over_is_taken_away(self):
        self.open([])
        self.ask()
        self.peer.send({"method": "broker.cancel", "params": {"request": 8}})
        self.desk.wait_for_cards(0)

    def test_a_call_that_talks_is_left_to_another_screen(self):
        self.open([call(CALL, "+15550100", state="active")])
        self.assertFalse(self.present(call(CALL, "+15550100", state="active")))


if __name__ == "__main__":
    unittest.main()
