"""What fails in the middle of a call: an app, an adapter, the broker, an answer."""
import unittest

import lab
from callbroker import InvalidState, ProviderFailed


class FailureTests(lab.World):
    def held_and_active(self):
        """Carol's call at the baresip is held, Dave's at the linphone speaks."""
        self.carol_call, carol = self.answered(self.ann, "carol")
        self.dave_call, dave = self.called(self.linda, "dave")
        self.do("answer", self.dave_call, "hold_and_answer")
        return carol, dave

    def test_an_app_is_killed_in_a_call(self):
        carol, dave = self.held_and_active()
        self.linda.kill()
        self.until(self.dave_call, "ended")
        lab.wait_until(
            "nobody is told that the other could be resumed",
            lambda: self.user.happened("call.resume_offered", call=self.carol_call))
        self.assertEqual(self.states(self.carol_call), ["held"])
        ended = self.user.happened("call.changed", call=self.dave_call, state="ended")
        self.assertEqual([event["data"]["end_reason"] for event in ended], ["failed"])
        self.do("set_held", self.carol_call, False)
        self.do("end", self.carol_call)
        self.over(carol)
        wire = self.proven("carol", "dave")
        self.assertIsNone(wire.ended("dave"))   # nobody could say so any more
        self.assert_order(("dave is answered", wire.answered("dave")),
                          ("linphone's last sound", wire.last_sound("dave")),
                          ("carol is heard again", wire.talking("carol")[1].first))
        dave.stop()

    def test_an_adapter_is_killed_in_a_call_and_nobody_else_may_talk(self):
        first, carol = self.answered(self.linda, "carol")
        self.adapters[self.linda].kill()
        lab.wait_until(
            "nobody notices", lambda: not self.user.calls[first]["provider_connected"])
        second, dave = self.called(self.ann, "dave")
        for choice in ("answer", "hold_and_answer"):
            with self.assertRaises(InvalidState) as caught:
                self.do("answer", second, choice)
            self.assertEqual((caught.exception.reason, caught.exception.blocking),
                             ("cannot_hold", [{"call": first, "provider": "org.example.linda"}]))
        self.assertEqual(self.states(first, second), ["active", "waiting"])
        self.attach(self.linda)
        lab.wait_until("it is not back", lambda: self.user.calls[first]["provider_connected"])
        self.do("answer", second, "hold_and_answer")
        self.do("end", second)
        self.until(first, "active")
        self.do("end", first)
        self.over(carol, dave)
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")
        self.assertEqual([len(wire.talking(call)) for call in ("carol", "dave")], [2, 1])

    def test_a_call_that_its_app_goes_on_with_is_ended_before_another_is_answered(self):
        """Its adapter is dead, so only the next one can hang up."""
        first, carol = self.answered(self.linda, "carol")
        second, dave = self.called(self.ann, "dave")
        self.adapters[self.linda].kill()
        lab.wait_until(
            "nobody notices", lambda: not self.user.calls[first]["provider_connected"])
        answering = self.user.answer(second, "end_and_answer", wait="completed",
                                     deadline_ms=int(lab.CEILING * 1000))
        lab.wait_until("it is not to end", lambda: self.user.state(first) != "active")
        self.assertEqual(self.states(first, second), ["ending", "waiting"])
        self.attach(self.linda)
        answering.result(lab.CEILING)
        self.assertEqual(self.states(first, second), ["ended", "active"])
        self.do("end", second)
        self.over(carol, dave)
        wire = self.proven("carol", "dave")
        self.assert_order(("carol's call ends", wire.ended("carol")),
                          ("dave is answered", wire.answered("dave")),
                          ("dave's call ends", wire.ended("dave")))

    def test_the_broker_is_killed_in_a_call_and_the_calls_go_on(self):
        carol, dave = self.held_and_active()
        known = [self.user.calls[call]["connected_at_ms"]
                 for call in (self.carol_call, self.dave_call)]
        self.daemon.kill()
        self.daemon = lab.Daemon(self, self.folder)
        for call, state in ((self.carol_call, "held"), (self.dave_call, "active")):
            lab.wait_until(
                "the call is not there any more", lambda call=call, state=state: self.user.connected
                and self.user.state(call) == state and self.user.calls[call]["provider_connected"])
        self.assertEqual([self.user.calls[call]["connected_at_ms"]
                          for call in (self.carol_call, self.dave_call)], known)
        self.assertEqual((carol.logged(), dave.logged()),
                         (["answered", "a=sendonly"], ["answered"]))    # nobody has heard of it
        self.do("swap")
        self.do("end", self.carol_call)
        self.until(self.dave_call, "active")
        self.do("end", self.dave_call)
        self.over(carol, dave)
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")
        self.assertEqual([len(wire.talking(call)) for call in ("carol", "dave")], [2, 2])

    def test_adapters_and_broker_are_killed_in_a_call(self):
        carol, dave = self.held_and_active()
        for adapter in self.adapters.values():
            adapter.kill()
        self.daemon.kill()
        self.daemon = lab.Daemon(self, self.folder)
        for phone in (self.ann, self.linda):
            self.attach(phone)
        for call, state in ((self.carol_call, "held"), (self.dave_call, "active")):
            lab.wait_until(
                "the call is not there any more", lambda call=call, state=state: self.user.connected
                and self.user.state(call) == state and self.user.calls[call]["provider_connected"])
        self.do("end", self.dave_call)
        self.until(self.carol_call, "active")
        self.do("end", self.carol_call)
        self.over(carol, dave)
        self.assert_held_before(self.proven("carol", "dave"), "carol", "dave")


class UncompletedAnswerTests(lab.World):
    def baresip_options(self):
        return {"channels": 1}                  # its sound cannot start, and it says ok

    def test_an_answer_that_is_never_completed_gives_the_first_call_back(self):
        first, carol = self.answered(self.linda, "carol")
        second, dave = self.called(self.ann, "dave")
        with self.assertRaises(ProviderFailed):
            # It is the deadline of the hold, too, which is done.
            self.do("answer", second, "hold_and_answer", deadline_ms=4000)
        self.until(first, "active")
        self.assertEqual(self.states(second), ["ended"])
        self.assertEqual(dave.wait(), 1)
        self.do("end", first)
        self.over(carol)
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        wire = self.proven("carol", "dave")
        self.assertIsNone(wire.answered("dave"))
        refused = [packet.number for packet in wire.of("dave") if packet.what == "486"]
        self.assert_order(("carol agrees", wire.holds("carol")[0][1]),
                          ("dave is refused", refused[0]),
                          ("carol's call ends", wire.ended("carol")))


if __name__ == "__main__":
    unittest.main()
