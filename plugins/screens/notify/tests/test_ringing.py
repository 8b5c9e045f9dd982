"""Which ringtone is heard, how loud, and for how long: the monitor of a sound server's output is
recorded."""
import json
import contextlib
import os
import signal
import unittest
from pathlib import Path

from desk import CEILING, Desk, Recording, phone, streams, wait_until
from sound import tones

ADA, BOB = "+15550100", "+15550101"


class Ringing:
    """The same with each sound server."""

    def setUp(self):
        self.desk = Desk(self)
        self.folder = os.path.join(self.desk.folder, ".config", "callbroker", "ringtones")
        os.makedirs(self.folder)

    def tone(self, name, hertz, *seconds, folder=None):
        """A ringtone of the user."""
        path = os.path.join(folder or self.folder, name)
        tones.write(Path(path), tones.cadence((hertz,), *(seconds or (0.4, 0.2))))
        return path

    def start(self, **options):
        self.start_server()
        self.desk.environment["BROKER_OPTIONS"] = json.dumps(options)
        self.desk.start_notifier("--no-tray")
        return Recording(self.desk)

    def is_over(self, call):
        self.desk.user.end(call, wait="completed").result(CEILING)
        wait_until("no stream", lambda: not streams(self.desk))

    def test_a_contact_an_app_and_all_others_have_their_own_ringtones(self):
        self.tone("Ada Lovelace.wav", 700)
        self.tone("org.example.phone.wav", 1000)
        self.tone("default.wav", 1300)
        self.desk.user.put_contact(name="ada lovelace", handles=[phone(ADA)]).result(CEILING)
        recording = self.start()
        desk_phone, other = self.desk.app(), self.desk.app("org.example.other", "Other")
        for app, number, hertz in ((desk_phone, ADA, 700), (desk_phone, BOB, 1000),
                                   (other, BOB, 1300), (other, ADA, 700)):
            call = self.desk.rings(app, number)
            recording.wait_for_tone(hertz)
            self.is_over(call)

    def talk(self, recording):
        """How loud somebody is in a call."""
        path = self.tone("talk.wav", 1000, 5.0, 0.0)
        talk = self.desk.program("talk", "paplay", "--property=media.role=phone", path)
        recording.wait_for_tone(1000)
        loudness = max(map(abs, recording.heard(0.5)))
        talk.stop()
        wait_until("silence", lambda: not any(recording.heard(0.5)))
        return loudness

    def test_a_ring_rises_and_leaves_the_volume_of_calls_alone(self):
        self.tone("default.wav", 1000, *self.ROUND)
        recording = self.start(rise_seconds=5, rise_from=30, rise_to=80)
        full = self.talk(recording)
        end = full * 0.8 ** 3                   # volumes are cubic
        call = self.desk.rings(self.desk.app())
        heard = [recording.wait_for_tone(1000)]
        self.assertLess(heard[0], end / 2)
        wait_until(lambda: f"louder and louder: {heard}",
                   lambda: heard.append(recording.wait_for_tone(1000)) or heard[-1] > 0.9 * end)
        self.assertTrue(any(heard[0] * 1.3 < each < end * 0.8 for each in heard), heard)
        self.assertLess(max(heard), 1.1 * end)
        self.is_over(call)
        wait_until("silence", lambda: not any(recording.heard(0.5)))
        self.assertGreater(self.talk(recording), 0.9 * full)

    def signal_player(self, number):
        """A round of the tone may just have ended, and its player with it."""
        def sent():
            for stream in streams(self.desk):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(stream["properties"]["application.process.id"]), number)
                    return True
            return False
        wait_until("its stream", sent)

    def test_it_rings_on_when_its_player_is_killed_or_the_sound_server_restarts(self):
        recording = self.start()
        self.desk.rings(self.desk.app())
        recording.wait_for_tone(400, 450)
        self.signal_player(signal.SIGKILL)
        recording.heard(0.5)
        recording.wait_for_tone(400, 450)
        for program in reversed(self.desk.sound):
            program.stop()
        self.start_server()
        Recording(self.desk).wait_for_tone(400, 450)


class PulseAudioTests(Ringing, unittest.TestCase):
    ROUND = (30.0, 0.0)                         # it rises within one round

    def start_server(self):
        self.desk.start_sound()

    def test_the_sound_of_the_desktop_rings_where_the_user_has_none(self):
        theme = os.path.join(self.desk.folder, "share", "sounds", "freedesktop", "stereo")
        os.makedirs(theme)
        self.tone("phone-incoming-call.oga", 1600, folder=theme)
        self.tone("chimes.oga", 1900, folder=theme)
        recording = self.start()
        call = self.desk.rings(self.desk.app())
        recording.wait_for_tone(1600)
        self.is_over(call)
        self.desk.rings(self.desk.app("org.example.chimes", "Chimes", ringtone="chimes"))
        recording.wait_for_tone(1900)

    def test_an_empty_sound_or_what_is_no_file_is_no_reason_not_to_ring(self):
        recording = self.start()
        self.tone("org.example.empty.wav", 1000, 0.0, 0.0)
        os.mkfifo(os.path.join(self.folder, "org.example.pipe.wav"))
        for name in ("empty", "pipe"):
            call = self.desk.rings(self.desk.app("org.example." + name, name))
            recording.wait_for_tone(400, 450)
            self.is_over(call)

    def test_a_huge_ringtone_is_silent_as_soon_as_the_call_is_answered(self):
        path = self.tone("default.wav", 1000, 1.0, 0.0)
        with open(path, "r+b") as file:
            file.seek(40)
            file.write(b"\xf0\xff\xff\x7f")     # two gigabytes of sound, of which one second is there
            file.truncate(2 ** 31)
        recording = self.start()
        call = self.desk.rings(self.desk.app())
        recording.wait_for_tone(1000)
        self.desk.user.answer(call, wait="completed").result(CEILING)
        wait_until("silence", lambda: not streams(self.desk))

    def test_a_player_that_hangs_does_not_ring_on(self):
        recording = self.start()
        call = self.desk.rings(self.desk.app())
        recording.wait_for_tone(400, 450)
        self.signal_player(signal.SIGSTOP)
        self.desk.user.end(call, wait="completed").result(CEILING)
        wait_until("silence", lambda: not streams(self.desk))

    def test_of_two_calls_the_second_changes_nothing_until_it_rings_itself(self):
        self.tone("org.example.phone.wav", 700)
        self.tone("org.example.other.wav", 1000)
        recording = self.start()
        first = self.desk.rings(self.desk.app())
        recording.wait_for_tone(700)
        self.desk.rings(self.desk.app("org.example.other", "Other"), BOB)
        recording.wait_for_tone(700)
        self.desk.user.end(first, wait="completed").result(CEILING)
        recording.wait_for_tone(1000)


class PipeWireTests(Ringing, unittest.TestCase):
    ROUND = (1.0, 0.0)                          # it rises from one round to the next

    def start_server(self):
        self.desk.start_pipewire()


if __name__ == "__main__":
    unittest.main()
