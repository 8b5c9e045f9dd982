"""Which streams are whose, when a call begins and ends, and which files of rules are taken. No sound
server, and no clock."""
import asyncio
import copy
import json
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import jsonschema

PLUGIN = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PLUGIN), str(PLUGIN.parent.parent / "sdk" / "python")]

import recognition  # noqa: E402
import watcher  # noqa: E402
from presence import Presence  # noqa: E402
from recognition import Streams, WrongRules, monitors, parsed, sorted_by_app  # noqa: E402
from sound_server import Stream  # noqa: E402

RULE = {"app": "phone", "name": "Phone", "match": [{"binary": "phone"}]}


def stream(kind="source-output", index=1, muted=False, corked=False, device=5, is_meter=False,
           **properties):
    names = {"id": "application.id", "binary": "application.process.binary",
             "name": "application.name", "role": "media.role", "portal":
             "pipewire.access.portal.app_id", "monitor": "stream.monitor"}
    said = {names[word]: value for word, value in properties.items()}
    return Stream(kind, index, muted, said, corked, device, is_meter)


def rule(**members):
    return parsed({"apps": [{**RULE, **members}]})[0]


class RecognitionTests(unittest.TestCase):
    def owners(self, *streams, rules=(), providers=()):
        found = sorted_by_app(streams, {9}, rules or [rule()], set(providers))
        return {app: (len(each.recording), len(each.playing)) for app, each in found.items()}

    def test_an_app_is_known_by_each_of_its_conditions_whatever_the_case(self):
        known = rule(match=[{"binary": ["phone", "phone-beta"]}, {"id": "org.phone"},
                            {"name": "Engine", "role": "phone"}])
        for properties, is_owned in (
                ({"binary": "PHONE"}, True), ({"binary": "phone-beta"}, True),
                ({"id": "org.Phone"}, True), ({"portal": "org.phone"}, True),
                ({"name": "engine", "role": "phone"}, True), ({"name": "engine"}, False),
                ({"binary": "telephone"}, False), ({}, False)):
            self.assertEqual(known.owns(stream(**properties)), is_owned, properties)

    def test_streams_are_sorted_by_app_and_direction(self):
        self.assertEqual(self.owners(
            stream(binary="phone"), stream("sink-input", 2, binary="phone"),
            stream("sink-input", 3, binary="music"), stream(binary="parecord")), {"phone": (1, 1)})

    def test_a_monitor_and_a_meter_are_no_microphone_in_use(self):
        self.assertEqual(self.owners(
            stream(binary="phone", device=9), stream(binary="phone", is_meter=True),
            stream(binary="phone", monitor="true")), {})

    def test_sources_that_repeat_a_loudspeaker_are_monitors(self):
        self.assertEqual(monitors([
            {"index": 1, "monitor_source": "sink", "properties": {}},
            {"index": 2, "properties": {"device.class": "monitor"}},
            {"index": 3, "monitor_source": "", "properties": {"device.class": "sound"}}]), {1, 2})

    def test_an_app_whose_calls_a_provider_reports_is_not_counted_twice(self):
        known = [rule(unless=["org.callbroker.phone"])]
        mine = stream(binary="phone")
        self.assertEqual(self.owners(mine, rules=known), {"phone": (1, 0)})
        self.assertEqual(self.owners(mine, rules=known, providers=["org.callbroker.phones"]),
                         {"phone": (1, 0)})
        for provider in ("org.callbroker.phone", "org.callbroker.phone.2"):
            self.assertEqual(self.owners(mine, rules=known, providers=[provider]), {})

    def test_an_app_that_is_a_provider_under_its_own_id_is_not_counted_twice(self):
        self.assertEqual(self.owners(stream(binary="phone", id="org.phone"),
                                     providers=["org.phone"]), {})


