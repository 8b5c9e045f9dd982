"""The calls as a player: with the real playerctl, a monitor of the bus, and mpv beside."""
import os
import re
import subprocess
import sys
import unittest
import wave

from place import CEILING, PLUGIN, Place, wait_until

NAME = "org.mpris.MediaPlayer2.callbroker"
SESSION_PROGRAM = os.path.join(PLUGIN, "..", "..", "screens", "notify", "tests",
                               "session_program.py")


class MediaKeyTests(unittest.TestCase):
    def setUp(self):
        self.place = Place(self)
        self.place.start_bus()
        self.monitor = self.place.program("monitor", "dbus-monitor", "--session",
                                          "path=/org/mpris/MediaPlayer2")
        self.monitor.wait_for("NameLost")       # it monitors from now on

    def start(self, *arguments):
        self.place.start_keys("--no-shortcuts", "--no-hid", "--settling", "0", *arguments)
        self.app = self.place.app()

    def playerctl(self, *words):
        done = subprocess.run(["playerctl", *words], env=self.place.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=CEILING)
        return done.stdout.strip()

    def wait_for_player(self, status):
        """Until the default player has it: `callbroker Playing`."""
        now = ("metadata", "--format", "{{playerName}} {{status}} {{title}}")
        wait_until(lambda: f"{status}: {self.playerctl(*now)}",
                   lambda: self.playerctl(*now).startswith(status))

    def wait_for_no_player(self):
        wait_until("no player", lambda: not self.playerctl("--list-all"))

    def start_mpv(self):
        """A real player, when it plays a song."""
        path = os.path.join(self.place.folder, "song.wav")
        with wave.open(path, "wb") as song:
            song.setparams((1, 2, 8000, 0, "NONE", ""))
            song.writeframes(bytes(16000 * 60))
        self.place.program("mpv", "mpv", "--no-config", "--script=/etc/mpv/scripts/mpris.so",
                           "--no-video", "--ao=null", "--loop=inf", path)
        self.wait_for_player("mpv Playing")

    def property(self, interface, name):
        return self.place.output(
            "gdbus", "call", "--session", "--dest", NAME, "--object-path",
            "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
            interface, name).strip()

    # ---- Presence

    def test_the_player_is_there_exactly_while_there_is_a_call(self):
        self.start()
        self.assertEqual(self.playerctl("--list-all"), "")
        call = self.place.rings(self.app, display_name="Ann")
        self.wait_for_player("callbroker Playing Ann")
        self.place.user.answer(call, wait="completed").result(CEILING)
        self.place.user.set_held(call, True, wait="completed").result(CEILING)
        self.wait_for_player("callbroker Paused Ann")
        self.place.user.end(call, wait="completed").result(CEILING)
        self.wait_for_no_player()

    def test_it_is_gone_with_the_program_and_with_the_broker(self):
        self.start()
        self.place.talks(self.app)
        self.wait_for_player("callbroker")
        self.place.keys.stop()
        self.wait_for_no_player()
        self.place.keys = self.place.program("again", *self.place.keys.process.args)
        self.wait_for_player("callbroker")
        self.place.broker.kill()
        self.wait_for_no_player()
        self.place.broker.start()

    def test_a_real_player_has_its_keys_again_after_the_call(self):
        self.start_mpv()
        self.start()
        call = self.place.rings(self.app)
        self.wait_for_player("callbroker Playing")
        self.playerctl("play-pause")
        self.place.wait_for_state(call, "active")
        self.assertEqual(self.playerctl("--player=mpv", "status"), "Playing")
        self.place.user.end(call, wait="completed").result(CEILING)
        self.wait_for_player("mpv Playing")
        self.playerctl("pause")
        self.wait_for_player("mpv Paused")
        self.assertEqual(self.place.presses(), ["short"])

    def test_playerctld_gives_the_keys_to_the_call_and_back(self):
        self.start_mpv()
        self.place.program("playerctld", "playerctld")
        wait_until("playerctld is there",
                   lambda: self.playerctl("--player=playerctld", "status") == "Playing")
        self.start()
        call = self.place.rings(self.app, display_name="Ann")
        wait_until("the call is the active player", lambda: self.playerctl(
            "--player=playerctld", "metadata", "title") == "Ann")
        self.playerctl("--player=playerctld", "play-pause")
        self.place.wait_for_state(call, "active")
        self.place.user.end(call, wait="completed").result(CEILING)
        wait_until("mpv is the active player", lambda: self.playerctl(
            "--player=playerctld", "metadata", "title") == "song.wav")

    # ---- Keys

    def test_each_key_does_what_it_is_for(self):
        self.start("--repeat", "0")
        call = self.place.rings(self.app)
        self.wait_for_player("callbroker")
        self.playerctl("previous")
        wait_until("silenced", lambda: self.place.state(call).get("silenced"))
        self.playerctl("next")
        self.place.wait_for_state(call, "")
        self.wait_for_no_player()
        call = self.place.talks(self.app)
        self.wait_for_player("callbroker")
        self.place.wait_for_word("live")
        self.playerctl("next")
        self.place.wait_for_mute(call, True)
        self.playerctl("stop")
        self.place.wait_for_state(call, "")

    def test_play_and_pause_are_presses_of_the_one_button(self):
        for key in ("play", "pause", "play-pause"):
            with self.subTest(key=key):
                self.place = Place(self)
                self.place.start_bus()
                self.start()
                call = self.place.rings(self.app)
                self.wait_for_player("callbroker")
                self.playerctl(key)
                self.place.wait_for_state(call, "active")
                self.place.keys.stop()

    def test_a_key_that_repeats_itself_is_one_press(self):
        self.start("--repeat", "60000")         # however long five programs take to start
        call = self.place.rings(self.app)
        self.wait_for_player("callbroker")
        press = ["gdbus", "call", "--session", "--dest", NAME, "--object-path",
                 "/org/mpris/MediaPlayer2", "--method", "org.mpris.MediaPlayer2.Player.PlayPause"]
        several = [subprocess.Popen(press, env=self.place.environment, stdout=subprocess.DEVNULL)
                   for _ in range(5)]
        for each in several:
            self.assertEqual(each.wait(CEILING), 0)
        self.place.wait_for_state(call, "active")
        self.assertEqual(self.place.performed.count(("answer", call)), 1)
        self.assertNotIn(("end", call), self.place.performed)

    def test_keys_as_the_call_comes_are_meant_for_music(self):
        self.start("--settling", "3600000")
        call = self.place.rings(self.app)
        self.wait_for_player("callbroker")
        self.playerctl("pause")
        self.place.keys.wait_for("dropped, the call has just come")
        self.assertEqual(self.place.state(call)["state"], "ringing")

    # ---- What it shows

    def test_who_calls_is_not_shown_while_the_session_is_locked(self):
        for kind, name in (("SESSION", "org.freedesktop.ScreenSaver"),
                           ("SYSTEM", "org.freedesktop.login1")):
            with self.subTest(name=name):
                self.place = Place(self)
                self.place.start_bus()
                lock = self.place.program("lock", sys.executable, SESSION_PROGRAM, kind, name, "yes")
                lock.wait_for("serves")
                monitor = self.place.program("monitor", "dbus-monitor", "--session",
                                             "path=/org/mpris/MediaPlayer2")
                monitor.wait_for("NameLost")
                self.start()
                self.place.rings(self.app, "+15550199", display_name="Ann")
                self.wait_for_player("callbroker Playing Incoming call")
                for word in ("Ann", "5550199"):
                    self.assertNotIn(word, self.playerctl("metadata"))
                    self.assertNotIn(word, monitor.said())
                lock.process.send_signal(10)
                self.wait_for_player("callbroker Playing Ann")
                lock.process.send_signal(10)
                self.wait_for_player("callbroker Playing Incoming call")
                self.place.keys.stop()

    def test_the_title_is_in_the_users_language(self):
        self.place.environment["LC_MESSAGES"] = "de_DE.UTF-8"
        self.start()
        self.place.rings(self.app, display_name="Ann")
        self.wait_for_player("callbroker Playing Ann")
        self.assertIn("Eingehender Anruf", self.playerctl("metadata", "artist"))

    def test_names_and_numbers_reach_no_log(self):
        self.start()
        call = self.place.rings(self.app, "+15550199", display_name="Ann Other")
        self.wait_for_player("callbroker")
        self.playerctl("play")
        self.place.wait_for_state(call, "active")
        self.assertNotRegex(self.place.keys.said(), "Ann|5550199")

    def test_it_is_a_complete_player(self):
        self.start()
        self.place.rings(self.app)
        self.wait_for_player("callbroker")
        described = self.place.output("gdbus", "introspect", "--session", "--dest", NAME,
                                      "--object-path", "/org/mpris/MediaPlayer2")
        for word in MANDATORY:
            self.assertRegex(described, rf"\b{word}\b")
        self.assertIn("'CallBroker'", self.property("org.mpris.MediaPlayer2", "Identity"))
        self.assertIn("true", self.property("org.mpris.MediaPlayer2.Player", "CanControl"))
        self.assertRegex(self.playerctl("position"), r"^0\.0000")

    def test_an_object_that_is_not_there_is_refused_at_once(self):
        self.start()
        self.place.rings(self.app)
        self.wait_for_player("callbroker")
        done = subprocess.run(
            ["gdbus", "call", "--session", "--dest", NAME, "--object-path", "/nowhere",
             "--method", "org.freedesktop.DBus.Peer.Ping"], env=self.place.environment, text=True,
            stderr=subprocess.PIPE, check=False, timeout=CEILING)
        self.assertIn("UnknownObject", done.stderr)

    def test_each_change_is_published(self):
        self.start()
        call = self.place.rings(self.app)
        self.wait_for_player("callbroker")
        self.place.user.answer(call, wait="completed").result(CEILING)
        self.place.user.set_held(call, True, wait="completed").result(CEILING)
        wait_until("a change is published", lambda: re.search(
            r'"PlaybackStatus"\s+variant\s+string "Paused"', self.monitor.said()))

    def test_another_program_with_the_name_is_reported_once(self):
        other = self.place.program("other", "/usr/bin/python3", "-c", SQUATTER)
        other.wait_for("has it")
        self.start()
        call = self.place.rings(self.app)
        self.place.keys.wait_for("another program has the name")
        self.place.user.answer(call, wait="completed").result(CEILING)
        self.place.user.end(call, wait="completed").result(CEILING)
        self.assertEqual(self.place.keys.said().count("another program"), 1)


MANDATORY = (
    "Raise", "Quit", "CanQuit", "CanRaise", "HasTrackList", "Identity", "DesktopEntry",
    "SupportedUriSchemes", "SupportedMimeTypes", "Next", "Previous", "Pause", "PlayPause", "Stop",
    "Play", "Seek", "SetPosition", "OpenUri", "Seeked", "PlaybackStatus", "Rate", "Metadata",
    "Volume", "Position", "MinimumRate", "MaximumRate", "CanGoNext", "CanGoPrevious", "CanPlay",
    "CanPause", "CanSeek", "CanControl")
SQUATTER = f"""
from jeepney import message_bus
from jeepney.io.blocking import open_dbus_connection
bus = open_dbus_connection()
bus.send_and_get_reply(message_bus.RequestName("{NAME}"))
print("has it", flush=True)
while True:
    bus.receive()
"""


if __name__ == "__main__":
    unittest.main()
