"""Real streams at a real sound server, PulseAudio and PipeWire alike."""
import json
import os
import signal
import unittest

from studio import CEILING, ONE, TWO, Studio, wait_until


class Streams:
    """What holds for both."""

    server = ""
    modules = ()

    def setUp(self):
        self.studio = Studio(self, self.server, *self.modules)

    def two_apps(self):
        """One is held because the other speaks."""
        one, two = self.studio.app(ONE), self.studio.app(TWO)
        self.first, self.second = self.studio.call(one), self.studio.call(two)

    def end(self, call):
        self.studio.user.end(call, wait="completed").result(CEILING)

    def test_an_app_whose_call_is_held_is_neither_heard_nor_hears(self):
        self.studio.start_guard()
        one, two = self.studio.app(ONE), self.studio.app(TWO)
        self.studio.call(one)
        self.studio.streams_of("phone-one")
        wait_until("it is heard", lambda: self.studio.loudness(0.2) > 10_000)
        second = self.studio.call(two)
        self.studio.wait_for_muted("phone-one")
        self.assertEqual(self.studio.loudness(0.5), 0)
        self.studio.streams_of("phone-two")
        self.assertEqual(self.studio.mutes("phone-two"), [False, False])
        self.studio.user.swap(wait="completed").result(CEILING)
        self.studio.wait_for_unmuted("phone-one")
        self.studio.wait_for_muted("phone-two")
        self.end(second)
        self.studio.wait_for_unmuted("phone-two")

    def test_a_stream_that_begins_while_its_app_is_held_is_muted(self):
        self.studio.start_guard()
        self.two_apps()
        self.studio.streams_of("phone-one")
        self.studio.wait_for_muted("phone-one")
        with open(self.studio.state, encoding="utf-8") as file:
            self.assertEqual(len(json.load(file)), 2)

    def test_a_guard_that_is_killed_is_succeeded(self):
        guard = self.studio.start_guard()
        self.studio.streams_of("phone-one")
        self.studio.streams_of("phone-two")
        self.two_apps()
        self.studio.wait_for_muted("phone-one")
        guard.stop(signal.SIGKILL)
        self.end(self.second)                   # the first call goes on
        self.assertEqual(self.studio.mutes("phone-one"), [True, True])
        self.studio.start_guard()
        self.studio.wait_for_unmuted("phone-one")
        wait_until("nothing is owed", lambda: not os.path.exists(self.studio.state))

    def test_a_successor_leaves_muted_what_is_held_still(self):
        guard = self.studio.start_guard()
        self.studio.streams_of("phone-one")
        self.two_apps()
        self.studio.wait_for_muted("phone-one")
        guard.stop(signal.SIGKILL)
        successor = self.studio.start_guard()
        self.studio.streams_of("phone-two")
        self.studio.user.swap(wait="completed").result(CEILING)
        self.studio.wait_for_muted("phone-two")
        self.studio.wait_for_unmuted("phone-one")
        self.assertEqual(successor.said().count("giving back"), 2)

    def test_a_guard_that_is_stopped_gives_back(self):
        guard = self.studio.start_guard()
        self.studio.streams_of("phone-one")
        self.two_apps()
        self.studio.wait_for_muted("phone-one")
        guard.kill(signal.SIGTERM)
        self.assertEqual(guard.process.returncode, 0)
        self.studio.wait_for_unmuted("phone-one")
        self.assertFalse(os.path.exists(self.studio.state))

    def test_what_the_user_muted_stays_muted(self):
        self.studio.start_guard()
        self.studio.streams_of("phone-one")
        self.studio.streams_of("phone-two")
        (kind, index, _), _ = self.studio.streams("phone-one")
        self.studio.output("pactl", f"set-{kind}-mute", str(index), "1")
        # PipeWire confirms a mute before it is seen.
        wait_until("the user's mute", lambda: self.studio.mutes("phone-one") == [True, False])
        self.two_apps()
        self.studio.wait_for_muted("phone-one")
        self.studio.user.swap(wait="completed").result(CEILING)
        self.studio.wait_for_muted("phone-two")
        wait_until("only what the guard muted is given back",
                   lambda: self.studio.mutes("phone-one") == [True, False])

    def test_an_app_that_ignores_a_hold_is_muted_while_the_other_speaks(self):
        self.studio.start_guard()
        one = self.studio.deaf_app(ONE, action_deadlines={"set_held": 1000, "end": 1000})
        two = self.studio.app(TWO)
        self.studio.streams_of("phone-one")
        self.studio.call(one)
        second = self.studio.call(two)
        self.studio.wait_for_muted("phone-one")
        self.end(second)
        self.studio.wait_for_unmuted("phone-one")

    def test_a_stream_that_begins_muted_because_its_app_was_held_is_given_back(self):
        self.studio.start_guard()
        streams = self.studio.streams_of("phone-one")
        self.two_apps()
        self.studio.wait_for_muted("phone-one")
        for stream in streams:
            stream.stop()
        self.studio.wait_for_mutes("phone-one", 0)
        self.end(self.second)                   # the first call comes back
        self.studio.streams_of("phone-one")
        self.studio.wait_for_unmuted("phone-one")
        wait_until("nothing is owed", lambda: not os.path.exists(self.studio.state))