class PresenceTests(unittest.TestCase):
    """With the moments that a test gives, in seconds."""

    def setUp(self):
        self.presence = Presence({"phone": rule(begin_ms=1_000, end_ms=3_000)})

    def see(self, now, *streams):
        return self.presence.see({"phone": Streams(list(streams))} if streams else {}, now)

    def test_a_call_begins_once_its_app_has_recorded_for_a_while(self):
        self.assertEqual(self.see(0.0, stream()), ([], []))
        self.assertEqual(self.presence.wait(0.4), 0.6)
        self.assertEqual(self.see(0.9, stream()), ([], []))
        self.assertEqual(self.see(1.0, stream()), (["phone"], []))
        self.assertIsNone(self.presence.wait(1.0))
        self.assertEqual(self.see(9.0, stream()), ([], []))

    def test_looks_at_the_microphone_are_no_call(self):
        for now in (0.0, 1.0, 2.0, 3.0):
            self.assertEqual(self.see(now, stream()), ([], []))
            self.assertEqual(self.see(now + 0.5), ([], []))
        self.assertIsNone(self.presence.wait(9.0))

    def test_a_call_is_over_after_a_while_without_a_stream(self):
        self.see(0.0, stream()), self.see(1.0, stream())
        self.assertEqual(self.see(5.0), ([], []))
        self.assertEqual(self.presence.wait(5.0), 3.0)
        self.assertEqual(self.see(7.9), ([], []))
        self.assertEqual(self.see(8.0), ([], ["phone"]))
        self.assertIsNone(self.presence.wait(8.0))

    def test_a_stream_that_reappears_within_a_moment_goes_on_with_the_call(self):
        self.see(0.0, stream()), self.see(1.0, stream())
        for now in (2.0, 5.5, 9.0):             # each gap counts for itself
            self.assertEqual(self.see(now), ([], []))
            self.assertEqual(self.see(now + 2.5, stream(index=2)), ([], []))

    def test_a_stream_that_moves_makes_no_difference(self):
        self.see(0.0, stream()), self.see(1.0, stream())
        self.assertEqual(self.see(2.0, stream(device=6)), ([], []))
        self.assertIsNone(self.presence.wait(2.0))

    def test_a_paused_stream_begins_no_call_and_ends_none(self):
        self.assertEqual(self.see(0.0, stream(corked=True)), ([], []))
        self.assertIsNone(self.presence.wait(0.0))
        self.see(1.0, stream()), self.see(2.0, stream())
        self.assertEqual(self.see(60.0, stream(corked=True)), ([], []))
        self.assertIsNone(self.presence.wait(60.0))

    def test_a_call_of_a_predecessor_goes_on_or_is_over(self):
        self.presence.restore("phone", 0.0)
        self.assertEqual(self.see(0.0, stream()), ([], []))
        self.assertEqual((self.see(1.0), self.see(4.0)), (([], []), ([], ["phone"])))


class ReadingTests(unittest.TestCase):
    """A sound server that takes its time to list the streams."""

    def test_a_hold_that_comes_while_the_streams_are_read_waits_for_the_next_reading(self):
        """The user has muted the microphone meanwhile, and what he mutes is his."""
        app, muted, microphone = SimpleNamespace(is_muted=False, is_silent=False), [], [False]

        async def streams():
            found = [stream(index=1, muted=microphone[0], binary="phone"),
                     stream("sink-input", index=2, binary="phone")]
            microphone[0] = app.is_muted = app.is_silent = True
            return found

        async def set_muted(kind, index, is_muted):
            muted.append((kind, index, is_muted))

        async def settled_twice(folder):
            debts = watcher.Debts(folder / "muted.json")
            ours = watcher.Watcher(None, [rule()], debts, folder / "calls.json", 20.0, None)
            ours._presence.restore("phone", asyncio.get_running_loop().time())
            ours._apps["phone"] = app
            await ours._settle()
            self.assertEqual(muted, [])
            await ours._settle()
            debts.close()
        with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(
                watcher.sound_server, streams=streams, set_muted=set_muted,
                life=mock.AsyncMock(return_value="one"), document=mock.AsyncMock(return_value=[])):
            asyncio.run(settled_twice(Path(folder)))
        self.assertEqual(muted, [("sink-input", 2, True)])


