"""Two baresips under one broker, sipp calls both, the second is answered with Hold & Accept: on the
wire the hold of the first is agreed to before the second is answered. The broker is the program
CALLBROKER, or .build/debug/callbroker of this repository."""
import re
import shutil
import tempfile
import unittest

import lab
from callbroker import BrokerError, Controller, InvalidState, Observer, ProviderFailed


class Watching(Controller, Observer):
    """A user who sees what happens and says what is to be done."""

    roles = ("controller", "observer")


class World(unittest.TestCase):
    """Two baresips, each under a broker."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def user(self, daemon):
        user = Watching("user", socket=daemon.socket)
        user.__enter__()
        self.addCleanup(user.__exit__)
        return user

    def until(self, user, condition):
        """The first call that fits."""
        while True:
            for call in list(user.calls.values()):
                if condition(call):
                    return call["call"]
            user.next_event().result(lab.CEILING)

    def world(self, *daemons, channels=2):
        """Two baresips, each under its broker, and a capture of both."""
        self.phones = [lab.Baresip(self, self.folder, "ann"),
                       lab.Baresip(self, self.folder, "bob", channels)]
        self.programs = [None, None]
        self.capture = lab.Capture(self, self.folder, self.phones)
        users = [self.user(daemon) for daemon in daemons]
        for number, daemon in enumerate(daemons):
            self.attach(number, daemon)
        return users

    def attach(self, number, daemon):
        """Makes a phone a provider."""
        phone = self.phones[number]
        self.programs[number] = lab.provider(self, self.folder, phone, daemon.socket,
                                             "org.example." + phone.user)
        self.programs[number].wait_for("attached")

    def called(self, user, number, name, scenario="caller.xml"):
        """Somebody calls a phone; the call's id and the caller."""
        caller = lab.Caller(self, self.folder, name, self.phones[number], scenario)
        return self.until(user, lambda call: call.get("display_name") == name
                          and call["state"] in ("ringing", "waiting")), caller

    def over(self, *callers):
        for caller in callers:
            self.assertEqual(caller.wait(), 0, caller.said()[-500:])


