"""Who has to be silent, which streams are muted for it, and what is owed."""
import asyncio
import dataclasses
import json
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import studio  # noqa: F401  (finds the plugin)
from muted_streams import Debts, InUse
from pulse_guard import Guard
from rules import Grant, streams_of
from sound_server import App, Stream


def call(id, provider, state, **members):
    return {"call": id, "provider": provider, "state": state, "group": id, **members}


def stream(index, binary, muted=False, kind="sink-input", restore_id=""):
    properties = {"application.process.binary": binary, "application.process.id": str(index)}
    if restore_id:
        properties["module-stream-restore.id"] = restore_id
    return Stream(kind, index, muted, properties)


class GrantTests(unittest.TestCase):
    def setUp(self):
        self.grant = Grant()

    def happened(self, *events):
        for topic, data in events:
            self.grant.happened(topic, data)

    def test_nobody_who_has_no_held_call_is_silent(self):
        self.grant.begin({"a": call("a", "A", "active"), "b": call("b", "B", "ringing")})
        self.assertEqual(self.grant.silent(), set())

    def test_an_app_with_a_held_call_is_silent_even_if_nobody_speaks(self):
        self.grant.begin({"a": call("a", "A", "held")})
        self.assertEqual(self.grant.silent(), {"A"})

    def test_an_app_whose_callee_rings_is_not_silent_for_another_held_call(self):
        for state in ("dialing", "alerting", "connecting"):
            self.grant.begin({"a": call("a", "A", "held"), "b": call("b", "A", state)})
            self.assertEqual(self.grant.silent(), set(), state)

    def test_an_app_that_speaks_in_another_call_is_not_silent(self):
        self.grant.begin({"a": call("a", "A", "held"), "b": call("b", "A", "active"),
                          "c": call("c", "C", "held")})
        self.assertEqual(self.grant.silent(), {"C"})

    def test_a_call_that_is_resumed_is_heard_once_it_has_the_audio(self):
        self.grant.begin({"a": call("a", "A", "active")})
        self.happened(("audio.changed", {"from": "a", "to": None}),
                      ("call.changed", call("a", "A", "held")))
        self.assertEqual(self.grant.silent(), {"A"})
        self.happened(("call.changed", call("a", "A", "active")),
                      ("audio.changed", {"from": None, "to": "a"}))
        self.assertEqual(self.grant.silent(), set())

    def test_an_app_that_did_not_hold_in_time_is_silent_while_another_speaks(self):
        self.grant.begin({"a": call("a", "A", "active")})
        self.happened(("call.changed", call("a", "A", "ended", end_cause={"origin": "timeout"})),
                      ("call.added", call("b", "B", "active")),
                      ("audio.changed", {"from": None, "to": "b"}))
        self.assertEqual(self.grant.silent(), {"A"})
        self.happened(("call.changed", call("b", "B", "ended", end_cause={"origin": "user"})),
                      ("audio.changed", {"from": "b", "to": None}))
        self.assertEqual(self.grant.silent(), set())

    def test_an_app_whose_call_ended_without_its_provider_is_silent_while_another_speaks(self):
        """It was ended by the user, or given up, and there was nobody to hang it up."""
        self.grant.begin({"a": call("a", "A", "active")})
        self.happened(("call.changed", call("a", "A", "ended", end_cause={"origin": "user"},
                                            provider_connected=False)))
        self.assertEqual(self.grant.silent(), set())
        self.happened(("call.added", call("b", "B", "active", provider_connected=True)),
                      ("audio.changed", {"from": None, "to": "b"}))
        self.assertEqual(self.grant.silent(), {"A"})

    def test_an_app_that_did_not_hold_is_trusted_again_once_it_has_the_audio(self):
        self.happened(("call.added", call("a", "A", "active")),
                      ("call.changed", call("a", "A", "ended", end_cause={"origin": "timeout"})),
                      ("call.added", call("b", "A", "active")),
                      ("audio.changed", {"from": None, "to": "b"}),
                      ("call.added", call("c", "C", "active")),
                      ("audio.changed", {"from": "b", "to": "c"}))
        self.assertEqual(self.grant.silent(), set())


class StreamTests(unittest.TestCase):
    def test_how_an_app_is_known(self):
        for text, expected in (("org.a=phone", True), ("org.a=other", False),
                               ("org.a=application.process.id=7", True),
                               ("org.a=application.process.id=8", False)):
            self.assertEqual(App.parsed(text).owns(stream(7, "phone")), expected, text)
        for text in ("org.a", "=phone", "org.a=", "org.a=name=", "org.a==x"):
            with self.assertRaises(ValueError):
                App.parsed(text)

    def test_a_stream_of_two_apps_is_heard_while_one_of_them_may_be(self):
        streams = [stream(1, "shared"), stream(2, "phone"), stream(3, "music")]
        apps = [App("A", "shared"), App("B", "shared"), App("A", "phone")]
        self.assertEqual(streams_of({"A"}, streams, apps), {("sink-input", 2)})
        self.assertEqual(streams_of({"A", "B"}, streams, apps),
                         {("sink-input", 1), ("sink-input", 2)})


class OptionTests(unittest.TestCase):
    def test_a_wrong_option_is_named_once_and_costs_no_other(self):
        watch = mock.Mock(hello={"options": {"apps": ["nonsense", "org.a=phone"]}})

        async def apps():
            guard = Guard(watch, None, [App("org.b", "other")], 1.0)
            return guard._apps(set()), guard._apps(set())
        with self.assertLogs("pulse_guard", "WARNING") as logs:
            self.assertEqual(asyncio.run(apps()),
                             ([App("org.b", "other"), App("org.a", "phone")],) * 2)
        self.assertEqual(logs.output, ["WARNING:pulse_guard:option apps: 'nonsense': expected "
                                       "IDENTITY=PROGRAM or IDENTITY=PROPERTY=VALUE"])


