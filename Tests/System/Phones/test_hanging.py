"""A baresip that hangs in a call and comes back, and a far end that leaves a hold unanswered."""
import signal
import unittest

import lab
import hanging
from callbroker import BrokerError, InvalidState


class HangingTests(hanging.HangingCases):
    def hanging(self):
        return self.ann, self.linda

    def test_a_call_that_was_ended_for_another_is_hung_up_after_attaching_anew(self):
        self.hang()
        self.do("answer", self.dave_call, "end_and_answer")
        self.adapters[self.ann].wait_for("baresip does not answer; attaching anew")
        self.assert_it_is_hung_up()

    def test_every_action_fails_in_time(self):
        self.hang()
        self.do("end", self.dave_call)
        for verb, *words in (("set_muted", True), ("play_dtmf", "1"), ("set_held", True),
                             ("transfer", {"type": "generic", "value": "sip:x@127.0.0.1:9"})):
            self.assert_fails_in_time(verb, self.carol_call, *words)
        with self.assertRaises(BrokerError):    # and here it is over all the same
            self.do("end", self.carol_call)
        self.assertEqual(self.states(self.carol_call), ["ended"])
        self.assert_fails_in_time(
            "start", {"type": "generic", "value": f"sip:linda@127.0.0.1:{self.linda.sip}"},
            provider="org.example.ann")
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
        self.assertEqual({packet.what for packet in self.capture.wire().of("erin")
                          if packet.what in ("200", "486")}, {"486"})


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
