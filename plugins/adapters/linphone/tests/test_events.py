"""What the program makes of linphone's messages. They are recorded ones, from linphone-daemon
5.1.65; here a script plays them, and another one the broker."""
import contextlib
import json
import os
import signal
import subprocess
import tempfile
import unittest

import lab
from asking import AskingTests
from fake_linphone import FakeLinphone

IDENTITY = "org.example.linphone"
CALL = "99999999-9999-4999-8999-999999999999"


class AppTests(AskingTests):
    """The program between a linphone and a broker that are scripts."""

    def setUp(self):
        super().setUp()
        self.linphone = FakeLinphone(self.folder)
        self.addCleanup(self.linphone.close)

    def run_program(self):
        self.program = lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.linphone.path, "--identity", IDENTITY,
            "--socket", self.broker.path, "--memory", os.path.join(self.folder, "state", "memory"),
            "--verbose"]))
        self.peer = self.broker.accept()
        self.hello = self.peer.greet()["params"]
        register = self.peer.read("provider.register")
        self.peer.reply(register, {"provider": IDENTITY, "calls": [], "dropped": []})
        self.lines = register["params"].get("lines")
        return register["params"]["calls"]

    def told(self):
        return self.linphone.is_told(lab.CEILING)

    def incoming(self, id=1):
        self.linphone.happens("IncomingReceived", id)
        report = self.taken("call.report_incoming")
        self.assertEqual(report["remote"],
                         {"type": "generic", "value": "sip:carol@127.0.0.1:27000"})
        return report["call"]

    def answered(self, id=1, is_muted=True):
        call = self.incoming(id)
        number = self.asked("answer", call)
        self.assertEqual(self.told(), f"answer {id}")
        self.linphone.happens("Connected", id)
        self.linphone.happens("StreamsRunning", id)
        self.done(number)
        if is_muted:                            # or nobody knows whether it is
            self.assertEqual(self.told(), "call-mute 0")
        return call

    def abilities(self, call):
        """What a call that goes out supports is told when the broker knows of it."""
        self.assertEqual(self.taken("call.report_update"), {
            "call": call, "supports_grouping": False, "supports_ungrouping": False,
            "supports_transfer": True, "supports_attended_transfer": True})

    def nothing_yet(self):
        """Whatever it had to say, to linphone or to the broker, it has said before this."""
        polls = self.linphone.polls
        lab.wait_until("the program does not ask any more", lambda: self.linphone.polls > polls + 2)
        self.ping()

    def ping(self):
        self.peer.send({"id": "ping", "method": "broker.ping", "params": {"payload": "x"}})
        self.assertEqual(self.peer.read()["id"], "ping")


