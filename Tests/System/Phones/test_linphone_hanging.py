"""A linphone that hangs in a call and comes back, and far ends that leave its questions unanswered."""
import signal
import time
import unittest

import lab
import hanging
from callbroker import BrokerError, InvalidState
from telephone import Telephone


class LinphoneHangingTests(hanging.HangingCases):
    def hanging(self):
        return self.linda, self.ann

    def come_back(self, seconds):
        """Another call is to be answered, and linphone moves again that long after it hung."""
        self.hang()
        since = time.monotonic()
        with self.assertRaises(BrokerError):
            self.do("answer", self.dave_call, "hold_and_answer")
        time.sleep(max(0, since + seconds - time.monotonic()))
        self.hang(signal.SIGCONT)
        self.do("end", self.dave_call)
        self.settled()

    def settled(self):
        """Carol is in a call for the broker, which can be held, or in none."""
        def is_settled():
            return self.user.state(self.carol_call) == "ended" or self.is_held()
        lab.wait_until("her call is in limbo", is_settled)
        if self.user.state(self.carol_call) != "ended":
            self.do("end", self.carol_call)
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-500:])
        lab.wait_until("a call is left over", lambda: not self.user.calls)

    def is_held(self):
        try:
            self.do("set_held", self.carol_call, True)
            return True
        except BrokerError:
            return False

    def test_it_moves_again_after_five_seconds(self):
        self.come_back(5)

    def test_it_moves_again_after_six_seconds(self):
        self.come_back(6)

    def test_it_moves_again_after_seven_and_a_half_seconds(self):
        self.come_back(7.5)

    def test_it_moves_again_after_nine_seconds(self):
        self.come_back(9)

    def test_it_moves_again_when_it_counts_as_gone(self):
        self.come_back(13)

    def test_every_action_fails_in_time(self):
        self.hang()
        self.do("end", self.dave_call)
        for verb, *words in (("set_muted", True), ("set_held", True)):
            self.assert_fails_in_time(verb, self.carol_call, *words)
        with self.assertRaises(BrokerError):    # and here it is over all the same
            self.do("end", self.carol_call, deadline_ms=1500)
        self.assertEqual(self.states(self.carol_call), ["ended"])
        self.assertEqual(self.user.happened("action.timed_out"), [])
        self.hang(signal.SIGCONT)
        self.over(self.carol)
        lab.wait_until("a call is left over", lambda: not self.user.calls)

    def test_a_ring_that_could_not_be_answered_ends(self):
        self.do("end", self.dave_call)
        self.do("end", self.carol_call)
        erin_call, erin = self.called(self.linda, "erin")
        self.hang()
        with self.assertRaises(BrokerError):
            self.do("answer", erin_call, deadline_ms=1500)
        self.assertEqual(self.states(erin_call), ["ended"])
        self.hang(signal.SIGCONT)
        erin.wait()                             # was answered and hung up, or refused
        lab.wait_until("a call is left over", lambda: not self.user.calls)
        self.assertTrue({packet.what for packet in self.capture.wire().of("erin")} &
                        {"BYE", "603", "486"})


class LiblinphoneHangingTests(lab.World):
    """The same with a telephone that is app and adapter in one: it moves again after a while."""

    def setUp(self):
        super().setUp()
        self.lea = Telephone(self, self.folder, "lea", self.daemon.socket)
        self.carol_call, self.carol = self.answered(self.lea, "carol", "silent_caller.xml")
        self.dave_call, self.dave = self.called(self.ann, "dave")

    def test_a_call_that_the_broker_has_ended_is_hung_up_when_it_moves_again(self):
        self.lea.process.send_signal(signal.SIGSTOP)
        self.do("answer", self.dave_call, "hold_and_answer")
        self.assertEqual(self.states(self.carol_call, self.dave_call), ["ended", "active"])
        self.lea.process.send_signal(signal.SIGCONT)
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-500:])
        self.assertEqual(self.states(self.dave_call), ["active"])
        self.do("end", self.dave_call)
        self.over(self.dave)


class SilentFarEndTests(lab.World):
    def test_a_hold_that_the_far_end_leaves_unanswered_does_not_cost_the_call(self):
        first, carol = self.answered(self.linda, "carol", "silent_caller.xml")
        second, dave = self.called(self.ann, "dave")
        with self.assertRaises(InvalidState) as caught:
            self.do("answer", second, "hold_and_answer")
        self.assertEqual((caught.exception.reason, caught.exception.blocking),
                         ("hold_failed", [{"call": first, "provider": "org.example.linda"}]))
        self.assertEqual(self.states(first, second), ["active", "waiting"])
        self.assertEqual(self.user.happened("action.timed_out"), [])
        self.do("answer", second, "end_and_answer")
        self.do("end", second)
        self.over(carol, dave)
        wire = self.proven("carol", "dave")
        self.assert_order(("carol's call ends", wire.ended("carol")),
                          ("dave is answered", wire.answered("dave")))

    def test_a_hold_whose_cause_is_cancelled_is_undone(self):
        """Dave gives up while Carol is asked: her call is the user's again."""
        first, carol = self.answered(self.linda, "carol", "slow_caller.xml")
        second, dave = self.called(self.ann, "dave", "cancelling_caller.xml")
        answering = self.user.answer(second, "hold_and_answer", wait="completed")
        with self.assertRaises(BrokerError):
            answering.result(lab.CEILING)
        self.over(dave)
        lab.wait_until(lambda: f"the hold is not undone: {carol.logged()}",
                       lambda: carol.logged() == ["answered", "a=sendonly", "a=sendrecv"])
        self.until(first, "active")
        self.assertEqual(self.states(first, second), ["active", "ended"])
        self.do("end", first)
        self.over(carol)
        self.proven("carol", "dave")


if __name__ == "__main__":
    unittest.main()
