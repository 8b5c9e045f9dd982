"""Vibration, with the real feedbackd: it has no motor here, so its log shows what it was asked for."""
import json
import unittest

from desk import CEILING, Desk, wait_until

BEGUN, ENDED = "Event 'phone-incoming-call' for 'org.callbroker.notify'", "Ending feedback for event"


class VibrationTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)
        self.desk.environment["XDG_DATA_DIRS"] = self.desk.folder   # the bus does not start it
        self.desk.start_bus()
        del self.desk.environment["XDG_DATA_DIRS"]

    def start_feedback(self):
        self.desk.environment.update(G_MESSAGES_DEBUG="all", GSETTINGS_BACKEND="memory")
        self.feedback = self.desk.program("feedbackd", "/usr/libexec/feedbackd")
        self.feedback.wait_for("was acquired")

    def asked(self, words):
        return self.feedback.said().count(words)

    def wait_to_be_asked(self, words, count):
        wait_until(lambda: f"{count} times {words}: {self.feedback.said()[-2000:]}",
                   lambda: self.asked(words) == count)

    def test_a_telephone_vibrates_until_its_call_is_answered_or_silenced(self):
        self.start_feedback()
        self.desk.start_notifier("--no-tray", "--silent")
        app = self.desk.app()
        for count, decide in ((1, lambda call: self.desk.user.answer(call, wait="completed")),
                              (2, self.desk.user.silence)):
            call = self.desk.rings(app)
            self.wait_to_be_asked(BEGUN, count)
            self.assertEqual(self.asked(ENDED), count - 1)
            decide(call).result(CEILING)
            self.wait_to_be_asked(ENDED, count)
            self.desk.user.end(call, wait="completed").result(CEILING)
        self.assertEqual(self.asked("Sound event"), 0)      # the sound is not feedbackd's

    def test_it_does_not_if_the_user_does_not_want_it(self):
        self.start_feedback()
        self.desk.environment["BROKER_OPTIONS"] = json.dumps({"vibrate": False})
        notifier = self.desk.start_notifier("--no-tray", "--silent")
        self.desk.rings(self.desk.app())
        notifier.wait_for("calls are not shown")
        notifier.stop()
        self.assertEqual(self.asked(BEGUN), 0)

    def test_without_feedbackd_there_is_none(self):
        notifier = self.desk.start_notifier("--no-tray", "--silent")
        call = self.desk.rings(self.desk.app())
        notifier.wait_for("calls are not shown")
        self.desk.user.end(call, wait="completed").result(CEILING)
        self.assertIsNone(notifier.process.poll())


if __name__ == "__main__":
    unittest.main()
