"""The guard as an observer of the handover: a real broker, real sound servers, and a recording."""
import queue
import signal
import unittest

from recording import Recording
from studio import CEILING, ONE, TWO, Studio, wait_until

from callbroker import Admin

GUARD = "org.callbroker.pulse-guard"
FIRST, SECOND = 400, 1000                       # the tones of the two apps


class HandoverTests:
    """With one server or the other."""

    server = ""

    def setUp(self):
        self.studio = Studio(self, self.server)
        self.studio.write_tone("second", SECOND)
        self.activated = queue.Queue()          # with the mutes of the first app at that moment

    def wait_at_handover(self, wait_ms=10_000):
        admin = self.studio.entered(Admin("admin", socket=self.studio.broker.path))
        admin.set_policy(handover={"observers": [GUARD], "wait_ms": wait_ms}).result(CEILING)

    def first_talks(self, app):
        """An app that plays on while it is held."""
        self.studio.streams_of("phone-one")
        self.studio.call(app)

    def second_answers(self):
        """An app that begins to play when it has the audio."""
        app = self.studio.app(TWO)

        @app.on("audio.activated")
        def play(params):
            self.activated.put(self.studio.mutes("phone-one"))
            self.studio.playing("phone-two", "second")
        return self.studio.call(app)

    def said_about(self, call):
        """What the user is told about what delays the audio of the call."""
        steps = self.studio.user.explain(call=call).result(CEILING)["steps"]
        return [step["explanation"]["text"] for step in steps
                if step["decision"] == "audio_granted" and "explanation" in step]

    def test_two_apps_are_never_heard_at_once(self):
        self.studio.mute_late()
        self.studio.start_guard()
        self.wait_at_handover()
        recording = Recording(self.studio)
        self.first_talks(self.studio.app(ONE))
        recording.wait_for(FIRST)
        call = self.second_answers()
        recording.wait_for_more()
        self.assertTrue(self.activated.empty())
        self.studio.let_mute()
        self.assertEqual(self.activated.get(timeout=CEILING), [True, True])
        recording.wait_for(SECOND)
        recording.wait_for_more()
        self.assertEqual(recording.windows(FIRST, SECOND).count(True), 0)
        self.assertRegex(self.said_about(call)[0], "^ready after [0-9]+ ms$")

    def test_without_the_policy_they_are_while_the_guard_is_late(self):
        """What the test above stands on."""
        self.studio.mute_late()
        self.studio.start_guard()
        recording = Recording(self.studio)
        self.first_talks(self.studio.app(ONE))
        recording.wait_for(FIRST)
        self.second_answers()
        recording.wait_for(SECOND)
        self.studio.let_mute()
        self.studio.wait_for_muted("phone-one")
        self.assertGreater(recording.windows(FIRST, SECOND).count(True), 0)


class PulseAudioTests(HandoverTests, unittest.TestCase):
    server = "pulseaudio"

    def test_a_guard_that_is_stopped_delays_the_audio_as_long_as_the_policy_says(self):
        guard = self.studio.start_guard()
        self.wait_at_handover(1_000)
        self.first_talks(self.studio.app(ONE))
        guard.process.send_signal(signal.SIGSTOP)
        self.addCleanup(guard.process.send_signal, signal.SIGCONT)
        call = self.second_answers()
        self.assertEqual(self.activated.get(timeout=CEILING), [False, False])
        self.assertEqual(self.said_about(call), [GUARD + " did not answer within 1000 ms"])
        guard.process.send_signal(signal.SIGCONT)
        self.studio.wait_for_muted("phone-one")

    def test_an_app_that_ignored_a_hold_is_muted_before_the_other_has_the_audio(self):
        self.studio.start_guard()
        self.wait_at_handover()
        self.first_talks(self.studio.deaf_app(ONE, action_deadlines={"set_held": 1000, "end": 1000}))
        self.second_answers()
        self.assertEqual(self.activated.get(timeout=CEILING), [True, True])

    def test_nobody_waits_where_nothing_has_to_be_muted(self):
        guard = self.studio.start_guard()
        self.wait_at_handover()
        self.studio.stop_server()               # so that it would be an error to ask it
        guard.wait_for("nothing can be muted")
        app = self.studio.app(TWO)
        app.on("audio.activated")(self.activated.put)
        call = self.studio.call(app)
        self.activated.get(timeout=CEILING)
        self.assertRegex(self.said_about(call)[0], "^ready after [0-9]+ ms$")

    def test_without_a_sound_server_nobody_waits(self):
        guard = self.studio.start_guard()
        self.wait_at_handover()
        self.studio.call(self.studio.app(ONE))
        self.studio.stop_server()
        guard.wait_for("nothing can be muted")
        app = self.studio.app(TWO)
        app.on("audio.activated")(self.activated.put)
        call = self.studio.call(app)
        self.activated.get(timeout=CEILING)
        self.assertEqual(self.said_about(call), [GUARD + " returned an error"])
        self.assertNotIn("Traceback", guard.said())

    def test_a_guard_that_begins_during_a_call_is_ready_too(self):
        self.wait_at_handover()
        self.first_talks(self.studio.app(ONE))
        self.studio.start_guard()
        self.second_answers()
        self.assertEqual(self.activated.get(timeout=CEILING), [True, True])


class PipeWireTests(HandoverTests, unittest.TestCase):
    server = "pipewire"


if __name__ == "__main__":
    unittest.main()