class EventTests(AppTests):
    def test_it_knows_the_words_of_the_protocol(self):
        self.run_program()
        self.assertEqual(self.hello["features"], ["alerting", "tone"])

    def test_the_far_end_rings_and_its_sound_begins_once(self):
        self.run_program()
        number = self.asked("start", CALL, remote={"type": "generic", "value": "sip:ann@h"})
        self.assertEqual(self.told(), "call sip:ann@h")
        self.peer.read("broker.progress")
        for state in ("OutgoingInit", "OutgoingProgress", "OutgoingRinging", "OutgoingRinging",
                      "OutgoingEarlyMedia", "OutgoingEarlyMedia"):
            self.linphone.happens(state)
        self.abilities(CALL)
        self.assertEqual(self.taken("call.report_alerting"), {"call": CALL})
        self.done(number)
        self.assertEqual(self.taken("call.report_alerting"),
                         {"call": CALL, "has_early_media": True})
        self.nothing_yet()
        self.linphone.states[1] = "State: LinphoneCallOutgoingEarlyMedia\nFrom: sip:ann@h\n\n"
        self.program.kill()
        self.assertEqual([(call["call"], call["state"], call["has_early_media"])
                          for call in self.run_program()], [(CALL, "alerting", True)])
        self.linphone.happens("Connected")
        self.assertEqual(self.taken("call.report_connected"), {"call": CALL})

    def test_that_it_says_ok_proves_nothing(self):
        self.run_program()
        call = self.incoming()
        number = self.asked("answer", call)
        self.assertEqual(self.told(), "answer 1")
        self.nothing_yet()
        self.linphone.happens("Connected")
        self.done(number)

    def test_what_it_refuses_fails_with_its_words(self):
        self.run_program()
        call = self.incoming()
        self.linphone.answers["answer 1"] = "Status: Error\nReason: Media busy.\n"
        self.asked("answer", call)
        error = self.peer.read()["error"]
        self.assertEqual((error["message"], error["data"]["reason"]),
                         ("Media busy.", "app_refused"))

    def test_an_address_is_one_word(self):
        self.run_program()
        for address in ("sip:a@b\nterminate 1", "sip:a@b --early-media", "--early-media", "",
                        "sip:a\x7fb"):
            with self.subTest(address=address):
                self.failed(self.asked("start", CALL, remote={"type": "generic", "value": address}),
                            "invalid_address")
        self.failed(self.asked("play_dtmf", self.answered(), digits="1\nterminate 1"),
                    "invalid_digits")
        self.assertTrue(self.linphone.commands.empty())

    def test_a_hold_waits_until_there_is_something_to_hold(self):
        self.run_program()
        call = self.incoming()
        number = self.asked("answer", call)
        self.told()
        self.linphone.happens("Connected")
        self.done(number)
        self.assertEqual(self.told(), "call-mute 0")
        number = self.asked("set_held", call, held=True)
        self.nothing_yet()
        self.assertTrue(self.linphone.commands.empty())
        self.linphone.happens("StreamsRunning")
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.done(number)

    def test_what_streamed_before_the_hold_does_not_refuse_it(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("StreamsRunning")     # on its way when the hold was asked for
        self.nothing_yet()
        self.linphone.happens("Pausing")
        self.linphone.happens("StreamsRunning")     # and this is the refusal
        self.failed(number, "remote_refused")

    def test_a_resume_that_the_far_end_refuses(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.told()
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.done(number)
        number = self.asked("set_held", call, held=False)
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.happens("Resuming")
        self.linphone.happens("Paused")
        self.failed(number, "remote_refused")

    def cancelled(self, number):
        """Nobody waits any more for what was asked."""
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)

    def paused(self):
        """A call that is on hold."""
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.done(number)
        return call

    def test_a_hold_that_is_agreed_to_when_nobody_waits_any_more_is_undone(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.cancelled(number)
        self.linphone.happens("Paused")
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.happens("Resuming")
        self.linphone.happens("StreamsRunning")
        self.nothing_yet()                      # it is as the broker knows it
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.done(number)

    def test_a_resume_that_is_agreed_to_when_nobody_waits_any_more_is_undone(self):
        self.run_program()
        call = self.paused()
        number = self.asked("set_held", call, held=False)
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.happens("Resuming")
        self.cancelled(number)
        self.linphone.happens("StreamsRunning")
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.nothing_yet()

    def test_what_was_to_be_undone_and_is_wanted_again_stays(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.cancelled(number)
        number = self.asked("set_held", call, held=True)
        self.nothing_yet()
        self.linphone.happens("Paused")
        self.done(number)
        self.assertTrue(self.linphone.commands.empty())

    def test_a_hold_that_is_wanted_while_the_former_is_undone_comes_after_that(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.cancelled(number)
        self.linphone.happens("Paused")
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.happens("Resuming")
        number = self.asked("set_held", call, held=True)
        self.nothing_yet()
        self.assertTrue(self.linphone.commands.empty())
        self.linphone.happens("StreamsRunning")
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.done(number)

    def test_what_cannot_be_undone_is_reported(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.cancelled(number)
        self.linphone.happens("Paused")
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.happens("Resuming")
        self.linphone.happens("Paused")         # the far end refuses
        self.assertEqual(self.taken("call.report_held"), {"call": call, "held": True})

    def test_a_hold_without_an_answer_of_the_far_end_fails_in_time_and_is_undone(self):
        self.run_program()
        call = self.answered()
        number = self.asked("set_held", call, held=True, deadline_ms=4000)
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.failed(number, "remote_refused")
        self.linphone.happens("Paused")
        self.assertEqual(self.told(), "call-resume 1")

    def test_what_linphone_does_not_answer_fails_in_time(self):
        self.run_program()
        call = self.answered()
        for kind, command, arguments in (("set_held", "call-pause 1", {"held": True}),
                                         ("set_muted", "call-mute 1", {"muted": True}),
                                         ("end", "terminate 1", {})):
            with self.subTest(kind=kind):
                self.linphone.answers[command] = None
                number = self.asked(kind, call, deadline_ms=1000, **arguments)
                self.assertEqual(self.told(), command)
                self.failed(number, "app_gone")
                self.linphone.states[1] = "State: LinphoneCallStreamsRunning\nFrom: x\n"
                self.linphone.hang_up()         # it is asked what there is
                while kind != "end" and self.told() != "call-mute 0":
                    pass
        self.assertEqual(self.told(), "terminate 1")    # which is still to be done

    def test_an_answer_or_a_start_that_is_not_done_in_time_is_hung_up(self):
        self.run_program()
        call = self.incoming()
        number = self.asked("answer", call, deadline_ms=1000)
        self.assertEqual(self.told(), "answer 1")
        self.failed(number, "app_gone")
        self.assertEqual(self.told(), "terminate 1")
        self.linphone.happens("End")
        self.linphone.next_id = 2
        number = self.asked("start", CALL, deadline_ms=4000,
                            remote={"type": "generic", "value": "sip:ann@h"})
        self.assertEqual(self.told(), "call sip:ann@h")
        self.peer.read("broker.progress")
        self.failed(number, "no_answer")
        self.assertEqual(self.told(), "terminate 2")
        self.linphone.happens("End", 2)
        self.nothing_yet()

    def test_a_start_that_nobody_waits_for_any_more_is_hung_up(self):
        self.run_program()
        number = self.asked("start", CALL, remote={"type": "generic", "value": "sip:ann@h"})
        self.assertEqual(self.told(), "call sip:ann@h")
        self.peer.read("broker.progress")
        self.cancelled(number)
        self.assertEqual(self.told(), "terminate 1")

    def test_a_call_that_talks_and_is_over_for_the_broker_is_hung_up(self):
        self.run_program()
        call = self.incoming()
        self.linphone.happens("Connected")
        self.peer.refuse(self.peer.read("call.report_connected"), -32004, reason="unknown_call")
        self.assertEqual(self.told(), "call-mute 0")
        self.assertEqual(self.told(), "terminate 1")
        self.assertNotEqual(call, CALL)

    def test_a_transfer_fails_in_time(self):
        self.run_program()
        call = self.answered()
        number = self.asked("transfer", call, deadline_ms=1000,
                            to={"type": "generic", "value": "sip:bob@h"})
        self.assertEqual(self.told(), "call-transfer 1 sip:bob@h")
        self.failed(number, "remote_refused")

    def test_more_tones_than_fit_into_the_time_ask_for_more(self):
        self.run_program()
        call = self.answered()
        number = self.asked("play_dtmf", call, digits="1234", deadline_ms=2000)
        self.assertEqual(self.told(), "dtmf 1")
        more = self.peer.read("broker.progress")["params"]
        self.assertGreater(more["extend_ms"], 500)
        self.assertEqual([self.told() for _ in range(3)], ["dtmf 2", "dtmf 3", "dtmf 4"])
        self.done(number)

    def test_a_mute_during_tones_leaves_the_tones_alone(self):
        self.run_program()
        call = self.answered()
        tones = self.asked("play_dtmf", call, digits="12")
        self.assertEqual(self.told(), "dtmf 1")
        mute = self.asked("set_muted", call, muted=True)
        self.assertEqual(self.told(), "call-mute 1")
        self.done(mute)
        self.assertEqual(self.told(), "dtmf 2")
        self.done(tones)

    def test_the_microphone_follows_the_call_that_talks(self):
        self.run_program()
        first = self.answered(1)
        number = self.asked("set_muted", first, muted=True)
        self.assertEqual(self.told(), "call-mute 1")
        self.done(number)
        number = self.asked("set_held", first, held=True)
        self.told()
        self.linphone.happens("Pausing", 1)
        self.linphone.happens("Paused", 1)
        self.done(number)
        second = self.answered(2)                   # checks that it is opened
        self.done(self.asked("set_muted", first, muted=True))   # held: it counts later
        number = self.asked("end", second)
        self.assertEqual(self.told(), "terminate 2")
        self.linphone.happens("End", 2)
        self.done(number)
        number = self.asked("set_held", first, held=False)
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.happens("Resuming", 1)
        self.linphone.happens("StreamsRunning", 1)
        self.done(number)
        self.assertEqual(self.told(), "call-mute 1")

    def test_tones_one_after_the_other_until_the_call_is_held(self):
        self.run_program()
        call = self.answered()
        number = self.asked("play_dtmf", call, digits="1#")
        self.assertEqual([self.told(), self.told()], ["dtmf 1", "dtmf #"])
        self.done(number)
        number = self.asked("play_dtmf", call, digits="12")
        self.assertEqual(self.told(), "dtmf 1")
        holding = self.asked("set_held", call, held=True)
        self.failed(number, "cancelled")
        self.assertEqual(self.told(), "call-pause 1")
        self.linphone.happens("Pausing")
        self.linphone.happens("Paused")
        self.done(holding)
        self.assertTrue(self.linphone.commands.empty())

    def transferred(self, call, address="sip:bob@h"):
        """Asks for a transfer, which linphone begins; the number of what was asked."""
        number = self.asked("transfer", call, to={"type": "generic", "value": address})
        self.assertEqual(self.told(), f"call-transfer 1 {address}")
        return number

    def pair(self):
        """A held call and an active one, which are to be joined; with the number of that."""
        first = self.answered(1)
        self.linphone.happens("Pausing", 1)
        self.linphone.happens("Paused", 1)
        self.taken("call.report_held", call=first, held=True)
        second = self.answered(2, is_muted=False)
        number = self.asked("attended_transfer", first, **{"with": second})
        self.assertEqual(self.told(), "call-transfer 1 2")
        return first, second, number

    def test_calls_say_what_can_become_of_them(self):
        self.run_program()
        self.linphone.happens("IncomingReceived")
        report = self.taken("call.report_incoming")
        self.assertEqual([report.get(f"supports_{what}") for what in (
            "transfer", "attended_transfer", "deflect")], [True, True, None])

    def test_a_transfer_is_done_when_the_call_ends(self):
        self.run_program()
        number = self.transferred(self.answered())
        self.nothing_yet()
        self.linphone.happens("End")
        self.linphone.happens("Released")
        self.done(number)
        self.nothing_yet()                      # and the end is not reported once more

    def test_a_transfer_of_which_nothing_is_known_is_taken_back(self):
        self.run_program()
        call = self.answered()
        number = self.transferred(call)
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)
        self.linphone.happens("End")
        self.assertEqual(self.taken("call.report_ended"), {"call": call, "reason": "remote_ended"})

    def test_a_transfer_that_linphone_does_not_begin(self):
        self.run_program()
        call = self.answered()
        self.linphone.answers["call-transfer 1 sip:bob@h"] = (
            "Status: Error\nReason: Error transferring call.\n")
        self.failed(self.transferred(call), "app_refused")
        for address in ("+15550101", "2", "sip:a b", "-x", ""):
            with self.subTest(address=address):     # a number would be that of another call
                self.failed(self.asked("transfer", call, to={"type": "phone", "value": address}),
                            "invalid_address")
        self.assertTrue(self.linphone.commands.empty())

    def test_a_call_that_fails_or_is_ended_while_it_is_transferred(self):
        self.run_program()
        call = self.answered()
        number = self.transferred(call)
        self.linphone.happens("Error")
        self.assertEqual(self.taken("call.report_ended"), {"call": call, "reason": "failed"})
        self.failed(number, "call_ended")
        self.linphone.next_id = 1
        call = self.answered(is_muted=False)
        number = self.transferred(call)
        ending = self.asked("end", call)
        self.assertEqual(self.told(), "terminate 1")
        self.linphone.happens("End")
        self.failed(number, "call_ended")
        self.done(ending)

    def test_two_calls_are_joined_when_both_have_ended(self):
        for order in ((2, 1), (1, 2)):
            with self.subTest(order=order):
                self.run_program()
                _, _, number = self.pair()
                self.linphone.happens("End", order[0])
                self.linphone.happens("Released", order[0])
                self.nothing_yet()
                self.linphone.happens("End", order[1])
                self.linphone.happens("Released", order[1])
                self.done(number)
                self.nothing_yet()
                self.program.kill()

    def test_one_of_two_calls_ends_and_they_are_not_joined(self):
        self.run_program()
        first, second, number = self.pair()
        self.linphone.happens("End", 2)         # as if its far end had hung up
        self.nothing_yet()
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        frames = [self.peer.read(), self.peer.read()]
        self.assertEqual([frame["params"] for frame in frames if "method" in frame],
                         [{"call": second, "reason": "remote_ended"}])
        self.assertEqual([frame["error"]["code"] for frame in frames if "error" in frame],
                         [-32010])
        self.linphone.happens("End", 1)
        self.taken("call.report_ended", call=first, reason="remote_ended")

    def test_one_of_two_calls_fails_while_they_are_joined(self):
        self.run_program()
        first, second, number = self.pair()
        self.linphone.happens("Error", 2)
        self.failed(number, "call_ended")
        self.assertEqual(self.taken("call.report_ended"), {"call": second, "reason": "failed"})
        self.linphone.happens("End", 1)
        self.taken("call.report_ended", call=first, reason="remote_ended")

    def test_joining_fails_that_linphone_does_not_begin(self):
        self.run_program()
        first = self.answered(1)
        for other in (first, CALL):
            self.failed(self.asked("attended_transfer", first, **{"with": other}), "call_ended")
        self.linphone.answers["call-transfer 1 2"] = (
            "Status: Error\nReason: Error transferring call.\n")
        second = self.answered(2, is_muted=False)
        number = self.asked("attended_transfer", first, **{"with": second})
        self.assertEqual(self.told(), "call-transfer 1 2")
        self.failed(number, "app_refused")
        self.linphone.happens("End", 2)
        self.taken("call.report_ended", call=second, reason="remote_ended")

    def test_why_it_is_over(self):
        self.run_program()
        for state, reason in (("End", "remote_ended"), ("Error", "failed")):
            call = self.incoming()
            self.linphone.happens(state)
            self.linphone.happens("Released")
            self.assertEqual(self.taken("call.report_ended"), {"call": call, "reason": reason})
        call = self.answered()
        self.linphone.happens("End")
        self.assertEqual(self.taken("call.report_ended"), {"call": call, "reason": "remote_ended"})

    def test_ended_before_it_has_a_number(self):
        self.run_program()
        self.linphone.answers["call sip:ann@127.0.0.1"] = None
        starting = self.asked("start", CALL, remote={"type": "generic",
                                                     "value": "sip:ann@127.0.0.1"})
        self.assertEqual(self.told(), "call sip:ann@127.0.0.1")
        ending = self.asked("end", CALL)
        self.ping()
        self.linphone.connection.sendall(b"Status: Ok\n\nId: 7\n\n")
        self.assertEqual(self.told(), "terminate 7")
        self.linphone.happens("End", 7)
        self.failed(starting, "call_ended")
        self.done(ending)

    def test_a_call_that_it_makes_by_itself_is_asked_for(self):
        self.run_program()
        self.linphone.states[5] = ("State: LinphoneCallOutgoingProgress\n"
                                   "From: sip:zoe@127.0.0.1:27001\n\n")
        self.linphone.happens("OutgoingInit", 5, '"Lin Phone" <sip:linda@127.0.0.1:26090>')
        start = self.peer.read("call.start")
        call = start["params"]["call"]
        self.assertEqual(start["params"], {
            "call": call, "provider": IDENTITY,
            "remote": {"type": "generic", "value": "sip:zoe@127.0.0.1:27001"}})
        self.peer.reply(start, {"seq": 1})
        self.done(self.asked("start", call, remote=start["params"]["remote"]))
        self.linphone.happens("OutgoingRinging", 5)
        self.abilities(call)
        self.assertEqual(self.taken("call.report_alerting"), {"call": call})
        self.linphone.happens("Connected", 5)
        self.assertEqual(self.taken("call.report_connected"), {"call": call})

    def test_one_that_the_broker_refuses_is_hung_up(self):
        self.run_program()
        self.linphone.happens("IncomingReceived")
        self.peer.refuse(self.peer.read("call.report_incoming"), -32008, reason="block_list")
        self.assertEqual(self.told(), "terminate 1")
        self.linphone.happens("End")
        self.nothing_yet()

    def test_oddities_do_no_harm(self):
        self.run_program()
        for event in ("Event-type: receiving-tone\n\nTone: 9\nFrom: x\nId: 1\n",
                      "Event-type: call-state-changed\n\nEvent: LinphoneCallPaused\nId: 77\n",
                      "Event-type: call-state-changed\n\nEvent: LinphoneCallPaused\nId: x\n",
                      "Event-type: call-state-changed\n\nEvent: SomethingElse\nId: 1\n",
                      "Event-type: call-state-changed\n", "x" * 30_000):
            self.linphone.events.append(event)
        call = self.incoming()
        self.linphone.happens("Refered")
        self.linphone.happens("Updating")
        self.linphone.happens("End")
        self.taken("call.report_ended", call=call)

    def test_the_connection_is_lost_and_calls_go_on(self):
        self.run_program()
        first, second = self.answered(1), self.answered(2, is_muted=False)
        self.linphone.states[2] = "State: LinphoneCallPaused\nFrom: sip:d@127.0.0.1\n\n"
        self.linphone.states[3] = ('State: LinphoneCallIncomingReceived\n'
                                   'From: "eve" <sip:eve@127.0.0.1>\n\n')
        self.linphone.hang_up()
        frames = [self.peer.read() for _ in range(3)]
        for frame in frames:
            self.peer.reply(frame)
        told = {frame["method"]: frame["params"] for frame in frames}
        self.assertEqual((told["call.report_ended"], told["call.report_held"]), (
            {"call": first, "reason": "failed"}, {"call": second, "held": True}))
        self.assertEqual(told["call.report_incoming"]["display_name"], "eve")

    def test_what_was_asked_for_while_it_was_away(self):
        self.run_program()
        self.linphone.answers["call-pause 1"] = self.linphone.answers["call-pause 2"] = None
        first, second = self.answered(1), self.answered(2, is_muted=False)
        number = self.asked("set_held", first, held=True)
        self.assertEqual(self.told(), "call-pause 1")       # and nothing is said any more
        ending = self.asked("end", second)
        self.ping()
        self.linphone.states[1] = "State: LinphoneCallPaused\nFrom: sip:d@127.0.0.1\n\n"
        self.linphone.states[2] = "State: LinphoneCallStreamsRunning\nFrom: sip:d@127.0.0.1\n\n"
        self.linphone.hang_up()
        self.done(number)                                   # it had been done
        self.assertEqual(self.told(), "terminate 2")        # it had never been heard
        self.assertEqual(self.told(), "call-mute 0")        # nobody knows how it is
        self.linphone.happens("End", 2)
        self.done(ending)
        self.linphone.answers["call-resume 1"] = None
        number = self.asked("set_held", first, held=False)
        self.assertEqual(self.told(), "call-resume 1")
        self.linphone.answers["call-resume 1"] = "Status: Ok\n"
        self.linphone.hang_up()
        self.assertEqual(self.told(), "call-resume 1")      # it is held still
        self.linphone.happens("Resuming")
        self.linphone.happens("StreamsRunning")
        self.done(number)

    def test_it_speaks_unasked_and_is_asked_again(self):
        self.run_program()
        call = self.answered()
        self.linphone.states[1] = "State: LinphoneCallStreamsRunning\nFrom: x\nDirection: in\n"
        connection = self.linphone.connection   # not the next one, where it would be an answer
        def speaks():                           # at some time when nothing was asked
            with contextlib.suppress(OSError):  # closed already
                connection.sendall(b"Status: Ok\n")
            return self.linphone.connections > 1
        lab.wait_until("the program does not notice", speaks)
        number = self.asked("end", call)
        while self.told() != "terminate 1":
            pass
        self.linphone.happens("End")
        self.done(number)

    def test_it_is_gone_and_comes_back(self):
        self.run_program()
        self.answered()
        self.linphone.close()
        self.taken("call.report_ended", reason="failed")
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.linphone.listen()
        self.peer = self.broker.accept()
        self.assertEqual(self.peer.greet_provider()["params"]["calls"], [])
        self.incoming()

    def test_what_happens_between_the_list_and_the_session_is_told(self):
        self.linphone.states[1] = ('State: LinphoneCallStreamsRunning\n'
                                   'From: "carol" <sip:carol@127.0.0.1>\nDirection: in\n')
        self.linphone.states[2] = "State: LinphoneCallPaused\nFrom: sip:d@127.0.0.1\n\n"
        self.program = lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.linphone.path, "--identity", IDENTITY,
            "--socket", self.broker.path, "--memory", os.path.join(self.folder, "memory")]))
        self.peer = self.broker.accept()
        self.peer.greet()
        register = self.peer.read("provider.register")
        self.assertEqual([(c["direction"], c["state"], c["remote"]["value"])
                          for c in register["params"]["calls"]],
                         [("incoming", "active", "sip:carol@127.0.0.1"),
                          ("outgoing", "held", "sip:d@127.0.0.1")])
        first, second = (c["call"] for c in register["params"]["calls"])
        for state in ("Pausing", "Paused"):
            self.linphone.happens(state, 1)
        self.linphone.happens("End", 2)
        self.linphone.happens("IncomingReceived", 3)
        lab.wait_until("the events are not taken", lambda: not self.linphone.events)
        self.nothing_yet()
        self.peer.reply(register, {"provider": IDENTITY, "calls": [], "dropped": []})
        self.taken("call.report_ended", call=second, reason="remote_ended")
        self.assertEqual(self.taken("call.report_held"), {"call": first, "held": True})
        self.taken("call.report_incoming")

    def test_what_the_broker_drops_is_hung_up(self):
        self.linphone.states[1] = "State: LinphoneCallPaused\nFrom: sip:d@127.0.0.1\n\n"
        self.program = lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.linphone.path, "--identity", IDENTITY,
            "--socket", self.broker.path, "--memory", os.path.join(self.folder, "memory")]))
        self.peer = self.broker.accept()
        self.peer.greet()
        register = self.peer.read("provider.register")
        call = register["params"]["calls"][0]["call"]
        self.peer.reply(register, {"provider": IDENTITY, "calls": [], "dropped": [call]})
        self.assertEqual(self.told(), "terminate 1")

    def test_without_a_broker_it_waits_and_lists(self):
        self.run_program()
        call = self.answered()
        self.peer.close()
        self.peer = self.broker.accept()
        register = self.peer.greet_provider()
        self.assertEqual([c["call"] for c in register["params"]["calls"]], [call])

    def test_what_came_while_it_was_away_is_found_behind_thousands_of_calls(self):
        self.run_program()
        for id in (4999, 5000):
            call = self.incoming(id)
            if id == 4999:
                self.linphone.happens("End", id)
                self.taken("call.report_ended", call=call)
        self.program.kill()
        self.linphone.questions = 0
        for id, name in ((4998, "old"), (5000, "known"), (5001, "new")):
            self.linphone.states[id] = ("State: LinphoneCallIncomingReceived\n"
                                        f"From: sip:{name}@127.0.0.1\nDirection: in\n")
        found = self.run_program()
        self.assertEqual([(c["call"] == call, c["remote"]["value"]) for c in found],
                         [(True, "sip:known@127.0.0.1"), (False, "sip:new@127.0.0.1")])
        self.assertEqual(self.linphone.questions, 1 + 1 + 64)

    def test_more_calls_than_anybody_can_take(self):
        self.run_program()
        for id in range(1, 65):
            self.incoming(id)
        self.linphone.happens("IncomingReceived", 65)
        self.assertEqual(self.told(), "terminate 65")


