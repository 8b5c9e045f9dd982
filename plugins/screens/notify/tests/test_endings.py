"""The tones of calls that have ended, as they are heard, and which call has which."""
import json
import unittest

from desk import CEILING, Desk, Recording, new_id, share, wait_until
from sound import endings, tones

STRETCH = 0.02                                  # seconds by which a cadence is measured


def call(direction="outgoing", **members):
    return {"call": "1", "provider": "org.example.phone", "direction": direction, **members}


def cadence(recording, hertz, seconds):
    """The seconds of sound and of silence, in turn, from the first sound on."""
    is_heard = lambda: max(map(abs, recording.heard(STRETCH))) > 100
    wait_until("a sound", is_heard)
    turns, is_loud = [STRETCH], True
    for _ in range(int(seconds / STRETCH)):
        was_loud, is_loud = is_loud, is_heard()
        if is_loud != was_loud:
            turns.append(0.0)
        turns[-1] += STRETCH
    return turns


class ChosenTests(unittest.TestCase):
    def test_the_reason_of_the_app_decides(self):
        for reason, tone in (("busy", "busy"), ("rejected", "busy"), ("invalid_number", "information"),
                             ("network_error", "congestion"), ("not_registered", "congestion"),
                             ("a_later_reason", "congestion"), ("no_answer", "ended"),
                             ("transferred", None), ("answered_elsewhere", None)):
            over = call(end_reason="failed", end_detail={"reason": reason},
                        end_cause={"origin": "remote"})
            self.assertEqual(endings.tone(over), tone, reason)

    def test_a_call_that_talked_has_the_tone_of_its_end_whoever_called(self):
        for direction in ("incoming", "outgoing"):
            over = call(direction, connected_at_ms=1, end_reason="remote_ended",
                        end_cause={"origin": "remote"})
            self.assertEqual(endings.tone(over), "ended")
            self.assertIsNone(endings.tone({**over, "end_detail": {"reason": "pulled"}}))

    def test_there_is_none_for_the_users_own_end_a_missed_call_and_a_network_that_spoke(self):
        for over in (call(end_reason="local_ended", end_cause={"origin": "user"}),
                     call(end_reason="local_ended", end_cause={"origin": "app"}, connected_at_ms=1),
                     call("incoming", end_reason="unanswered", end_cause={"origin": "remote"}),
                     call(end_reason="failed", end_cause={"origin": "remote"}, has_early_media=True,
                          end_detail={"reason": "busy"})):
            self.assertIsNone(endings.tone(over), over)

    def test_every_tone_of_every_country_has_its_frequencies_and_lasts_some_seconds(self):
        for country, (hertz, _, _) in tones.COUNTRIES.items():
            for name in ("busy", "congestion", "ended"):
                tone = tones.of_ended_call(name, country)
                self.assertTrue(all(part.hertz == hertz for part in tone))
                length = sum(part.sound + part.silence for part in tone)
                self.assertTrue(1.0 < length < 6.0, (country, name, length))
        self.assertEqual([tones.known(each) for each in ("de", "DE", "XX", "../x")],
                         ["DE", "DE", "", ""])


class HeardTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)
        self.desk.start_sound()

    def start(self, **options):
        self.desk.environment["BROKER_OPTIONS"] = json.dumps({"call_tones": True, **options})
        self.desk.start_notifier("--no-tray")
        self.app = self.desk.app(url_schemes=["tel"])
        return Recording(self.desk)

    def called(self):
        call_ = new_id()
        self.desk.user.dial("tel:+15550100", call=call_, wait="completed").result(CEILING)
        return call_

    def fails(self, **detail):
        """A call that is not connected, for a reason that its app has."""
        self.app.report_ended(self.called(), "failed", detail=detail).result(CEILING)

    def test_busy_has_the_cadence_of_the_country(self):
        recording = self.start(country="de")
        self.fails(reason="busy")
        turns = cadence(recording, 425, 4.0)
        self.assertGreater(len(turns), 3, turns)
        for each in turns[1:3]:
            self.assertAlmostEqual(each, 0.48, delta=0.06, msg=str(turns))

    def test_congestion_has_the_frequencies_of_the_policys_region(self):
        self.desk.user.set_policy(region="US").result(CEILING)
        recording = self.start()
        self.fails(reason="network_error")
        recording.wait_for_tone(480, 620)

    def test_a_number_that_does_not_exist_has_three_rising_tones(self):
        recording = self.start()
        self.fails(code="SIP 404")
        for hertz in (950, 1400, 1800):
            recording.wait_for_tone(hertz)

    def test_the_end_by_the_far_end_is_heard_and_the_users_own_is_not(self):
        recording = self.start()
        call_ = self.called()
        self.app.report_connected(call_).result(CEILING)
        self.desk.user.end(call_, wait="completed").result(CEILING)
        self.assertFalse(any(recording.heard(1.5)))
        call_ = self.called()
        self.app.report_connected(call_).result(CEILING)
        self.app.report_ended(call_, "remote_ended").result(CEILING)
        recording.wait_for_tone(425)

    def test_a_call_that_comes_rings_in_place_of_the_tone(self):
        recording = self.start()
        self.fails(reason="busy")
        recording.wait_for_tone(425)
        self.desk.rings(self.app, "+15550101")
        recording.wait_for_tone(400, 450)
        ring = recording.heard(0.2)
        self.assertLess(share(ring, 425), 0.2)

    def test_it_is_silent_unless_the_user_wants_tones(self):
        recording = self.start(call_tones=False)
        self.fails(reason="busy")
        self.assertFalse(any(recording.heard(2.0)))


if __name__ == "__main__":
    unittest.main()
