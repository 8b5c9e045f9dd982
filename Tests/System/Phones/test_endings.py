"""How calls end, and what becomes of the other one."""
import unittest

import lab
from callbroker import BrokerError


class EndingTests(lab.World):
    def held_and_active(self, first="caller.xml", second="caller.xml"):
        """Carol's call at the baresip is held, Dave's at the linphone speaks."""
        self.carol_call, carol = self.answered(self.ann, "carol", first)
        self.dave_call, dave = self.called(self.linda, "dave", second)
        self.do("answer", self.dave_call, "hold_and_answer")
        return carol, dave

    def test_end_and_accept(self):
        first, carol = self.answered(self.linda, "carol")
        second, dave = self.called(self.ann, "dave")
        self.do("answer", second, "end_and_answer")
        self.assertEqual(self.states(first, second), ["ended", "active"])
        self.do("end", second)
        self.over(carol, dave)
        self.assertEqual(carol.logged(), ["answered"])
        wire = self.proven("carol", "dave")
        self.assert_order(("carol's call ends", wire.ended("carol")),
                          ("dave is answered", wire.answered("dave")))

    def test_after_the_far_end_has_ended_its_call_the_other_stays_held(self):
        carol, dave = self.held_and_active(second="short_caller.xml")
        self.until(self.dave_call, "ended")
        self.over(dave)
        lab.wait_until(
            "nobody is told that it could be resumed",
            lambda: self.user.happened("call.resume_offered", call=self.carol_call))
        self.assertEqual(self.states(self.carol_call), ["held"])
        self.assertEqual(carol.logged(), ["answered", "a=sendonly"])
        self.do("set_held", self.carol_call, False)
        self.do("end", self.carol_call)
        self.over(carol)
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")
        self.assert_order(("dave hangs up", wire.ended("dave")),
                          ("carol is heard again", wire.talking("carol")[1].first))

    def test_the_far_end_hangs_up_while_it_is_held(self):
        carol, dave = self.held_and_active(first="leaving_caller.xml")
        self.until(self.carol_call, "ended")
        self.over(carol)
        self.assertEqual(self.states(self.dave_call), ["active"])
        self.do("end", self.dave_call)
        self.over(dave)
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")
        self.assert_order(("dave is answered", wire.answered("dave")),
                          ("carol hangs up", wire.ended("carol")),
                          ("dave's call ends", wire.ended("dave")))

    def test_the_caller_gives_up_while_the_hold_is_under_way(self):
        first, carol = self.answered(self.ann, "carol", "silent_caller.xml")
        second, dave = self.called(self.linda, "dave", "cancelling_caller.xml")
        answering = self.user.answer(second, "hold_and_answer", wait="completed")
        with self.assertRaises(BrokerError):
            answering.result(lab.CEILING)
        self.over(dave)
        self.until(first, "active")
        self.assertEqual(self.states(second), ["ended"])
        self.do("end", first)
        carol.stop()                            # baresip never hears what became of its hold
        wire = self.proven("carol", "dave")
        self.assertIsNone(wire.answered("dave"))
        asked = [packet.number for packet in wire.of("carol") if packet.direction == "sendonly"]
        self.assert_order(("carol is asked", asked[0]), ("dave gives up", wire.ended("dave")))
        self.assertEqual(wire.holds("carol"), [])

    def test_the_user_of_the_second_telephone_gets_the_first_back(self):
        """The same as ever, with the makers the other way round."""
        first, carol = self.answered(self.linda, "carol")
        second, dave = self.called(self.ann, "dave")
        self.do("answer", second, "hold_and_answer")
        self.do("end", second)
        self.until(first, "active")
        self.do("end", first)
        self.over(carol, dave)
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")
        self.assert_order(("dave's call ends", wire.ended("dave")),
                          ("carol is heard again", wire.talking("carol")[1].first))


if __name__ == "__main__":
    unittest.main()
