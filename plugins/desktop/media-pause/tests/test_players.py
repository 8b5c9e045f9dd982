"""Real media players and browsers, a real broker: what is paused, and what is resumed."""
import os
import signal
import unittest

from theater import CEILING, ONE, TWO, Theater, wait_until


class PlayerTests(unittest.TestCase):
    def setUp(self):
        self.theater = Theater(self, "pulseaudio")

    def start(self, *arguments):
        self.app = self.theater.app(ONE)
        return self.theater.start_plugin(*arguments)

    def asked(self, program):
        """What a player of the test's own was asked for, its status apart."""
        return [word for word in program.said().split() if word in ("Play", "Pause", "Stop")]

    def is_paused_for_a_call(self, player):
        """From the ring to the end, with what is heard."""
        wait_until("it is heard", lambda: self.theater.loudness(0.2) > 5_000)
        call = self.theater.ring(self.app)
        self.theater.wait_for_status(player, "Paused")
        self.theater.user.answer(call, wait="completed").result(CEILING)
        wait_until("it is silent", lambda: self.theater.loudness(0.5) == 0)
        self.theater.end(call)
        self.theater.wait_for_status(player, "Playing")
        wait_until("it is heard", lambda: self.theater.loudness(0.2) > 5_000)

    # ---- Each program

    def test_mpv_is_silent_during_a_call_and_plays_on_after_it(self):
        self.theater.mpv()
        self.start()
        self.is_paused_for_a_call("mpv")

    def test_vlc_is_silent_during_a_call_and_plays_on_after_it(self):
        self.theater.vlc()
        self.start()
        self.is_paused_for_a_call("vlc")

    def test_a_page_in_chromium_is_silent_during_a_call_and_plays_on_after_it(self):
        self.theater.chromium()
        self.start()
        self.is_paused_for_a_call("chromium")

    def test_a_page_in_firefox_is_silent_during_a_call_and_plays_on_after_it(self):
        self.theater.firefox()
        self.start()
        self.is_paused_for_a_call("firefox")

    # ---- When

    def test_with_talk_a_ring_pauses_nothing(self):
        self.theater.mpv()
        plugin = self.start("--when", "talk")
        fake = self.theater.fake("tape")
        call = self.theater.ring(self.app)
        self.theater.end(call)
        call = self.theater.call(self.app)
        self.theater.wait_for_status("mpv", "Paused")
        self.theater.end(call)
        self.theater.wait_for_status("mpv", "Playing")
        wait_until("the other one has resumed", lambda: self.asked(fake) == ["Pause", "Play"])
        self.assertEqual(plugin.said().count("pausing"), 2)

    def test_it_plays_on_after_the_last_call_and_once(self):
        fake = self.theater.fake("tape")
        self.start()
        first = self.theater.call(self.app)
        wait_until("it is paused", lambda: self.asked(fake) == ["Pause"])
        second = self.theater.call(self.theater.app(TWO))
        self.theater.end(second)
        self.theater.mpv()                      # that the user begins it shows that this goes by
        self.assertEqual(self.asked(fake), ["Pause"])
        self.theater.end(first)
        wait_until("it has resumed", lambda: self.asked(fake) == ["Pause", "Play"])
        self.assertEqual(self.theater.status("mpv"), "Playing")

    # ---- What the user does meanwhile

    def touched(self, *keys):
        """mpv after a call, during which the user presses these keys, beside a player that nobody
        touches."""
        self.theater.mpv()
        fake = self.theater.fake("tape")
        plugin = self.start()
        call = self.theater.ring(self.app)
        plugin.wait_for("org.mpris.MediaPlayer2.mpv has paused")
        for key in keys:                        # mpv sums up what happens within a tenth of a second
            self.theater.press("mpv", key)
            plugin.wait_for("leaving a player alone")
        self.theater.end(call)
        wait_until("the other one has resumed", lambda: self.asked(fake) == ["Pause", "Play"])
        plugin.stop()                           # so nothing more is sent
        self.assertNotIn("resuming " + "org.mpris.MediaPlayer2.mpv", plugin.said())
        return self.theater.status("mpv")

    def test_a_player_that_the_user_played_plays_on(self):
        self.assertEqual(self.touched("play"), "Playing")

    def test_a_player_that_the_user_played_and_paused_stays_paused(self):
        self.assertEqual(self.touched("play", "pause"), "Paused")

    def test_a_player_that_the_user_stopped_stays_so(self):
        self.assertNotEqual(self.touched("stop"), "Playing")

    def test_a_player_that_was_closed_is_forgotten(self):
        mpv = self.theater.mpv()
        plugin = self.start()
        call = self.theater.ring(self.app)
        self.theater.wait_for_status("mpv", "Paused")
        mpv.stop()
        plugin.wait_for("leaving a player alone")
        self.theater.end(call)
        wait_until("nothing is kept", lambda: not os.path.exists(
            os.path.join(self.theater.state, "paused.json")))

    def test_a_player_that_was_paused_before_stays_paused(self):
        self.theater.mpv()
        fake = self.theater.fake("tape")
        self.start()
        self.theater.press("mpv", "pause")
        call = self.theater.ring(self.app)
        wait_until("the other one is paused", lambda: self.asked(fake) == ["Pause"])
        self.theater.end(call)
        wait_until("the other one has resumed", lambda: self.asked(fake) == ["Pause", "Play"])
        self.assertEqual(self.theater.status("mpv"), "Paused")

    # ---- Which players

    def test_the_player_of_calls_a_stand_in_and_ignored_ones_are_not_touched(self):
        fakes = [self.theater.fake(name) for name in (
            "callbroker", "callbroker.instance1", "playerctld", "vlc.instance9")]
        other = self.theater.fake("tape")
        self.start("--ignore", "vlc")
        call = self.theater.ring(self.app)
        wait_until("another one is", lambda: self.asked(other) == ["Pause"])
        self.theater.end(call)
        wait_until("another one is", lambda: self.asked(other) == ["Pause", "Play"])
        self.assertEqual([self.asked(fake) for fake in fakes], [[]] * 4)

    def test_a_player_that_hangs_does_not_delay_the_others(self):
        self.theater.mpv()
        self.theater.fake("hung", "--hangs")
        plugin = self.start()
        call = self.theater.ring(self.app)
        self.theater.wait_for_status("mpv", "Paused")
        self.theater.end(call)
        self.theater.wait_for_status("mpv", "Playing")
        plugin.wait_for("a player refuses to pause: it does not answer")
        said = plugin.said()
        self.assertLess(said.index(".mpv has paused"), said.index("a player refuses to pause"))

    # ---- What does not last

    def test_a_plugin_that_is_killed_is_succeeded(self):
        self.theater.mpv()
        plugin = self.start()
        call = self.theater.ring(self.app)
        self.theater.wait_for_status("mpv", "Paused")
        plugin.kill(signal.SIGKILL)
        self.theater.end(call)
        self.assertEqual(self.theater.status("mpv"), "Paused")
        self.theater.start_plugin()
        self.theater.wait_for_status("mpv", "Playing")

    def test_without_a_broker_players_play_on_in_the_end(self):
        self.theater.mpv()
        plugin = self.start("--patience", "0.5")
        self.theater.ring(self.app)
        self.theater.wait_for_status("mpv", "Paused")
        self.theater.broker.kill()
        self.theater.wait_for_status("mpv", "Playing")
        self.assertIsNone(plugin.process.poll())
        self.theater.broker.start()

    def test_without_a_bus_it_is_logged_and_the_calls_go_on(self):
        plugin = self.start()
        self.theater.bus.stop()
        call = self.theater.call(self.app)
        plugin.wait_for("no player is paused or resumed: no message bus")
        self.theater.end(call)
        self.assertIsNone(plugin.process.poll())


if __name__ == "__main__":
    unittest.main()
