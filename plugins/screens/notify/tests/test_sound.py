"""What is really heard: the monitor of a sound server's output is recorded."""
import os
import signal
import unittest
from pathlib import Path

from desk import CEILING, Desk, Recording, streams, wait_until
from sound import tones

RING_SECONDS, WAITING_SECONDS = 3.0, 5.0        # one round of each tone, pauses included


class SoundTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)

    def listen(self):
        self.desk.start_sound()
        return Recording(self.desk)

    def assertSilence(self, seconds=RING_SECONDS):
        """Until it is silent, and then; a recording of what comes afterwards."""
        wait_until(lambda: streams(self.desk), lambda: not streams(self.desk))
        recording = Recording(self.desk)        # what it begins with was on its way
        recording.heard(1.0)
        self.assertEqual(max(map(abs, recording.heard(seconds))), 0)
        return recording

    def test_without_any_desktop_it_says_so_once_and_rings(self):
        recording = self.listen()
        notifier = self.desk.start_notifier()
        app = self.desk.app()
        call = self.desk.rings(app, display_name="Ann")
        recording.wait_for_tone(400, 450)
        self.desk.user.silence(call).result(CEILING)
        recording = self.assertSilence()
        app.report_ended(call, "unanswered").result(CEILING)
        self.desk.rings(app, "+15550101")
        recording.wait_for_tone(400, 450)
        self.assertEqual(notifier.said().count("calls are not shown, only heard"), 1)
        self.assertNotRegex(notifier.said(), "Ann|5550100")

    def test_a_desktop_that_hangs_does_not_keep_it_ringing(self):
        recording = self.listen()
        self.desk.start_desktop()
        self.desk.start_notifier()
        self.desk.dunst.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.desk.dunst.process.send_signal, signal.SIGCONT)
        call = self.desk.rings(self.desk.app())
        recording.wait_for_tone(400, 450)
        self.desk.user.answer(call, wait="completed").result(CEILING)
        recording.heard(1.0)                    # shorter than the server is given to answer
        self.assertEqual(max(map(abs, recording.heard(RING_SECONDS))), 0)

    def test_a_call_that_waits_is_a_soft_tone_until_it_is_answered(self):
        recording = self.listen()
        self.desk.start_notifier()
        app = self.desk.app()
        first = self.desk.rings(app)
        ring = recording.wait_for_tone(400, 450)
        self.desk.user.answer(first, wait="completed").result(CEILING)
        second = self.desk.rings(app, "+15550101")
        self.assertLess(recording.wait_for_tone(440), ring / 4)
        self.desk.user.answer(second, wait="completed").result(CEILING)
        self.assertSilence(WAITING_SECONDS)

    def test_the_ringtone_of_the_app_is_played(self):
        path = os.path.join(self.desk.folder, "ding.wav")
        tones.write(Path(path), tones.cadence((1000,), 0.5, 0.5))
        recording = self.listen()
        self.desk.start_notifier()
        self.desk.rings(self.desk.app(ringtone=path))
        recording.wait_for_tone(1000)

    def test_a_ringtone_that_cannot_be_played_is_no_reason_not_to_ring(self):
        path = os.path.join(self.desk.folder, "broken.wav")
        with open(path, "w", encoding="utf-8") as file:
            file.write("no sound")
        recording = self.listen()
        self.desk.start_notifier("--ringtone", path)
        self.desk.rings(self.desk.app())
        recording.wait_for_tone(400, 450)

    def test_it_rings_no_longer_than_the_broker_lives(self):
        recording = self.listen()
        self.desk.start_notifier()
        self.desk.rings(self.desk.app())
        recording.wait_for_tone(400, 450)
        self.desk.broker.kill()
        self.assertSilence()
        self.desk.broker.start()

    def test_it_rings_no_longer_than_it_lives(self):
        recording = self.listen()
        notifier = self.desk.start_notifier()
        self.desk.rings(self.desk.app())
        recording.wait_for_tone(400, 450)
        notifier.stop(9)
        self.assertSilence()

    def test_without_sound_it_says_so_once_and_goes_on(self):
        self.desk.environment["PULSE_SERVER"] = "unix:" + os.path.join(self.desk.folder, "nobody")
        notifier = self.desk.start_notifier()
        app = self.desk.app()
        call = self.desk.rings(app)
        notifier.wait_for("no sound")
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.desk.rings(app, "+15550101")
        self.assertEqual(notifier.said().count("no sound"), 1)
        self.assertIsNone(notifier.process.poll())


if __name__ == "__main__":
    unittest.main()
