"""A real sound server, a real broker: the microphone and the live call have one mute."""
import os
import random
import re
import signal
import subprocess
import threading
import unittest

from desk import BUILT_IN, CEILING, HEADSET, ONE, TWO, Desk, wait_until

from callbroker import Failed, new_id, phone

SEED = int(os.environ.get("SEED", 1))
TOGGLES = 500                                   # of each side


class MuteTests:
    """What depends on the server: with one or the other."""

    server = ""
    modules = ()

    def setUp(self):
        self.desk = Desk(self, self.server, *self.modules)
        self.one = self.desk.app(ONE)
        self.plugin = self.desk.start_plugin()

    def muted_by_its_app(self):
        """A live call that its app has muted, and the source with it."""
        call = self.desk.call(self.one)
        self.one.report_muted(call, True).result(CEILING)
        self.desk.wait_for_source(True)
        return call

    def muted_through(self, replace_pactl):
        """A live call that its app has muted; the plugin that follows it has another pactl."""
        self.plugin.stop()
        replace_pactl()
        self.plugin = self.desk.start_plugin()
        call = self.desk.call(self.one)
        self.one.report_muted(call, True).result(CEILING)
        return call

    def muted_by_key(self):
        call = self.desk.call(self.one)
        self.desk.set_source(True)
        self.desk.wait_for_call(call, True)
        return call

    # ---- One mute

    def test_the_call_follows_the_source(self):
        call = self.muted_by_key()
        self.desk.set_source(False)
        self.desk.wait_for_call(call, False)
        self.assertEqual(self.desk.actions, [(call, True), (call, False)])

    def test_the_source_follows_the_call(self):
        call = self.desk.call(self.one)
        self.desk.set_call(call, True)
        self.desk.wait_for_source(True)
        self.desk.set_call(call, False)
        self.desk.wait_for_source(False)
        self.assertEqual(self.desk.actions, [(call, True), (call, False)])   # those of the user

    def test_either_undoes_what_the_other_did(self):
        call = self.muted_by_key()
        self.desk.set_call(call, False)
        self.desk.wait_for_source(False)
        self.one.report_muted(call, True).result(CEILING)
        self.desk.wait_for_source(True)
        self.desk.set_source(False)
        self.desk.wait_for_call(call, False)

    def test_a_thousand_toggles_end_with_one_mute_and_few_messages(self):
        call = self.desk.call(self.one)
        choices = [[random.Random(SEED + side).random() < 0.5 for _ in range(TOGGLES)]
                   for side in range(2)]
        key = threading.Thread(target=lambda: [self.desk.set_source(each) for each in choices[0]])
        key.start()
        for each in choices[1]:
            self.one.report_muted(call, each).result(CEILING)
        key.join()
        wait_until("they agree", lambda: self.agree(call))
        self.assertLessEqual(len(self.desk.actions), TOGGLES)
        self.assertLessEqual(len(self.changes("source")), TOGGLES)
        self.is_at_rest(call)

    def agree(self, call):
        """So it is once everything before it has gone by: both were read twice."""
        return len({self.desk.is_call_muted(call), self.desk.is_source_muted(),
                    self.desk.is_call_muted(call), self.desk.is_source_muted()}) == 1

    def changes(self, kind):
        return re.findall(f"muting a {kind}", self.plugin.said())

    def is_at_rest(self, call):
        """One change makes one message, and no echo."""
        self.set_both(call, True)
        self.set_both(call, False)
        before = len(self.desk.actions), len(self.changes("source"))
        for muted in (True, False):
            self.desk.set_source(muted)
            self.desk.wait_for_call(call, muted)
        for muted in (True, False):
            self.one.report_muted(call, muted).result(CEILING)
            self.desk.wait_for_source(muted)
        self.assertEqual((len(self.desk.actions), len(self.changes("source"))),
                         (before[0] + 2, before[1] + 2))

    def set_both(self, call, muted):
        self.one.report_muted(call, muted).result(CEILING)
        self.desk.wait_for_source(muted)

    # ---- The end of a call

    def test_a_source_that_its_call_muted_is_unmuted_after_it(self):
        self.desk.end(self.muted_by_its_app())
        self.desk.wait_for_source(False)
        self.desk.wait_for_nothing_borrowed()

    # ---- Other sources

    def test_the_next_source_has_the_mute_and_the_former_gives_it_back(self):
        call = self.muted_by_its_app()
        self.desk.use(HEADSET)
        self.desk.wait_for_source(True, HEADSET)
        self.desk.wait_for_source(False, BUILT_IN)
        self.desk.end(call)
        self.desk.wait_for_source(False, HEADSET)
        self.desk.wait_for_nothing_borrowed()

    # ---- What does not last

    def test_a_server_that_does_not_answer_for_a_while_is_followed_again(self):
        call = self.desk.call(self.one)
        self.desk.hang()
        self.one.report_muted(call, True).result(CEILING)
        self.plugin.wait_for("the microphone cannot be followed")
        self.desk.hang(signal.SIGCONT)
        self.desk.wait_for_source(True)
        self.assertTrue(self.desk.is_call_muted(call))

    def test_a_mute_of_which_nothing_is_known_is_not_the_users(self):
        call = self.muted_through(self.desk.ignore_mutes)
        self.plugin.wait_for("a source is not there")
        self.desk.let_mute()
        self.desk.wait_for_source(True)
        self.assertTrue(self.desk.is_call_muted(call))

    def test_an_unmute_right_after_the_mute_is_the_users(self):
        call = self.muted_through(self.desk.unmute_quickly)
        self.desk.wait_for_call(call, False)
        self.assertFalse(self.desk.is_source_muted())

    def test_a_plugin_that_is_killed_is_succeeded(self):
        call = self.muted_by_its_app()
        self.plugin.kill(signal.SIGKILL)
        self.desk.end(call)
        self.assertTrue(self.desk.is_source_muted())
        self.desk.start_plugin()
        self.desk.wait_for_source(False)
        self.desk.wait_for_nothing_borrowed()

    def test_a_plugin_that_is_stopped_gives_back(self):
        self.muted_by_its_app()
        self.plugin.kill(signal.SIGTERM)
        self.assertEqual(self.plugin.process.returncode, 0)
        self.desk.wait_for_source(False)
        self.desk.wait_for_nothing_borrowed()


