"""When media are quiet, and which streams are made quieter."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(HERE, "..", "..", "..", "sdk", "python")]

import media_pause  # noqa: E402
from occasion import is_due  # noqa: E402
from quieter import is_same, lowered, to_be_lowered  # noqa: E402
from sound_server import App, Stream  # noqa: E402


def calls(*states):
    return [{"call": str(number), "state": state} for number, state in enumerate(states)]


def stream(index, role="", process="1", kind="sink-input", **members):
    properties = {"media.role": role} if role else {}
    if process:
        properties.update({"application.process.id": process,
                           "application.process.binary": "p" + process})
    return Stream(kind, index, False, properties, **members)


class OccasionTests(unittest.TestCase):
    def test_a_ring_is_an_occasion_unless_only_talk_counts(self):
        for state in ("ringing", "waiting"):
            self.assertEqual([is_due(calls(state), when) for when in ("ring", "talk")], [True, False])

    def test_talk_is_an_occasion_for_both(self):
        for state in ("starting", "dialing", "alerting", "connecting", "active", "held"):
            for when in ("ring", "talk"):
                self.assertTrue(is_due(calls(state), when), state)

    def test_a_call_that_is_over_or_on_another_device_is_none(self):
        self.assertFalse(is_due(calls("ending", "ended", "external"), "ring"))
        self.assertFalse(is_due([], "ring"))

    def test_one_of_several_is_enough(self):
        self.assertTrue(is_due(calls("ended", "held"), "talk"))


class StreamTests(unittest.TestCase):
    def lowered(self, *streams, apps=()):
        return {index for _, index in to_be_lowered(streams, [App.parsed(app) for app in apps])}

    def test_music_and_the_like_are_lowered_and_what_has_no_role(self):
        streams = [stream(1, "music"), stream(2, "Video"), stream(3, "game"), stream(4)]
        self.assertEqual(self.lowered(*streams), {1, 2, 3, 4})

    def test_phones_and_notifications_are_not(self):
        self.assertEqual(self.lowered(stream(1, "phone"), stream(2, "event"), stream(3, "a11y")), set())

    def test_a_program_that_records_is_not(self):
        self.assertEqual(self.lowered(stream(1), stream(7, kind="source-output")), set())

    def test_a_program_that_only_measures_is(self):
        meter = stream(7, kind="source-output", is_meter=True)
        self.assertEqual(self.lowered(stream(1), meter), {1})

    def test_an_app_of_calls_is_not(self):
        self.assertEqual(self.lowered(stream(1, "music"), apps=["org.example.one=p1"]), set())

    def test_a_stream_of_the_server_itself_is_not(self):
        self.assertEqual(self.lowered(stream(1, process="")), set())

    def test_a_volume_is_a_part_of_what_it_was(self):
        self.assertEqual(lowered((65536, 32768), 20), (13107, 6553))
        self.assertTrue(is_same((13107, 6553), (13108, 6553)))
        self.assertFalse(is_same((13107, 6553), (13107, 7000)))
        self.assertFalse(is_same((13107,), (13107, 13107)))


class OptionTests(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.environ.pop, "BROKER_OPTIONS", None)

    def options(self, text):
        os.environ["BROKER_OPTIONS"] = text
        return media_pause.arguments([])

    def test_what_the_user_set_counts(self):
        options = self.options('{"action":"lower","when":"talk","percent":35,"ignore":["vlc"],'
                               '"apps":["org.example.one=phone"]}')
        self.assertEqual((options.action, options.when, options.percent, options.ignore, options.app),
                         ("lower", "talk", 35, ["vlc"], [App("org.example.one", "phone")]))

    def test_what_is_wrong_is_logged_and_the_default_counts(self):
        with self.assertLogs("media_pause", "WARNING") as logged:
            options = self.options('{"action":"shout","percent":900,"apps":["nonsense"]}')
        self.assertEqual((options.action, options.percent, options.app), ("pause", 100, []))
        self.assertIn("'shout' is none of pause, lower; pause is used", logged.output[0])
        self.assertIn("'nonsense': expected IDENTITY=PROGRAM", logged.output[1])


if __name__ == "__main__":
    unittest.main()
