"""Real streams at a real sound server, PulseAudio and PipeWire alike, and what the broker makes of them."""
import os
import shutil
import signal
import unittest

from booth import APP, CEILING, REPORTER, TWO, WATCHED, Booth, wait_until


class Streams:
    """What holds for both."""

    server = ""
    modules = ()

    def setUp(self):
        self.booth = Booth(self, self.server, *self.modules)

    def recording(self, *arguments):
        """The watched app in a call, with the plugin."""
        self.watcher = self.booth.start_watcher(*arguments)
        self.streams = self.booth.streams_of(APP)
        return self.booth.wait_for_state("active")["call"]

    def held(self, *arguments):
        """The same, held for the call of another app, which is the second of the result."""
        call = self.recording(*arguments)
        other = self.booth.call(self.booth.app(TWO))
        self.booth.wait_for_state("held")
        self.booth.wait_for_muted(APP)
        return call, other

    def hang_up(self, call):
        self.booth.user.end(call, wait="completed").result(CEILING)

    def leave(self):
        for stream in self.streams:
            stream.stop()

    def test_an_app_that_records_is_in_a_call_with_what_it_can_do(self):
        call = self.recording()
        self.assertEqual(sorted(self.booth.watched()["allowed"]), ["end", "hold", "mute"])
        provider = next(each for each in self.booth.user.list_providers().result(CEILING)[
            "providers"] if each["provider"] == WATCHED + APP)
        self.assertEqual((provider["display_name"], provider["kind"], provider.get("url_schemes")),
                         ("Phone one", "watched", []))
        self.assertEqual(self.booth.mutes(APP), [False, False])
        self.assertNotIn("muting", self.watcher.said())
        self.leave()
        self.booth.wait_for_state(None)
        entry = self.booth.history()[0]
        self.assertEqual((entry["call"], entry["provider"], entry["end_reason"],
                          entry["end_detail"]["reason"]),
                         (call, WATCHED + APP, "remote_ended", "stream_ended"))
        wait_until("no app is registered", lambda: not self.booth.user.list_providers().result(
            CEILING)["providers"])

    def test_it_cannot_be_dialed(self):
        self.recording()
        reply = self.booth.user.start({"type": "generic", "value": APP}, wait="completed",
                                      provider=WATCHED + APP)
        self.assertEqual(self.booth.refusal(reply).reason, "max_call_groups")
        self.leave()

    def test_a_call_of_another_app_is_held_for_it(self):
        other = self.booth.call(self.booth.app(TWO))
        call = self.recording()
        self.assertEqual(self.booth.user.calls[other]["state"], "held")
        self.assertEqual(self.booth.user.calls[other]["held_because_of"], call)
        self.assertEqual(self.booth.user.calls[call]["cause"]["rule"], "13")
        self.booth.wait_for_unmuted(APP)

    def test_it_is_muted_while_a_call_that_cannot_be_held_is_live(self):
        two = self.booth.app(TWO)
        other = self.booth.call(two)
        two.report_update(other, supports_holding=False).result(CEILING)
        self.watcher = self.booth.start_watcher()
        self.booth.streams_of(APP)
        self.booth.wait_for_state("held")
        self.booth.wait_for_muted(APP)
        self.assertEqual(self.booth.user.calls[other]["state"], "active")

    def test_it_is_held_by_muting_both_directions(self):
        _, other = self.held()
        self.assertEqual(self.booth.loudness(0.5), 0)
        self.hang_up(other)
        self.booth.wait_for_state("active")
        self.booth.wait_for_unmuted(APP)
        wait_until("it is heard again", lambda: self.booth.loudness(0.2) > 10_000)

    def test_the_user_holds_resumes_and_mutes_it(self):
        call = self.recording()
        user = self.booth.user
        user.set_muted(call, True, wait="completed").result(CEILING)
        # PipeWire confirms a mute before it is seen.
        wait_until("the microphone is muted", lambda: self.booth.mutes(APP) == [False, True])
        user.set_held(call, True, wait="completed").result(CEILING)
        wait_until("both are muted", lambda: self.booth.mutes(APP) == [True, True])
        user.set_held(call, False, wait="completed").result(CEILING)
        wait_until("the loudspeaker is back", lambda: self.booth.mutes(APP) == [False, True])
        user.set_muted(call, False, wait="completed").result(CEILING)
        wait_until("the microphone is back", lambda: self.booth.mutes(APP) == [False, False])

    def test_what_the_user_muted_stays_muted(self):
        self.recording()
        (kind, index, _), _ = self.booth.streams(APP)
        self.booth.output("pactl", f"set-{kind}-mute", str(index), "1")
        wait_until("the user's mute", lambda: self.booth.mutes(APP) == [True, False])
        other = self.booth.call(self.booth.app(TWO))
        self.booth.wait_for_muted(APP)
        self.hang_up(other)
        wait_until("only what the plugin muted is given back",
                   lambda: self.booth.mutes(APP) == [True, False])

    def test_an_end_mutes_it_until_the_app_is_left(self):
        call = self.recording()
        refusal = self.booth.refusal(self.booth.user.end(call, wait="completed"))
        self.assertIn("Phone one can only be left in Phone one; until then it is muted",
                      str(refusal.data))
        self.booth.wait_for_muted(APP)
        self.booth.wait_for_state(None)
        self.leave()
        self.watcher.wait_for("is over")
        self.streams = self.booth.streams_of(APP)
        self.assertNotEqual(self.booth.wait_for_state("active")["call"], call)
        self.booth.wait_for_unmuted(APP)

    def test_unmuted_in_the_mixer_after_an_end_it_is_a_new_call(self):
        call = self.recording()
        self.booth.refusal(self.booth.user.end(call, wait="completed"))
        self.booth.wait_for_muted(APP)
        self.unmute_by_hand()
        self.assertNotEqual(self.booth.wait_for_state("active")["call"], call)
        self.booth.wait_for_unmuted(APP)

    def test_unmuted_in_the_mixer_while_held_it_asks_for_the_audio(self):
        call, other = self.held()
        self.unmute_by_hand()
        self.assertEqual(self.booth.wait_for_state("active")["call"], call)
        self.booth.wait_for_unmuted(APP)
        self.assertEqual(self.booth.user.calls[other]["state"], "held")

    def unmute_by_hand(self):
        """Once the plugin has seen the mute: what is unmuted before, it mutes again."""
        (kind, index, _), _ = self.booth.streams(APP)

        def is_seen():
            said = self.watcher.said()
            return said.rfind(f"{kind} {index} is seen muted") > said.rfind(f"muting {kind} {index}\n")
        wait_until(lambda: f"the mute is not seen: {self.watcher.said()}", is_seen)
        self.booth.output("pactl", f"set-{kind}-mute", str(index), "0")

    def test_a_stream_that_begins_while_its_app_is_held_is_muted(self):
        self.booth.write_rules(end_ms=600_000)
        call, _ = self.held()
        self.leave()
        self.booth.wait_for_mutes(APP, 0)
        self.booth.streams_of(APP)
        self.booth.wait_for_muted(APP)
        self.assertEqual(self.booth.watched()["call"], call)

    def test_a_stream_that_moves_makes_no_difference(self):
        call = self.recording()
        _, (kind, index, _) = self.booth.streams(APP)
        self.booth.output("pactl", f"move-{kind}", str(index), "headset-mic")
        other = self.booth.call(self.booth.app(TWO))
        self.booth.wait_for_muted(APP)
        self.hang_up(other)
        self.assertEqual(self.booth.wait_for_state("active")["call"], call)

    def test_recorders_and_meters_are_no_calls(self):
        self.watcher = self.booth.start_watcher()
        for name, program, source in (("recorder", "parecord", "microphone"),
                                      ("monitor", APP, "null0.monitor")):
            path = os.path.join(self.booth.folder, name)
            shutil.copy(shutil.which("pacat"), os.path.join(self.booth.folder, program))
            self.booth.program(name, os.path.join(self.booth.folder, program), "--record", "--raw",
                               "--device=" + source, path)
            wait_until("it records", lambda: os.path.exists(path) and os.path.getsize(path) > 0)
        self.booth.streams_of("phone-two")
        self.booth.write_rules("phone-two")
        self.watcher.stop()
        self.booth.start_watcher()              # it sees all of them at once
        self.booth.wait_for_state("active", "phone-two")
        self.assertEqual(list(self.booth.calls()), [WATCHED + "phone-two"])

    def test_an_app_whose_provider_comes_is_no_longer_watched(self):
        self.recording()
        self.booth.app(REPORTER)
        self.booth.wait_for_state(None)
        self.assertEqual(self.booth.history()[0]["end_detail"]["reason"], "reported_by_another")
        self.assertEqual(self.booth.mutes(APP), [False, False])

    def test_one_that_is_killed_while_it_mutes_is_succeeded(self):
        call, other = self.held()
        self.watcher.stop(signal.SIGKILL)
        successor = self.booth.start_watcher()
        wait_until("the provider is back", lambda: self.booth.watched().get("provider_connected"))
        self.assertEqual((self.booth.watched()["call"], self.booth.watched()["state"]),
                         (call, "held"))
        self.assertEqual(self.booth.mutes(APP), [True, True])
        self.hang_up(other)
        self.booth.wait_for_state("active")
        self.booth.wait_for_unmuted(APP)
        self.assertIsNone(successor.process.poll())

    def test_what_is_left_muted_is_given_back_by_a_successor(self):
        self.held()
        self.watcher.stop(signal.SIGKILL)
        shutil.copy(os.path.join(self.booth.state, "calls.json"), self.booth.folder)
        os.remove(os.path.join(self.booth.state, "calls.json"))
        self.booth.write_rules(watch=False)
        self.booth.start_watcher()
        self.booth.wait_for_unmuted(APP)

    def test_one_that_is_stopped_gives_back(self):
        self.held()
        self.watcher.kill(signal.SIGTERM)
        self.assertEqual(self.watcher.process.returncode, 0)
        self.booth.wait_for_unmuted(APP)
        self.assertFalse(os.path.exists(os.path.join(self.booth.state, "muted.json")))

    def test_a_broker_that_comes_back_finds_the_call_as_it_was(self):
        call, _ = self.held()
        self.booth.broker.kill()
        self.booth.broker.start()
        wait_until("the provider is back", lambda: self.booth.user.connected
                   and self.booth.watched().get("provider_connected"))
        self.assertEqual((self.booth.watched()["call"], self.booth.watched()["state"]),
                         (call, "held"))
        self.assertEqual(self.booth.mutes(APP), [True, True])