class FileTests(unittest.TestCase):
    WRONG = (
        ("/apps/0/app", {"app": "Phone"}), ("/apps/0/app", {"app": ""}),
        ("/apps/0/app", {"app": "a" * 33}), ("/apps/0/name", {"name": ""}),
        ("/apps/0/name", {"name": "n" * 65}), ("/apps/0/name", {"name": None}),
        ("/apps/0/match", {"match": []}), ("/apps/0/match/0", {"match": [{}]}),
        ("/apps/0/match/0", {"match": [{"title": "x"}]}),
        ("/apps/0/match/0/binary", {"match": [{"binary": []}]}),
        ("/apps/0/match/0/binary", {"match": [{"binary": ["a", 1]}]}),
        ("/apps/0/unless", {"unless": "org.a"}), ("/apps/0/unless", {"unless": ["phone"]}),
        ("/apps/0/begin_ms", {"begin_ms": -1}), ("/apps/0/begin_ms", {"begin_ms": True}),
        ("/apps/0/end_ms", {"end_ms": 600_001}), ("/apps/0/watch", {"watch": "no"}),
        ("/apps/0", {"rings": True}))

    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads((PLUGIN / "apps.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(cls.schema)

    def fits(self, document):
        return jsonschema.Draft202012Validator(self.schema).is_valid(document)

    def test_the_packaged_rules_are_taken_and_fit_the_schema(self):
        document = json.loads((PLUGIN / "apps.json").read_text(encoding="utf-8"))
        self.assertTrue(self.fits(document))
        self.assertGreater(len(recognition.read(PLUGIN / "apps.json")), 20)

    def test_a_wrong_entry_is_refused_with_its_place_and_by_the_schema(self):
        self.assertTrue(self.fits({"apps": [RULE]}))
        for place, members in self.WRONG:
            document = {"apps": [{**copy.deepcopy(RULE), **members}]}
            with self.assertRaises(WrongRules, msg=members) as raised:
                parsed(document)
            self.assertTrue(str(raised.exception).startswith(place + ": expected "), members)
            self.assertFalse(self.fits(document), members)
        for document in ([], {}, {"apps": {}}, {"apps": [], "more": 1}, {"apps": [{"app": "a"}]}):
            with self.assertRaises(WrongRules):
                parsed(document)
            self.assertFalse(self.fits(document), document)

    def test_an_app_occurs_once_in_a_file(self):
        with self.assertRaisesRegex(WrongRules, "/apps/1/app: expected an app that no other"):
            parsed({"apps": [RULE, RULE]})

    def test_the_users_rules_come_first_and_may_switch_an_app_off(self):
        own = parsed({"apps": [{"app": "phone", "watch": False}, {**RULE, "app": "mine"}]})
        self.assertTrue(self.fits({"apps": [{"app": "phone", "watch": False}]}))
        rules = recognition.together([rule(), rule(app="other")], own, ["other"])
        self.assertEqual([(each.app, each.watch) for each in rules],
                         [("phone", False), ("mine", True)])
        self.assertEqual(list(sorted_by_app([stream(binary="phone")], set(), rules, set())),
                         ["mine"])

    def test_a_wrong_file_of_the_user_is_named_and_costs_no_other(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "a.json").write_text('{"apps": [{"app": "?"}]}', encoding="utf-8")
            Path(folder, "b.json").write_text(json.dumps({"apps": [{**RULE, "app": "mine"}]}),
                                              encoding="utf-8")
            options = watcher.arguments(["--rules", folder])
            with self.assertLogs("watcher", "WARNING") as logs:
                rules = watcher.rules_of(options)
        self.assertEqual(rules[0].app, "mine")
        self.assertIn("a.json: /apps/0/app: expected 1 to 32 of a-z, 0-9 and -; the file is left "
                      "out", logs.output[0])


if __name__ == "__main__":
    unittest.main()
