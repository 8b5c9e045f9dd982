"""A call is made from one telephone while the other speaks."""
import unittest

import lab


class OutgoingTests(lab.World):
    def setUp(self):
        super().setUp()
        self.dan = lab.Baresip(self, self.folder, "dan")    # no provider: a far end

    def dialled(self, phone):
        """A call to Dan, when his telephone rings."""
        started = self.do("dial", f"sip:dan@127.0.0.1:{self.dan.sip}",
                          provider=self.identity(phone))
        return next(action["call"] for action in started["actions"] if action["kind"] == "start")

    def made_by(self, wire, phone):
        """The Call-ID of the call that a telephone has made."""
        return next(packet.call for packet in wire.packets
                    if packet.what == "INVITE" and packet.source == phone.sip
                    and not packet.call.startswith("carol"))

    def made_after_hold(self, wire, phone):
        """The call, after looking that it was made when the other one was on hold."""
        call = self.made_by(wire, phone)
        self.assert_order(("carol agrees to be held", wire.holds("carol")[0][1]),
                          ("dan is called", wire.of(call)[0].number))
        return call

    def test_the_first_call_is_held_before_the_other_is_made(self):
        for phone, other in ((self.linda, self.ann), (self.ann, self.linda)):
            with self.subTest(phone=phone.user):
                self.capture.stop()
                self.capture = lab.Capture(self, self.folder, [self.ann, self.linda])
                first, carol = self.answered(other, "carol")
                second = self.dialled(phone)
                self.assertEqual(self.states(first, second), ["held", "dialing"])
                self.dan.command("accept")
                self.until(second, "active")
                self.do("end", second)
                self.until(first, "active")
                self.do("end", first)
                self.over(carol)
                wire = self.capture.wire()
                call = self.made_after_hold(wire, phone)
                self.assert_one_talks(wire, "carol", call)
                self.assertEqual([len(wire.talking(each)) for each in ("carol", call)], [2, 1])

    def test_a_call_that_is_declined_gives_the_first_one_back(self):
        first, carol = self.answered(self.linda, "carol")
        second = self.dialled(self.ann)
        self.dan.command("hangup")
        self.until(second, "ended")
        self.until(first, "active")
        self.do("end", first)
        self.over(carol)
        wire = self.capture.wire()
        call = self.made_after_hold(wire, self.ann)
        self.assert_one_talks(wire, "carol", call)
        declined = [packet.number for packet in wire.of(call) if packet.what in ("486", "603")]
        self.assert_order(("dan declines", declined[0]),
                          ("carol is heard again", wire.talking("carol")[1].first))


if __name__ == "__main__":
    unittest.main()