class PulseAudioTests(Streams, unittest.TestCase):
    server = "pulseaudio"
    modules = ("module-stream-restore",)

    def test_without_a_broker_everything_is_given_back_in_the_end(self):
        call = self.recording("--patience", "0.5")
        self.booth.user.set_held(call, True, wait="completed").result(CEILING)
        self.booth.wait_for_muted(APP)
        self.booth.broker.kill()
        self.booth.wait_for_unmuted(APP)
        self.booth.broker.start()
        self.assertEqual(self.booth.wait_for_state("active")["call"], call)

    def test_without_a_broker_a_call_that_was_ended_is_given_back_too(self):
        call = self.recording("--patience", "0.5")
        self.booth.refusal(self.booth.user.end(call, wait="completed"))
        self.booth.wait_for_muted(APP)
        self.booth.broker.kill()
        self.booth.wait_for_unmuted(APP)
        self.booth.broker.start()
        self.assertNotEqual(self.booth.wait_for_state("active")["call"], call)

    def test_another_life_of_the_sound_server_is_followed(self):
        self.recording()
        self.booth.stop_server()
        self.watcher.wait_for("no app can be watched")
        self.booth.wait_for_state(None)
        self.booth.start_server()
        self.booth.streams_of(APP)
        self.booth.wait_for_state("active")
        self.assertEqual(self.watcher.said().count("no app can be watched"), 1)

    def test_an_app_that_may_have_no_calls_is_left_alone(self):
        self.booth.deny_new_providers()
        self.booth.start_watcher()
        self.booth.streams_of(APP)
        wait_until("it is registered", lambda: self.booth.user.list_providers().result(CEILING)[
            "providers"])
        self.booth.user.ping().result(CEILING)
        self.assertEqual((self.booth.watched(), self.booth.mutes(APP)), ({}, [False, False]))


class PipeWireTests(Streams, unittest.TestCase):
    server = "pipewire"


if __name__ == "__main__":
    unittest.main()
