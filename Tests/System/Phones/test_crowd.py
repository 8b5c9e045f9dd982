"""More callers than anybody can take."""
import re
import unittest

import lab


class CrowdTests(lab.World):
    def baresip_options(self):
        return {"calls": 16}

    def crowd(self, phone):
        """Twelve callers at twenty per second."""
        return lab.Caller(self, self.folder, "crowd", phone, calls=12)

    def fates(self, wire):
        """The calls of the crowd, and which of them were answered."""
        calls = sorted({packet.call for packet in wire.of("crowd")})
        refused = [call for call in calls
                   if any(packet.what in ("486", "603") for packet in wire.of(call))]
        answered = [call for call in calls if wire.answered(call)]
        self.assertEqual((len(calls), len(refused), len(answered)), (12, 11, 1))
        return calls, answered[0]

    def test_the_telephone_would_take_them_all_and_the_host_lets_four_ring(self):
        first, carol = self.answered(self.linda, "carol")
        crowd = self.crowd(self.ann)
        lab.wait_until(
            "the others are not refused", lambda: len(self.user.happened("call.refused")) == 8)
        self.assertEqual({event["data"]["rule"] for event in self.user.happened("call.refused")},
                         {"3"})
        waiting = [call for call in self.user.calls if call != first]
        self.assertEqual(self.states(*waiting), ["waiting"] * 4)
        self.do("answer", waiting[0], "hold_and_answer")
        for call in [*waiting[1:], waiting[0]]:
            self.do("end", call)
        self.until(first, "active")
        self.do("end", first)
        self.over(carol)
        self.assertEqual(crowd.wait(), 1, crowd.said()[-2000:])
        wire = self.capture.wire()
        calls, answered = self.fates(wire)
        self.assert_one_talks(wire, "carol", *calls)
        self.assert_held_before(wire, "carol", answered)

    def test_a_telephone_that_lets_one_ring_at_a_time(self):
        """linphone says 486 to all others, and tells nobody of them."""
        first, carol = self.answered(self.ann, "carol")
        crowd = self.crowd(self.linda)
        second = self.ringing("crowd", crowd)
        lab.wait_until("the others are not refused", lambda: self.refusals() == 11)
        self.assertEqual(set(self.user.calls), {first, second})
        self.do("answer", second, "hold_and_answer")
        self.do("end", second)
        self.until(first, "active")
        self.do("end", first)
        self.over(carol)
        self.assertEqual(crowd.wait(), 1, crowd.said()[-2000:])
        wire = self.capture.wire()
        calls, answered = self.fates(wire)
        self.assert_one_talks(wire, "carol", *calls)
        self.assert_held_before(wire, "carol", answered)

    def refusals(self):
        """How many calls were refused so far, some of them twice: a SIP message is sent as it is
        written."""
        with open(self.capture.file, "rb") as file:
            return len(set(re.findall(rb"SIP/2\.0 486.*?\r\nCall-ID: *(\S+)", file.read(), re.S)))


if __name__ == "__main__":
    unittest.main()
