"""Real sound servers, real streams, a real broker: the sound goes where the user wants it."""
import queue
import subprocess
import unittest

from hall import CEILING, HEADSET, LOUDSPEAKER, MICROPHONE, ONE, TWO, Hall, wait_until

from callbroker import Admin, NotFound

PLUGIN = "org.callbroker.pulse-endpoints"
HEARD = [HEADSET, MICROPHONE]
AS_BEFORE = [LOUDSPEAKER, Hall.source]


class MovingTests:
    """With one server or the other."""

    def setUp(self):
        self.hall = Hall(self, self.server)
        self.mover = self.hall.start_mover()

    def choose(self, endpoint):
        self.hall.user.set_host_endpoint(endpoint).result(CEILING)

    def test_the_host_has_the_devices_with_their_kinds(self):
        kinds = {each["endpoint"]: each["kind"] for each in self.hall.endpoints()}
        self.assertEqual(kinds, {LOUDSPEAKER: "speaker", HEADSET: "wired"})

    def test_the_streams_of_the_live_call_are_moved_and_no_others(self):
        self.hall.streams_of("phone-one")
        self.hall.streams_of("phone-two")
        self.hall.call(self.hall.app(ONE))
        self.choose(HEADSET)
        self.assertEqual(self.hall.places("phone-one"), HEARD)
        self.assertEqual(self.hall.places("phone-two"), AS_BEFORE)
        self.hall.wait_for_endpoints({LOUDSPEAKER: "available", HEADSET: "in_use"})

    def test_a_choice_before_the_call_counts_for_it(self):
        self.choose(HEADSET)
        self.hall.call(self.hall.app(ONE))
        self.hall.streams_of("phone-one")
        self.hall.wait_for_places("phone-one", *HEARD)

    def test_the_call_that_becomes_live_has_the_endpoint(self):
        self.hall.streams_of("phone-one")
        self.hall.streams_of("phone-two")
        self.choose(HEADSET)
        self.hall.call(self.hall.app(ONE))
        self.hall.wait_for_places("phone-one", *HEARD)
        self.hall.call(self.hall.app(TWO))
        self.hall.wait_for_places("phone-two", *HEARD)

    def test_what_the_user_moves_in_the_mixer_stays_there(self):
        self.hall.streams_of("phone-one")
        self.hall.call(self.hall.app(ONE))
        self.choose(HEADSET)
        self.hall.move_by_hand("phone-one", LOUDSPEAKER)
        self.hall.plug_another()
        wait_until("the plugin has seen it", lambda: "other" in self.hall.states())
        self.assertEqual(self.hall.places("phone-one"), [LOUDSPEAKER, MICROPHONE])

    def test_a_device_that_comes_back_is_used_again(self):
        self.hall.streams_of("phone-one")
        self.hall.call(self.hall.app(ONE))
        self.choose(HEADSET)
        self.hall.unplug()
        self.hall.wait_for_endpoints({LOUDSPEAKER: "in_use"})
        self.hall.plug()
        self.hall.wait_for_places("phone-one", *HEARD)
        self.hall.wait_for_endpoints({LOUDSPEAKER: "available", HEADSET: "in_use"})

    def audio_of(self, identity, answering, look=lambda: None):
        """What there is to see when the app of an answered call gets the audio, and what the user is
        told about the plugin, which may delay that."""
        admin = self.hall.entered(Admin("admin", socket=self.hall.broker.path))
        admin.set_policy(handover={"observers": [PLUGIN], "wait_ms": 10_000}).result(CEILING)
        app, seen = self.hall.app(identity), queue.Queue()
        app.on_answer(lambda action: answering())
        app.on("audio.activated")(lambda params: seen.put(look()))
        call = self.hall.call(app)
        found = seen.get(timeout=CEILING)
        steps = self.hall.user.explain(call=call).result(CEILING)["steps"]
        (said,) = [step["explanation"] for step in steps
                   if step["decision"] == "audio_granted" and "explanation" in step]
        return found, said

    def test_an_app_gets_the_audio_when_its_streams_are_there(self):
        self.choose(HEADSET)
        places, said = self.audio_of(ONE, lambda: self.hall.streams_of("phone-one") and None,
                                     lambda: self.hall.places("phone-one"))
        self.assertEqual(places, HEARD)
        self.assertEqual(said["by"], PLUGIN)
        self.assertRegex(said["text"], "^ready after [0-9]+ ms$")

    def test_the_audio_of_an_app_whose_streams_are_not_moved_is_not_delayed(self):
        self.choose(HEADSET)
        _, said = self.audio_of("org.example.unmapped", self.hall.stop_server)
        self.assertEqual(said["by"], PLUGIN)    # the sound server is not needed for it

    def test_without_a_sound_server_the_audio_is_not_delayed(self):
        self.choose(HEADSET)
        _, said = self.audio_of(ONE, self.hall.stop_server)
        self.assertEqual(said["text"], PLUGIN + " returned an error")
        self.assertNotIn("Traceback", self.mover.said())

    def test_a_device_that_is_not_there_is_refused(self):
        with self.assertRaises(NotFound) as raised:
            self.choose("tuba")
        self.assertEqual(raised.exception.reason, "unknown_endpoint")

    def test_the_next_plugin_knows_the_choice(self):
        self.choose(HEADSET)
        self.mover.stop()
        self.hall.wait_for_endpoints({})
        self.hall.program("next", self.hall.mover_program, "--app", ONE + "=phone-one")
        self.hall.wait_for_endpoints({LOUDSPEAKER: "available", HEADSET: "in_use"})
        self.hall.call(self.hall.app(ONE))
        self.hall.streams_of("phone-one")
        self.hall.wait_for_places("phone-one", *HEARD)

    def test_without_a_sound_server_there_are_no_endpoints(self):
        self.hall.stop_server()
        self.hall.wait_for_endpoints({})
        self.hall.start_server()
        self.hall.wait_for_endpoints({LOUDSPEAKER: "in_use", HEADSET: "available"})

    def test_the_tool_lists_and_chooses(self):
        def tool(*words):
            broker = self.hall.broker
            return subprocess.run([broker.program, "endpoint", *words, "--socket", broker.path],
                                  check=True, text=True, stdout=subprocess.PIPE).stdout

        self.assertIn("the host", tool())
        self.assertIn(HEADSET, tool("use", HEADSET))
        self.hall.wait_for_endpoints({LOUDSPEAKER: "available", HEADSET: "in_use"})


class PulseAudioTests(MovingTests, unittest.TestCase):
    server = "pulseaudio"


class PipeWireTests(MovingTests, unittest.TestCase):
    server = "pipewire"


if __name__ == "__main__":
    unittest.main()