class GuardTests(unittest.TestCase):
    """Without a sound server: what it would show, and what it is told."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        debts = Debts(Path(folder.name, "muted.json"))
        self.addCleanup(debts.close)
        self.watch = mock.MagicMock(hello={}, calls={})
        self.guard = Guard(self.watch, debts, [App("org.a", "phone")], 1.0)
        self.muted = []

    def settle(self, *streams, silenced=("org.a",)):
        with self.showing(*streams):
            asyncio.run(self.guard.settle(set(silenced), set()))

    def showing(self, *streams):
        """A sound server with these streams."""
        async def streams_now():
            return list(streams)

        async def life():
            return "L"

        async def set_muted(kind, index, muted):
            self.muted.append(index)
        return mock.patch.multiple("sound_server", life=life, streams=streams_now,
                                   set_muted=set_muted)

    async def follow(self, *events):
        self.watch.__aiter__.return_value = [{"topic": topic, "data": data} for topic, data in events]
        await self.guard.follow_calls()

    def test_a_number_that_comes_again_is_another_stream(self):
        with self.assertLogs("muted_streams", "WARNING"):
            for _ in range(11):                 # it unmutes itself, and is left alone then
                self.settle(stream(1, "phone"))
        self.settle()
        self.settle(stream(1, "phone"))
        self.assertEqual(self.muted, [1] * 11)

    def test_a_mute_that_is_about_to_be_restored_is_still_owed(self):
        """PipeWire shows such a stream for a moment as not muted, at a volume of 0."""
        self.settle(stream(1, "phone", restore_id="a"))
        self.settle()
        self.settle(silenced=())
        returned = stream(2, "phone", restore_id="a")
        for shown in (dataclasses.replace(returned, volumes=(0,)),
                      dataclasses.replace(returned, volumes=(65_536,), muted=True)):
            self.settle(shown, silenced=())
        self.assertEqual(self.muted, [1, 2])

    def test_a_handover_waits_until_what_was_sent_before_it_is_looked_at(self):
        self.watch.calls = {"a": call("a", "org.a", "active"), "b": call("b", "org.b", "ringing")}

        async def answer():
            await self.follow(("snapshot", {}))
            prepared = asyncio.create_task(self.guard.prepare({"group": "b"}))
            await asyncio.sleep(0)              # it begins
            await self.follow(("call.changed", call("a", "org.a", "held")),
                              ("call.changed", call("b", "org.b", "active")))
            await prepared
        with self.showing(stream(1, "phone")), mock.patch("pulse_guard.SHOWN_SECONDS", (0,)):
            asyncio.run(answer())
        self.assertEqual(self.muted, [1])


class DebtTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name, "state", "muted.json")
        self.debts = Debts(self.path)
        self.addCleanup(lambda: self.debts.close())

    def successor(self):
        self.debts.close()
        self.debts = Debts(self.path)
        return self.debts

    def test_a_debt_is_on_disk_until_it_is_paid(self):
        self.debts.add(stream(1, "phone"), "L")
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o600)
        successor = self.successor()
        successor.see([stream(1, "phone", True)], "L")
        self.assertTrue(successor.is_owed(stream(1, "phone", True), "L"))
        successor.paid(stream(1, "phone"), "L")
        self.assertFalse(self.path.exists())

    def test_one_guard_at_a_time(self):
        with self.assertRaises(InUse):
            Debts(self.path)

    def test_numbers_of_another_life_of_the_server_mean_nothing(self):
        self.debts.add(stream(1, "phone"), "L")
        self.debts.see([stream(1, "music", True)], "M")
        self.assertFalse(self.debts.is_owed(stream(1, "music", True), "M"))
        self.assertFalse(self.path.exists())

    def test_a_stream_inherits_the_mute_of_one_that_is_gone(self):
        gone, heir = (stream(index, "phone", True, restore_id="by-name:phone") for index in (1, 2))
        self.debts.see([gone, heir], "L")
        self.debts.add(gone, "L")
        self.debts.see([gone, heir], "L")
        self.assertFalse(self.debts.is_owed(heir, "L"))     # it was there before
        self.debts.see([heir], "L")
        self.assertTrue(self.debts.is_owed(heir, "L"))
        self.debts.paid(heir, "L")
        self.debts.see([heir], "L")
        self.assertFalse(self.debts.is_owed(heir, "L"))

    def test_a_stream_that_begins_like_a_muted_one_inherits_its_mute(self):
        muted, next_one = (stream(index, "phone", True, restore_id="by-role:phone") for index in (1, 2))
        self.debts.see([muted], "L")
        self.debts.add(muted, "L")
        self.debts.see([muted, next_one], "L")
        self.assertTrue(self.debts.is_owed(next_one, "L"))
        self.debts.paid(next_one, "L")
        self.debts.see([muted, next_one], "L")
        self.assertFalse(self.debts.is_owed(next_one, "L"))
        self.assertTrue(self.debts.is_owed(muted, "L"))

    def test_what_can_be_inherited_is_bounded(self):
        for index in range(100):
            self.debts.add(stream(index, "phone", restore_id=f"by-name:{index}"), "L")
        self.debts.see([], "L")
        self.assertEqual(len(json.loads(self.path.read_text(encoding="utf-8"))), 64)

    def test_a_damaged_file_is_no_reason_not_to_work(self):
        self.path.write_text('[{"life": 1}]', encoding="utf-8")
        with self.assertLogs("muted_streams", "WARNING"):
            successor = self.successor()
        self.assertFalse(successor.is_owed(stream(1, "phone", True), "L"))


if __name__ == "__main__":
    unittest.main()