class HoldAndAnswerTests(World):
    def test_the_first_call_is_held_before_the_second_is_answered(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        first, carol = self.called(user, 0, "carol")
        user.answer(first, wait="completed").result(lab.CEILING)
        second, dave = self.called(user, 1, "dave")
        self.assertIn("hold_and_answer", user.calls[second]["allowed"])
        user.answer(second, "hold_and_answer", wait="completed").result(lab.CEILING)
        self.assertEqual(user.calls[first]["held_because_of"], second)
        user.end(second, wait="completed").result(lab.CEILING)
        self.until(user, lambda call: call["call"] == first and call["state"] == "active")
        user.end(first, wait="completed").result(lab.CEILING)
        self.over(carol, dave)
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        self.assertEqual(dave.logged(), ["answered"])
        wire = self.capture.wire()
        self.assertTrue(lab.held_before(wire, "carol", "dave"))
        self.assertEqual([len(wire.talking(call)) for call in ("carol", "dave")], [2, 1])
        self.assertEqual(wire.at_once("carol", "dave"), [])

    def test_without_one_broker_for_both_the_same_check_fails(self):
        one, other = lab.Daemon(self, self.folder, "one"), lab.Daemon(self, self.folder, "other")
        ann, bob = self.world(one, other)
        first, carol = self.called(ann, 0, "carol")
        ann.answer(first, wait="completed").result(lab.CEILING)
        second, dave = self.called(bob, 1, "dave")
        bob.answer(second, wait="completed").result(lab.CEILING)
        bob.end(second, wait="completed").result(lab.CEILING)
        ann.end(first, wait="completed").result(lab.CEILING)
        self.over(carol, dave)
        wire = self.capture.wire()
        self.assertFalse(lab.held_before(wire, "carol", "dave"))
        self.assertEqual(len(wire.at_once("carol", "dave")), 1)

    def test_a_hold_that_the_far_end_refuses(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        first, carol = self.called(user, 0, "carol", "refusing_caller.xml")
        user.answer(first, wait="completed").result(lab.CEILING)
        second, dave = self.called(user, 1, "dave")
        with self.assertRaises(InvalidState) as caught:
            user.answer(second, "hold_and_answer", wait="completed").result(lab.CEILING)
        self.assertEqual((caught.exception.reason, caught.exception.blocking),
                         ("hold_failed", [{"call": first, "provider": "org.example.ann"}]))
        self.assertEqual([user.calls[call]["state"] for call in (first, second)],
                         ["active", "waiting"])
        user.answer(second, "end_and_answer", wait="completed").result(lab.CEILING)
        user.end(second, wait="completed").result(lab.CEILING)
        self.over(carol, dave)
        self.assertEqual(self.capture.wire().at_once("carol", "dave"), [])

    def test_an_answer_that_is_never_completed_gives_the_first_call_back(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon, channels=1)    # bob's sound cannot start
        first, carol = self.called(user, 0, "carol")
        user.answer(first, wait="completed").result(lab.CEILING)
        second, dave = self.called(user, 1, "dave")
        with self.assertRaises(ProviderFailed):
            # It is the deadline of the hold, too, which is done.
            user.answer(second, "hold_and_answer", wait="completed",
                        deadline_ms=4000).result(lab.CEILING)
        self.until(user, lambda call: call["call"] == first and call["state"] == "active")
        self.assertNotIn(second, user.calls)
        self.assertEqual(dave.wait(), 1)
        user.end(first, wait="completed").result(lab.CEILING)
        self.over(carol)
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])

    def test_the_caller_gives_up_while_the_hold_is_under_way(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        first, carol = self.called(user, 0, "carol", "silent_caller.xml")
        user.answer(first, wait="completed").result(lab.CEILING)
        dan = lab.Baresip(self, self.folder, "dan")
        dan.command("dial", f"sip:bob@127.0.0.1:{self.phones[1].sip}")
        second = self.until(user, lambda call: call["state"] == "waiting")
        answering = user.answer(second, "hold_and_answer", wait="completed")
        self.until(user, lambda call: call.get("pending_action") == "holding")
        dan.command("hangup")
        with self.assertRaises(BrokerError):
            answering.result(lab.CEILING)
        self.until(user, lambda call: call["call"] == first and call["state"] == "active"
                   and "pending_action" not in call)
        self.assertNotIn(second, user.calls)
        user.end(first, wait="completed").result(lab.CEILING)
        carol.stop()

    def test_the_far_end_hangs_up_while_it_is_held(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        dan = lab.Baresip(self, self.folder, "dan")
        dan.command("dial", f"sip:ann@127.0.0.1:{self.phones[0].sip}")
        first = self.until(user, lambda call: call["state"] == "ringing")
        user.answer(first, wait="completed").result(lab.CEILING)
        second, dave = self.called(user, 1, "dave")
        user.answer(second, "hold_and_answer", wait="completed").result(lab.CEILING)
        dan.command("hangup")
        lab.wait_until("the held call does not end", lambda: first not in user.calls)
        self.assertEqual(user.calls[second]["state"], "active")
        user.end(second, wait="completed").result(lab.CEILING)
        self.over(dave)

    def test_what_baresip_resumes_by_itself_stays_held_for_the_broker(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        first, carol = self.called(user, 0, "carol")
        user.answer(first, wait="completed").result(lab.CEILING)
        dan = lab.Baresip(self, self.folder, "dan")
        dan.command("dial", f"sip:ann@127.0.0.1:{self.phones[0].sip}")
        second = self.until(user, lambda call: call["state"] == "waiting")
        user.answer(second, "hold_and_answer", wait="completed").result(lab.CEILING)
        third, erin = self.called(user, 1, "erin")
        user.answer(third, "hold_and_answer", wait="completed").result(lab.CEILING)
        before = len(carol.logged())
        dan.command("hangup")                   # and ann's baresip resumes carol's call
        lab.wait_until("the hold is not put right", lambda: carol.logged()[before:] == [
            "a=sendrecv", "a=sendonly"])
        lab.wait_until("the call that was hung up is listed", lambda: second not in user.calls)
        self.assertEqual([user.calls[call]["state"] for call in (first, third)],
                         ["held", "active"])
        user.end(third, wait="completed").result(lab.CEILING)
        user.end(first, wait="completed").result(lab.CEILING)
        self.over(carol, erin)

    def test_two_calls_of_one_phone(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        first, carol = self.called(user, 0, "carol")
        user.answer(first, wait="completed").result(lab.CEILING)
        second, dave = self.called(user, 0, "dave")
        user.answer(second, "hold_and_answer", wait="completed").result(lab.CEILING)
        user.swap(wait="completed").result(lab.CEILING)
        self.assertEqual([user.calls[call]["state"] for call in (first, second)],
                         ["active", "held"])
        user.end(first, wait="completed").result(lab.CEILING)
        self.until(user, lambda call: call["call"] == second and call["state"] == "active"
                   or call["call"] == second and "resume" in call["allowed"])
        user.end(second, wait="completed").result(lab.CEILING)
        self.over(carol, dave)
        self.assertTrue(lab.held_before(self.capture.wire(), "carol", "dave"))

    def test_more_callers_than_the_phone_takes(self):
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        callers = lab.Caller(self, self.folder, "crowd", self.phones[0], calls=12)
        lab.wait_until("the calls do not come", lambda: len(user.calls) == 4)
        lab.wait_until("the others are not refused", lambda: self.refused() == 8)
        first, *others = list(user.calls)
        user.answer(first, wait="completed").result(lab.CEILING)
        for call in [*others, first]:
            user.end(call, wait="completed").result(lab.CEILING)
        self.assertEqual(callers.wait(), 1)
        self.assertEqual(user.calls, {})

    def refused(self):
        """How many calls were refused so far, some of them twice: a SIP message is sent as it is
        written."""
        with open(self.capture.file, "rb") as file:
            return len(set(re.findall(rb"SIP/2\.0 486.*?\r\nCall-ID: *(\S+)", file.read(), re.S)))

    def test_a_call_from_one_phone_to_the_other(self):
        """The same Call-ID at both ends, and two calls for the broker."""
        daemon = lab.Daemon(self, self.folder)
        user, _ = self.world(daemon, daemon)
        started = user.dial(f"sip:bob@127.0.0.1:{self.phones[1].sip}", provider="org.example.ann")
        outgoing = started.result(lab.CEILING)["actions"][0]["call"]
        incoming = self.until(user, lambda call: call["direction"] == "incoming")
        self.assertEqual(user.calls[incoming]["allowed"].count("end_and_answer"), 1)
        user.end(incoming, wait="completed").result(lab.CEILING)
        lab.wait_until("the outgoing call does not end", lambda: outgoing not in user.calls)


if __name__ == "__main__":
    unittest.main()
