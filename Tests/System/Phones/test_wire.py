"""Whether the one who judges the packets judges rightly. Needs no telephone."""
import unittest

import lab
from wire import Packet, Span, Wire, held_before

PHONE, OTHER, FAR = 5060, 5160, 9000


def packet(number, call, what, cseq="1 INVITE", direction=None, source=FAR, media=0):
    return Packet(number, float(number), source, call + "-1", cseq, what, direction, media)


def talk(first, last, call, phone=PHONE, begin=1):
    """A call that is answered in one packet and ended in another."""
    return [packet(begin, call, "INVITE", direction="sendrecv", media=FAR + 2),
            packet(first, call, "200", direction="sendrecv", source=phone, media=phone + 4),
            packet(last, call, "BYE", "2 BYE", source=phone),
            packet(last + 1, call, "200", "2 BYE")]


def hold(offer, call, answer="recvonly", direction="sendonly", cseq="7 INVITE"):
    """A re-INVITE of the telephone, and what the far end says in the next packet."""
    said = [packet(offer, call, "INVITE", cseq, direction, PHONE, PHONE + 4)]
    return said + ([packet(offer + 1, call, "200", cseq, answer, media=FAR + 2)] if answer else [])


def wire(*parts, sound=()):
    packets = sorted((each for part in parts for each in part), key=lambda each: each.number)
    return Wire(packets, list(sound), {PHONE: "one", OTHER: "other"}, [])


class WireTests(unittest.TestCase):
    def test_who_is_heard_from_when_to_when(self):
        judged = wire(talk(5, 90, "carol"), hold(10, "carol"),
                      hold(20, "carol", "sendrecv", "sendrecv", "8 INVITE"))
        self.assertEqual(judged.talking("carol"), [Span("carol", 5, 11), Span("carol", 21, 90)])
        self.assertEqual((judged.answered("carol"), judged.holds("carol"), judged.ended("carol")),
                         (5, [(10, 11)], 90))

    def test_a_hold_counts_when_the_far_end_has_agreed(self):
        refusal = [packet(11, "carol", "488", "7 INVITE")]
        for answer in ([], refusal):
            judged = wire(talk(5, 90, "carol"), hold(10, "carol", None), answer)
            self.assertEqual(judged.talking("carol"), [Span("carol", 5, 90)])
            self.assertEqual(judged.holds("carol"), [])

    def test_what_is_said_twice_counts_once(self):
        again = [packet(30, "carol", "200", "1 INVITE", "sendrecv", PHONE, PHONE + 4),
                 packet(12, "carol", "INVITE", "7 INVITE", "sendonly", PHONE)]
        judged = wire(talk(5, 90, "carol"), hold(10, "carol"), again)
        self.assertEqual(judged.talking("carol"), [Span("carol", 5, 11)])
        self.assertEqual(judged.holds("carol"), [(10, 11)])

    def test_two_at_once(self):
        both = wire(talk(5, 90, "carol"), talk(50, 60, "dave", OTHER, 40))
        self.assertEqual(both.at_once("carol", "dave"),
                         [(Span("carol", 5, 90), Span("dave", 50, 60))])
        after = wire(talk(5, 49, "carol"), talk(50, 60, "dave", OTHER, 40))
        self.assertEqual(after.at_once("carol", "dave"), [])
        held = wire(talk(5, 90, "carol"), hold(44, "carol"), talk(50, 60, "dave", OTHER, 40))
        self.assertEqual(held.at_once("carol", "dave"), [])
        self.assertTrue(held_before(held, "carol", "dave"))
        late = wire(talk(5, 90, "carol"), hold(51, "carol"), talk(50, 60, "dave", OTHER, 40))
        self.assertEqual(len(late.at_once("carol", "dave")), 1)
        self.assertFalse(held_before(late, "carol", "dave"))

    def test_a_call_that_nobody_ends_lasts_until_its_last_sound(self):
        dead = [each for each in talk(5, 90, "carol") if each.number < 90]
        sound = [(number, PHONE + 4) for number in range(6, 31)] + [(70, OTHER + 4), (71, FAR + 2)]
        dave = talk(50, 60, "dave", OTHER, 40)
        self.assertEqual(wire(dead, dave, sound=sound).talking("carol"), [Span("carol", 5, 30)])
        silent = wire(dead, dave)               # no sound at all: then nothing is known
        self.assertEqual(silent.talking("carol"), [Span("carol", 5, 61)])

    def test_a_call_that_was_never_answered(self):
        rang = [packet(1, "dave", "INVITE", direction="sendrecv"),
                packet(9, "dave", "CANCEL", "1 CANCEL"), packet(10, "dave", "200", "1 CANCEL"),
                packet(11, "dave", "487")]
        judged = wire(talk(5, 90, "carol"), rang)
        self.assertEqual((judged.answered("dave"), judged.talking("dave"), judged.ended("dave")),
                         (None, [], 9))
        with self.assertRaises(AssertionError):
            held_before(judged, "carol", "dave")

    def test_the_assertions_tell_packets(self):
        judge = lab.World()
        judged = wire(talk(5, 90, "carol"), talk(50, 60, "dave", OTHER, 40))
        with self.assertRaisesRegex(AssertionError, "carol from packet 5 to 90, dave from packet "
                                                    "50 to 60"):
            judge.assert_one_talks(judged, "carol", "dave")
        with self.assertRaisesRegex(AssertionError, "a: packet 2, b: packet 1"):
            judge.assert_order(("a", 2), ("b", 1))
        with self.assertRaisesRegex(AssertionError, "b: packet None"):
            judge.assert_order(("a", 2), ("b", None))


if __name__ == "__main__":
    unittest.main()
