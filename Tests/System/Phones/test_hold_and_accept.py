"""The main job on real input: a baresip and a linphone that know nothing of each other, and a
second call is answered with Hold & Accept. What is proven is proven by the packets."""
import contextlib
import io
import unittest

import lab
from callbroker import InvalidState


class HoldAndAcceptTests(lab.World):
    def test_hold_and_accept_swap_end_and_resume(self):
        first, carol = self.answered(self.ann, "carol")
        second, dave = self.called(self.linda, "dave")
        self.assertEqual(self.states(first, second), ["active", "waiting"])
        self.assertIn("hold_and_answer", self.user.calls[second]["allowed"])
        self.do("answer", second, "hold_and_answer")
        self.assertEqual(self.states(first, second), ["held", "active"])
        self.assertEqual(self.user.calls[first]["held_because_of"], second)
        self.do("swap")
        self.assertEqual(self.states(first, second), ["active", "held"])
        self.do("swap")
        self.do("end", second)
        self.until(first, "active")             # it was held because of the one that is over
        self.do("end", first)
        self.over(carol, dave)
        self.assertEqual(carol.logged(), ["answered", *["a=sendonly", "a=sendrecv"] * 2])
        self.assertEqual(dave.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        wire = self.proven("carol", "dave")
        self.assert_held_before(wire, "carol", "dave")
        self.assertEqual([len(wire.talking(call)) for call in ("carol", "dave")], [3, 2])

    def test_without_holds_the_same_check_fails(self):
        """The negative control: nothing but the hold is taken away."""
        self.adapters[self.ann].stop()
        without_holds = lab.WithoutHolds(self, self.folder, self.daemon.socket)
        self.attach(self.ann, without_holds.path)
        first, carol = self.answered(self.ann, "carol")
        second, dave = self.called(self.linda, "dave")
        self.do("answer", second, "hold_and_answer")
        self.do("end", second)
        self.do("end", first)
        self.over(carol, dave)
        wire = self.capture.wire()
        self.assertEqual(len(wire.at_once("carol", "dave")), 1, wire.story("carol", "dave"))
        with self.assertRaisesRegex(AssertionError, "two calls could be heard at once: carol from "
                                                    r"packet \d+ to \d+, dave from packet \d+"):
            self.assert_one_talks(wire, "carol", "dave")
        with self.assertRaisesRegex(AssertionError, "a=sendonly to carol: packet None"):
            self.assert_held_before(wire, "carol", "dave")
        with self.assertRaises(lab.Surprise), contextlib.redirect_stdout(io.StringIO()):
            lab.prove(wire)                     # nor does the demo believe it

    def test_a_hold_that_the_far_end_refuses(self):
        first, carol = self.answered(self.linda, "carol", "refusing_caller.xml")
        second, dave = self.called(self.ann, "dave")
        with self.assertRaises(InvalidState) as caught:
            self.do("answer", second, "hold_and_answer")
        self.assertEqual((caught.exception.reason, caught.exception.blocking),
                         ("hold_failed", [{"call": first, "provider": "org.example.linda"}]))
        self.assertEqual(self.states(first, second), ["active", "waiting"])
        self.do("end", first)
        self.do("answer", second)
        self.do("end", second)
        self.over(carol, dave)
        wire = self.proven("carol", "dave")
        refusal = [packet.number for packet in wire.said("488", "carol")]
        self.assertEqual(len(refusal), 1)
        self.assert_order(("carol refuses", refusal[0]), ("carol's call ends", wire.ended("carol")),
                          ("dave is answered", wire.answered("dave")))


if __name__ == "__main__":
    unittest.main()
