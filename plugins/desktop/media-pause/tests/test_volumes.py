"""Real sound servers, real streams, a real broker: what is made quieter, and given back."""
import os
import shutil
import signal
import unittest

from theater import CEILING, ONE, RATE, Theater, wait_until


class VolumeTests:
    """With one server or the other."""

    server = ""
    modules = ()

    def setUp(self):
        self.theater = Theater(self, self.server, *self.modules)
        self.app = self.theater.app(ONE)

    def start(self, *arguments):
        return self.theater.start_plugin("--action", "lower", "--app", ONE + "=phone-one", *arguments)

    def music(self, name="jukebox", role="music"):
        """A program that plays in that role, in any if it is empty."""
        program = os.path.join(self.theater.folder, name)
        if not os.path.exists(program):
            shutil.copy(shutil.which("pacat"), program)
        properties = ["--property=media.role=" + role] if role else []
        stream = self.theater.program(
            name, program, "--playback", "--raw", f"--rate={RATE}", "--channels=1",
            "--format=s16le", "--latency-msec=50", *properties, "tone")
        wait_until(name + " plays", lambda: self.theater.inputs(name))
        return stream

    def set_volume(self, name, percent):
        for each in self.theater.inputs(name):
            self.theater.output("pactl", "set-sink-input-volume", str(each["index"]), f"{percent}%")

    def heard(self):
        """How loud the music is; nothing while it is on its way."""
        loudness = self.theater.loudness(0.2)
        return loudness if loudness > 5_000 else 0

    def wait_for_nothing_owed(self):
        path = os.path.join(self.theater.state, "lowered.json")
        wait_until("nothing is owed", lambda: not os.path.exists(path))

    def test_music_is_quieter_during_a_call_and_as_loud_as_before_after_it(self):
        self.music()
        self.start()
        loud = wait_until("it is heard", self.heard)
        call = self.theater.ring(self.app)
        self.theater.wait_for_volume("jukebox", 20)
        quiet = self.theater.loudness(0.5)
        self.assertTrue(0 < quiet < loud / 10, f"{quiet} of {loud}")
        self.theater.end(call)
        self.theater.wait_for_volume("jukebox", 100)
        wait_until("it is as loud", lambda: self.theater.loudness(0.2) > loud * 0.9)
        self.wait_for_nothing_owed()

    def test_streams_of_the_call_are_as_loud_as_before(self):
        self.theater.streams_of("phone-one")
        self.theater.streams_of("phone-two")    # no app of the options, but it records
        self.music("bell", "event")
        self.music("radio", "")
        self.start()
        self.theater.call(self.app)
        self.theater.wait_for_volume("radio", 20)
        self.assertEqual([self.theater.volumes(name) for name in ("phone-one", "phone-two", "bell")],
                         [[100], [100], [100]])

    def test_a_stream_that_begins_during_a_call_is_lowered_once(self):
        """A server may remember one volume for all streams of a role."""
        self.start()
        call = self.theater.call(self.app)
        for name in ("radio", "jukebox"):
            self.music(name)
            self.theater.wait_for_volume(name, 20)
        self.theater.end(call)
        self.theater.wait_for_volume("jukebox", 100)

    def test_what_the_user_sets_meanwhile_stays_so(self):
        self.music()
        self.music("radio")
        self.start("--percent", "30")
        call = self.theater.call(self.app)
        self.theater.wait_for_volume("jukebox", 30)
        self.set_volume("jukebox", 55)
        self.theater.wait_for_volume("jukebox", 55)
        self.theater.end(call)
        self.theater.wait_for_volume("radio", 100)
        self.wait_for_nothing_owed()
        self.assertEqual(self.theater.volumes("jukebox"), [55])

    def test_a_plugin_that_is_killed_is_succeeded(self):
        self.music()
        self.set_volume("jukebox", 80)
        plugin = self.start()
        call = self.theater.call(self.app)
        self.theater.wait_for_volume("jukebox", 16)
        plugin.kill(signal.SIGKILL)
        self.theater.end(call)
        self.assertEqual(self.theater.volumes("jukebox"), [16])
        self.start()
        self.theater.wait_for_volume("jukebox", 80)

    def test_a_successor_does_not_lower_twice(self):
        self.music()
        plugin = self.start()
        call = self.theater.call(self.app)
        self.theater.wait_for_volume("jukebox", 20)
        plugin.kill(signal.SIGKILL)
        self.start()
        self.music("radio")
        self.theater.wait_for_volume("radio", 20)
        self.assertEqual(self.theater.volumes("jukebox"), [20])
        self.theater.end(call)
        self.theater.wait_for_volume("jukebox", 100)

    def test_a_plugin_that_is_stopped_gives_back(self):
        self.music()
        plugin = self.start()
        self.theater.call(self.app)
        self.theater.wait_for_volume("jukebox", 20)
        plugin.kill(signal.SIGTERM)
        self.assertEqual(plugin.process.returncode, 0)
        self.theater.wait_for_volume("jukebox", 100)

    def test_a_stream_that_begins_quiet_because_its_app_was_lowered_is_given_back(self):
        music = self.music()
        self.start()
        call = self.theater.call(self.app)
        self.theater.wait_for_volume("jukebox", 20)
        music.stop()
        wait_until("it is gone", lambda: not self.theater.inputs("jukebox"))
        self.theater.end(call)
        self.music()
        self.theater.wait_for_volume("jukebox", 100)


class PulseAudioTests(VolumeTests, unittest.TestCase):
    server = "pulseaudio"
    modules = ("module-stream-restore",)

    def test_another_life_of_the_sound_server_is_followed(self):
        plugin = self.start()
        self.theater.call(self.app)
        self.theater.stop_server()
        plugin.wait_for("nothing can be made quieter")
        self.theater.start_server()
        self.music()
        self.theater.wait_for_volume("jukebox", 20)

    def test_two_at_once_are_refused(self):
        self.start()
        second = self.theater.program("second", self.theater.plugin_program, "--action", "lower",
                                      "--state", self.theater.state)
        self.assertEqual(second.process.wait(CEILING), 1)
        self.assertIn("another program uses", second.said())


class PipeWireTests(VolumeTests, unittest.TestCase):
    server = "pipewire"


if __name__ == "__main__":
    unittest.main()