class PulseAudioTests(Streams, unittest.TestCase):
    server = "pulseaudio"
    modules = ("module-stream-restore",)

    def test_the_server_remembers_a_mute(self):
        """What the last test above stands on."""
        streams = self.studio.streams_of("phone-one")
        for kind, index, _ in self.studio.streams("phone-one"):
            self.studio.output("pactl", f"set-{kind}-mute", str(index), "1")
        for stream in streams:
            stream.stop()
        self.studio.streams_of("phone-one")
        self.assertEqual(self.studio.mutes("phone-one"), [True, True])

    def in_the_role(self, name):
        """A program that plays as telephones do: the server remembers one mute for all of them."""
        self.studio.playing(name, "tone", "--property=media.role=phone")
        self.studio.wait_for_mutes(name, 1)

    def test_an_app_that_begins_muted_because_another_of_its_role_is_held_is_given_back(self):
        self.studio.start_guard()
        self.in_the_role("phone-one")
        self.two_apps()
        self.studio.wait_for_mutes("phone-one", 1, True)
        self.in_the_role("phone-two")
        self.studio.wait_for_mutes("phone-two", 1, False)
        self.assertEqual(self.studio.mutes("phone-one"), [True])

    def test_a_successor_gives_back_what_began_muted_while_no_guard_ran(self):
        guard = self.studio.start_guard()
        self.in_the_role("phone-one")
        self.two_apps()
        self.studio.wait_for_mutes("phone-one", 1, True)
        guard.stop(signal.SIGKILL)
        self.in_the_role("phone-two")
        self.assertEqual(self.studio.mutes("phone-two"), [True])
        self.studio.start_guard()
        self.studio.wait_for_mutes("phone-two", 1, False)
        self.assertEqual(self.studio.mutes("phone-one"), [True])

    def test_a_guard_that_is_killed_in_the_middle_of_a_mute_owes_it(self):
        self.studio.streams_of("phone-one")
        self.studio.kill_at_first_mute()
        guard = self.studio.start_guard()
        self.two_apps()
        guard.process.wait(CEILING)
        self.assertEqual(sorted(self.studio.mutes("phone-one")), [False, True])
        self.end(self.second)
        self.studio.start_guard()
        self.studio.wait_for_unmuted("phone-one")

    def test_without_a_broker_everything_is_given_back_in_the_end(self):
        guard = self.studio.start_guard("--patience", "0.5")
        self.studio.streams_of("phone-one")
        self.two_apps()
        self.studio.wait_for_muted("phone-one")
        self.studio.broker.kill()
        self.studio.wait_for_unmuted("phone-one")
        self.assertIsNone(guard.process.poll())
        self.studio.broker.start()

    def test_another_life_of_the_sound_server_is_followed(self):
        guard = self.studio.start_guard()
        self.two_apps()
        self.studio.stop_server()
        guard.wait_for("nothing can be muted")
        self.studio.start_server()
        self.studio.streams_of("phone-one")
        self.studio.wait_for_muted("phone-one")
        self.assertEqual(guard.said().count("nothing can be muted"), 1)

    def test_an_app_whose_program_is_not_known_is_named_once(self):
        guard = self.studio.start_guard(apps=(TWO + "=phone-two",))
        self.two_apps()
        guard.wait_for("org.example.one is held and cannot be muted: its program is not known; "
                       "add --app org.example.one=PROGRAM")
        self.studio.streams_of("phone-one")
        self.studio.streams_of("phone-two")
        self.studio.user.swap(wait="completed").result(CEILING)
        self.studio.wait_for_muted("phone-two")
        self.assertEqual((guard.said().count("its program is not known"),
                          self.studio.mutes("phone-one")), (1, [False, False]))

    def test_an_app_that_unmutes_itself_is_not_fought_for_ever(self):
        guard = self.studio.start_guard()
        self.studio.streams_of("phone-one")
        self.two_apps()
        (kind, index, _), _ = self.studio.streams("phone-one")
        for _ in range(11):
            self.studio.output("pactl", f"set-{kind}-mute", str(index), "0")
            wait_until("muted, or given up", lambda: "left alone" in guard.said() or
                       self.studio.mutes("phone-one") == [True, True])
        guard.wait_for("is unmuted again and again, and left alone")


class PipeWireTests(Streams, unittest.TestCase):
    server = "pipewire"


if __name__ == "__main__":
    unittest.main()
