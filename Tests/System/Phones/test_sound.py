"""Who sends sound, packet by packet: what was agreed to is also what is done."""
import os
import unittest

import lab

IN_FLIGHT = 3                                   # packets that may be on their way at a change
SOUND = 25 * 230                                # bytes of a capture that hold half a second of it


class SoundTests(lab.World):
    def some_sound(self):
        """Until somebody has been heard for a while."""
        size = os.path.getsize(self.capture.file)
        lab.wait_until(
            "nobody is heard", lambda: os.path.getsize(self.capture.file) > size + SOUND)

    def assert_one_sends(self, wire, *callers):
        """While one call can be heard, nobody but its telephone sends sound."""
        for span in [span for caller in callers for span in wire.talking(caller)]:
            for call in callers:
                sent = [number for number in wire.sounds(call) if span.first < number < span.last]
                if call == span.call:
                    self.assertGreater(len(sent), IN_FLIGHT, f"{span}: it sends nothing")
                else:
                    self.assertLessEqual(len(sent), IN_FLIGHT, f"{span}: {call} sends as well, "
                                                               f"packets {sent}")

    def test_only_the_telephone_that_may_talk_sends_sound(self):
        first, carol = self.answered(self.ann, "carol")
        self.some_sound()
        second, dave = self.called(self.linda, "dave")
        self.do("answer", second, "hold_and_answer")
        self.some_sound()
        self.do("swap")
        self.some_sound()
        self.do("end", first)
        self.until(second, "active")
        self.some_sound()
        self.do("end", second)
        self.over(carol, dave)
        wire = self.proven("carol", "dave")
        self.assertEqual([len(wire.talking(call)) for call in ("carol", "dave")], [2, 2])
        self.assert_one_sends(wire, "carol", "dave")

    def test_without_holds_both_do(self):
        """The negative control."""
        self.adapters[self.ann].stop()
        self.attach(self.ann, lab.WithoutHolds(self, self.folder, self.daemon.socket).path)
        first, carol = self.answered(self.ann, "carol")
        second, dave = self.called(self.linda, "dave")
        self.do("answer", second, "hold_and_answer")
        self.some_sound()
        self.some_sound()
        for call in (second, first):
            self.do("end", call)
        self.over(carol, dave)
        with self.assertRaisesRegex(AssertionError, "sends as well, packets"):
            self.assert_one_sends(self.capture.wire(), "carol", "dave")


if __name__ == "__main__":
    unittest.main()
