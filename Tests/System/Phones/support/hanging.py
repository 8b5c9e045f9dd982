"""Telephones that hang in a call and come back: what is the same for each of them."""
import signal

from callbroker import BrokerError, InvalidState
from world import World


class HangingCases(World):
    """Carol's call at the telephone is active when it hangs, and Dave calls the other one."""

    def hanging(self):
        """The telephone that hangs, and the other one."""
        raise NotImplementedError

    def setUp(self):
        super().setUp()
        self.phone, self.other = self.hanging()
        self.carol_call, self.carol = self.answered(self.phone, "carol")
        self.dave_call, self.dave = self.called(self.other, "dave")

    def hang(self, number=signal.SIGSTOP):
        self.phone.process.send_signal(number)

    def assert_nobody_is_forgotten(self):
        """Everybody was told that his call is over."""
        self.over(self.carol, self.dave)
        wire = self.capture.wire()
        for name in ("carol", "dave"):
            self.assertIsNotNone(wire.ended(name), f"nobody has ended the call with {name}")

    def assert_it_is_hung_up(self):
        """It moves again, and has no call that is over for the broker."""
        self.hang(signal.SIGCONT)
        self.assertEqual(self.carol.wait(), 0, self.carol.said()[-500:])
        self.do("end", self.dave_call)
        self.assert_nobody_is_forgotten()

    def assert_fails_in_time(self, verb, *words, **options):
        with self.subTest(verb=verb), self.assertRaises(BrokerError) as caught:
            self.do(verb, *words, deadline_ms=1500, **options)
        self.assertEqual(caught.exception.data["provider_error"]["reason"], "app_gone")

    def test_a_hold_fails_in_time_and_the_call_goes_on(self):
        """Its call is nobody's to drop: it is there when the telephone moves again."""
        self.hang()
        with self.assertRaises(InvalidState) as caught:
            self.do("answer", self.dave_call, "hold_and_answer")
        self.assertEqual((caught.exception.reason, caught.exception.blocking), (
            "hold_failed", [{"call": self.carol_call, "provider": self.identity(self.phone)}]))
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
        self.assert_it_is_hung_up()

    def test_a_call_is_hung_up_whose_adapter_hung_too(self):
        """The broker waits for nobody, and ends the silent call: nobody answers in time."""
        self.hang()
        self.adapters[self.phone].process.send_signal(signal.SIGSTOP)
        self.do("answer", self.dave_call, "hold_and_answer")
        self.assertEqual(self.states(self.carol_call, self.dave_call), ["ended", "active"])
        self.adapters[self.phone].process.send_signal(signal.SIGCONT)
        self.assert_it_is_hung_up()