class LineTests(AppTests):
    """A linphone with two accounts."""

    WORK, SHOP = "sip:work@h", "sip:shop@h"

    def setUp(self):
        super().setUp()
        self.list_accounts("Ok", "Progress")
        self.run_program()

    def list_accounts(self, work, shop):
        self.linphone.accounts = (
            f'\nId: 1\nIdentity: "Work" <{self.WORK}>\nState: LinphoneRegistration{work}\n'
            f"\nId: 2\nIdentity: {self.SHOP}\nState: LinphoneRegistration{shop}\n")

    def test_accounts_are_lines(self):
        self.assertEqual([(line["line"], line["label"], line["state"]) for line in self.lines], [
            (self.WORK, "Work", "registered"), (self.SHOP, self.SHOP, "registering")])

    def test_a_state_that_changes_is_reported(self):
        self.list_accounts("Ok", "Failed")
        lines = self.taken("provider.update")["lines"]
        self.assertEqual([line["state"] for line in lines], ["registered", "failed"])
        self.linphone.accounts = ""
        self.assertEqual(self.taken("provider.update")["lines"], [])

    def test_a_start_is_placed_by_linphone_and_not_on_a_line(self):
        remote = {"type": "generic", "value": "sip:ann@h"}
        self.failed(self.asked("start", "c1", remote=remote, line=self.WORK),
                    "line_not_selectable")
        self.asked("start", "c2", remote=remote)
        self.assertEqual(self.told(), "call sip:ann@h")


