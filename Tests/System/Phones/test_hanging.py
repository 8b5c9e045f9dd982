"""A baresip that hangs in a call and comes back, and a far end that leaves a hold unanswered."""
import signal
import unittest

import lab
from callbroker import BrokerError, InvalidState


class HangingTests(lab.World):
    """Carol's call at the baresip is active when it hangs, and Dave calls the linphone."""

    def setUp(self):
        super().setUp()
        self.carol_call, self.carol = self.answered(self.ann, "carol")
        self.dave_call, self.dave = self.called(self.linda, "dave")

    def hang(self, number=signal.SIGSTOP):
        self.ann.process.send_signal(number)

    def assert_nobody_is_forgotten(self):
        """Everybody was told that his call is over."""
        self.over(self.carol, self.dave)
        wire = self.capture.wire()
        for name in ("carol", "dave"):
            self.assertIsNotNone(wire.ended(name), f"nobody has ended the call with {name}")
        return wire

    def test_a_hold_fails_in_time_and_the_call_goes_on(self):
        """Its call is nobody's to drop: it is there when baresip moves again."""
        self.hang()
        with self.assertRaises(InvalidState) as caught:
            self.do("answer", self.dave_call, "hold_and_answer")
        self.assertEqual((caught.exception.reason, caught.exception.blocking), (
            "hold_failed", [{"call": self.carol_call, "provider": "org.example.ann"}]))
        self.assertEqual(self.user.happened("action.timed_out"), [])
        self.assertEqual(self.states(self.carol_call, self.dave_call), ["active", "waiting"])
        self.hang(signal.SIGCONT)
        self.do("answer", self.dave_call, "hold_and_answer")
        self.assertEqual(self.states(self.carol_call, self.dave_call), ["held", "active"])
        self.do("end", self.dave_call)
        self.until(self.carol_call, "active")
        self.do("end", self.carol_call)
        self.over(self.carol, self.dave)
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")

    def test_a_call_that_was_ended_for_another_is_hung_up_when_it_moves_again(self):
        self.hang()
        self.do("answer", self.dave_call, "end_and_answer")
        self.assertEqual(self.states(self.carol_call, self.dave_call), ["ended", "active"])
        self.assertEqual(self.user.happened("action.timed_out"), [])
        self.hang(signal.SIGCONT)
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-500:])
        self.do("end", self.dave_call)
        self.assert_nobody_is_forgotten()

    def test_a_call_that_was_ended_for_another_is_hung_up_after_attaching_anew(self):
        self.hang()
        self.do("answer", self.dave_call, "end_and_answer")
        self.adapters[self.ann].wait_for("baresip does not answer; attaching anew")
        self.hang(signal.SIGCONT)
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-500:])
        self.do("end", self.dave_call)
        self.assert_nobody_is_forgotten()

    def test_a_call_is_hung_up_whose_adapter_hung_too(self):
        """The broker waits for nobody, and ends the silent call: nobody answers in time."""
        self.hang()
        self.adapters[self.ann].process.send_signal(signal.SIGSTOP)
        self.do("answer", self.dave_call, "hold_and_answer")
        self.assertEqual(self.states(self.carol_call, self.dave_call), ["ended", "active"])
        self.adapters[self.ann].process.send_signal(signal.SIGCONT)
        self.hang(signal.SIGCONT)
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-500:])
        self.do("end", self.dave_call)
        self.assert_nobody_is_forgotten()

    def test_every_action_fails_in_time(self):
        self.hang()
        self.do("end", self.dave_call)
        for verb, *words in (("set_muted", True), ("play_dtmf", "1"), ("set_held", True),
                             ("transfer", {"type": "generic", "value": "sip:x@127.0.0.1:9"})):
            with self.subTest(verb=verb), self.assertRaises(BrokerError) as caught:
                self.do(verb, self.carol_call, *words, deadline_ms=1500)
            self.assertEqual(caught.exception.data["provider_error"]["reason"], "app_gone")
        with self.assertRaises(BrokerError):    # and here it is over all the same
            self.do("end", self.carol_call)
        self.assertEqual(self.states(self.carol_call), ["ended"])
        with self.assertRaises(BrokerError) as caught:
            self.do("start", {"type": "generic", "value": f"sip:linda@127.0.0.1:{self.linda.sip}"},
                    provider="org.example.ann", deadline_ms=1500)
        self.assertEqual(caught.exception.data["provider_error"]["reason"], "app_gone")
        self.assertEqual(self.user.happened("action.timed_out"), [])
        self.hang(signal.SIGCONT)
        self.over(self.carol)
        lab.wait_until("a call is left over", lambda: not self.user.calls)

    def test_a_ring_that_could_not_be_answered_ends(self):
        self.do("end", self.dave_call)
        self.do("end", self.carol_call)
        erin_call, erin = self.called(self.ann, "erin")
        self.hang()
        with self.assertRaises(BrokerError):
            self.do("answer", erin_call, deadline_ms=1500)
        self.assertEqual(self.states(erin_call), ["ended"])
        self.hang(signal.SIGCONT)
        self.assertEqual(erin.wait(), 1)
        self.assertEqual([packet.what for packet in self.capture.wire().of("erin")
                          if packet.what in ("200", "486")], ["486"])


class SilentFarEndTests(lab.World):
    def test_a_hold_that_the_far_end_leaves_unanswered_does_not_cost_the_call(self):
        first, carol = self.answered(self.ann, "carol", "silent_caller.xml")
        second, dave = self.called(self.linda, "dave")
        with self.assertRaises(InvalidState) as caught:
            self.do("answer", second, "hold_and_answer")
        self.assertEqual((caught.exception.reason, caught.exception.blocking), (
            "hold_failed", [{"call": first, "provider": "org.example.ann"}]))
        self.assertEqual(self.user.happened("action.timed_out"), [])
        self.assertEqual(self.states(first, second), ["active", "waiting"])
        why = self.user.explain(call=first).result(lab.CEILING)["steps"]
        self.assertIn("remote_refused", str(why))
        self.do("end", second)
        self.do("end", first)
        self.assertEqual(dave.wait(), 1)
        carol.stop()


if __name__ == "__main__":
    unittest.main()
