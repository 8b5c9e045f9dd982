"""Real sound servers, real streams, a real broker: the sound goes where the user wants it."""
import subprocess
import unittest

from hall import CEILING, HEADSET, LOUDSPEAKER, MICROPHONE, ONE, TWO, Hall, wait_until

from callbroker import NotFound

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
        (kind, index, _), _ = self.hall.streams("phone-one")
        self.hall.output("pactl", f"move-{kind}", str(index), LOUDSPEAKER)
        self.hall.wait_for_places("phone-one", LOUDSPEAKER, MICROPHONE)
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