class PulseAudioTests(MuteTests, unittest.TestCase):
    server = "pulseaudio"

    # ---- The end of a call

    def test_a_source_that_the_user_muted_stays_muted(self):
        call = self.muted_by_key()
        self.desk.end(call)
        self.desk.wait_for_nothing_borrowed()
        other = self.desk.call(self.one)
        self.desk.wait_for_call(other, True)
        self.assertTrue(self.desk.is_source_muted())

    def test_without_calls_the_source_is_nobody_elses(self):
        self.desk.set_source(True)
        call = self.desk.call(self.one)
        self.desk.wait_for_call(call, True)
        self.desk.end(call)
        self.desk.set_source(False)
        self.assertEqual(self.desk.actions, [(call, True)])

    # ---- Several calls

    def test_the_source_has_the_mute_of_the_call_that_is_live(self):
        first = self.muted_by_its_app()
        second = self.desk.call(self.desk.app(TWO))
        self.desk.wait_for_source(False)
        self.desk.user.swap(wait="completed").result(CEILING)
        self.desk.wait_for_source(True)
        self.assertEqual([self.desk.is_call_muted(call) for call in (first, second)], [True, False])
        self.assertEqual(self.desk.actions, [])

    def test_a_source_that_the_user_muted_mutes_the_next_call_too(self):
        self.muted_by_key()
        second = self.desk.call(self.desk.app(TWO))
        self.desk.wait_for_call(second, True)
        self.assertTrue(self.desk.is_source_muted())

    def test_held_calls_that_the_source_had_muted_are_unmuted_with_it(self):
        first = self.muted_by_key()
        second = self.desk.call(self.desk.app(TWO))
        self.desk.wait_for_call(second, True)
        self.desk.set_source(False)
        for call in (first, second):
            self.desk.wait_for_call(call, False)

    def test_a_held_call_that_its_app_muted_stays_muted(self):
        first = self.muted_by_its_app()
        second = self.desk.call(self.desk.app(TWO))
        self.desk.wait_for_source(False)
        self.desk.set_source(True)
        self.desk.wait_for_call(second, True)
        self.desk.set_source(False)
        self.desk.wait_for_call(second, False)
        self.assertTrue(self.desk.is_call_muted(first))

    # ---- Other sources, and other lives

    def test_a_source_that_is_muted_already_mutes_the_call(self):
        self.desk.set_source(True, HEADSET)
        call = self.desk.call(self.one)
        self.desk.use(HEADSET)
        self.desk.wait_for_call(call, True)
        self.assertTrue(self.desk.is_source_muted(HEADSET))

    def test_another_life_of_the_sound_server_is_followed(self):
        call = self.muted_by_its_app()
        self.desk.stop_server()
        self.plugin.wait_for("the microphone cannot be followed")
        self.desk.start_server()
        self.desk.wait_for_source(True)
        self.desk.end(call)
        self.desk.wait_for_source(False)
        self.assertEqual(self.plugin.said().count("cannot be followed"), 1)

    def test_without_a_broker_the_source_is_given_back_in_the_end(self):
        self.plugin.stop()
        plugin = self.desk.start_plugin("--patience", "0.5")
        self.muted_by_its_app()
        self.desk.broker.kill()
        self.desk.wait_for_source(False)
        self.assertIsNone(plugin.process.poll())
        self.desk.broker.start()

    def test_a_source_that_is_muted_while_the_broker_is_away_mutes_the_call(self):
        @self.one.reconcile
        def calls():
            return [{"call": call, "direction": "incoming", "state": "active",
                     "remote": phone("+15550100")}]

        call = self.desk.call(self.one)
        self.desk.broker.kill()
        self.desk.set_source(True)
        self.desk.broker.start()
        wait_until("the user is back", lambda: self.desk.user.connected)
        self.desk.wait_for_call(call, True)
        self.assertTrue(self.desk.is_source_muted())

    def test_an_app_that_cannot_be_muted_leaves_the_source_as_the_user_has_it(self):
        @self.one.on_set_muted
        def refuse(action):
            raise Failed("not_today", "there is no button for it")

        call = self.desk.call(self.one)
        self.desk.set_source(True)
        self.plugin.wait_for("a call is not muted")
        self.assertTrue(self.desk.is_source_muted())
        self.desk.set_source(False)
        self.one.report_muted(call, True).result(CEILING)
        self.desk.wait_for_source(True)         # what happens to the call counts again

    def test_an_emergency_call_is_heard(self):
        self.desk.set_source(True)
        call = new_id()
        self.desk.user.start(phone("112"), call=call, wait="completed").result(CEILING)
        self.desk.wait_for_source(False)
        self.assertFalse(self.desk.is_call_muted(call))

    def test_a_damaged_file_is_logged(self):
        plugin = self.plugin
        for damaged in ("[", "[7]", '{"calls": 7}'):
            plugin.stop()
            with open(self.desk.state, "w", encoding="utf-8") as file:
                file.write(damaged)
            plugin = self.desk.start_plugin()
            self.assertIn("is damaged", plugin.said())


class PipeWireTests(MuteTests, unittest.TestCase):
    server = "pipewire"


if __name__ == "__main__":
    unittest.main()