class ProgramTests(unittest.TestCase):
    def test_the_manifest(self):
        with open(os.path.join(lab.PLUGIN, "org.callbroker.linphone.plugin.json"),
                  encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual((manifest["identity"], manifest["exec"], manifest["transport"]),
                         ("org.callbroker.linphone", ["./build/linphone_provider"], "connect"))

    def test_what_is_installed(self):
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["make", "-s", "-C", lab.PLUGIN, "install", f"OUT={root}/build",
                            f"DESTDIR={root}", "PREFIX=/opt"], check=True, timeout=4 * lab.CEILING)
            path = f"{root}/opt/share/callbroker/plugins/linphone/org.callbroker.linphone.plugin.json"
            with open(path, encoding="utf-8") as file:
                program, = json.load(file)["exec"]
            self.assertEqual(program, "/opt/lib/callbroker/linphone_provider")
            self.assertTrue(os.access(root + program, os.X_OK))

    def test_wrong_usage(self):
        for words, said in ((["--bogus"], "unrecognized option '--bogus'"),
                            (["word"], 'an option is expected, found "word"'),
                            (["--calls", "0"], "--calls: expected 1 to 32"),
                            (["--calls", "65"], "--calls: expected 1 to 32")):
            with self.subTest(words=words):
                ran = subprocess.run([os.environ["LINPHONE_PROVIDER"], *words], text=True,
                                     capture_output=True, timeout=lab.CEILING)
                self.assertEqual(ran.returncode, 2)
                self.assertIn(said, ran.stderr)
                self.assertTrue(ran.stderr.endswith("--help tells the options\n"), ran.stderr)

    def test_it_says_once_what_it_waits_for(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for words, found in (([], "/nowhere/chosen"), (["--pipe", "/nowhere"], "/nowhere")):
            with self.subTest(words=words):
                program = lab.checked(self, lab.Program(
                    self, folder.name, "program", [os.environ["LINPHONE_PROVIDER"], *words],
                    environment={**os.environ, "XDG_STATE_HOME": folder.name,
                                 "BROKER_OPTIONS": '{"pipe":"/nowhere/chosen"}'}))
                program.wait_for(f"no linphone-daemon with --pipe {found} runs; waiting for it")
                program.kill(signal.SIGTERM)
                self.assertEqual(program.said().count("waiting for it"), 1)


if __name__ == "__main__":
    unittest.main()
