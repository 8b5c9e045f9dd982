"""A call is made from one telephone while the other speaks."""
import unittest

import lab
from callbroker import ProviderFailed


class OutgoingTests(lab.World):
    def setUp(self):
        super().setUp()
        self.dan = lab.Baresip(self, self.folder, "dan")    # no provider: a far end

    def dialled(self, phone):
        """A call to Dan, when his telephone rings."""
        return self.started(phone, f"sip:dan@127.0.0.1:{self.dan.sip}")

    def started(self, phone, address):
        started = self.do("dial", address, provider=self.identity(phone))
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
                self.assertEqual(self.states(first, second), ["held", "alerting"])
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

    def ended(self, call):
        """What the user is told when a call is over, the same as in its history."""
        [changed] = lab.wait_until("nobody is told how it ended", lambda: self.user.happened(
            "call.changed", call=call, state="ended"))
        data = changed["data"]
        entry = self.user.list_history().result(lab.CEILING)["entries"][0]
        self.assertEqual([entry.get(name) for name in ("call", "end_reason", "end_detail")],
                         [data.get(name) for name in ("call", "end_reason", "end_detail")])
        return data["end_reason"], data.get("end_detail")

    def test_how_a_call_ended_that_was_refused_after_ringing(self):
        for phone, scenario, status, reason, detail in (
                (self.ann, "ringing_callee.xml", "486 Busy Here", "remote_ended",
                 {"reason": "busy", "text": "Busy Here", "code": "SIP 486"}),
                (self.ann, "early_callee.xml", "480 Nobody", "unanswered",
                 {"reason": "no_answer", "text": "Nobody", "code": "SIP 480"}),
                (self.linda, "early_callee.xml", "603 Decline", "remote_ended",
                 {"reason": "rejected", "text": "Decline", "code": "SIP 603"})):
            with self.subTest(phone=phone.user, status=status):
                callee = lab.Callee(self, self.folder, "eve", status, scenario)
                call = self.started(phone, callee.address)
                self.until(call, "ended")
                end = self.ended(call)          # the last of its events
                known = self.user.happened("call.changed", call=call, state="alerting")[-1]["data"]
                self.assertEqual(known.get("has_early_media", False),
                                 scenario == "early_callee.xml")
                self.assertGreaterEqual(known["alerting_at_ms"], known["created_at_ms"])
                self.assertEqual(end, (reason, detail))
                self.over(callee)

    def test_how_a_call_ended_that_was_refused_at_once(self):
        for phone, status, detail in (
                (self.ann, "404 Not Found",
                 {"reason": "invalid_number", "text": "Not Found", "code": "SIP 404"}),
                (self.linda, "603 Decline",
                 {"reason": "rejected", "text": "Decline", "code": "SIP 603"})):
            with self.subTest(phone=phone.user, status=status):
                callee = lab.Callee(self, self.folder, "eve", status)
                with self.assertRaises(ProviderFailed):
                    self.started(phone, callee.address)
                call = self.user.list_history().result(lab.CEILING)["entries"][0]["call"]
                self.assertEqual(self.ended(call)[1], detail)
                self.over(callee)

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
