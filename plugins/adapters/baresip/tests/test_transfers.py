"""A real baresip transfers calls: another one is the far end and does as it is told, sipp is the new
party. The broker is the program CALLBROKER, or .build/debug/callbroker of this repository."""
import unittest

import lab
from test_hold_and_answer import World

REFUSES_TRANSFERS = lab.ACCOUNT.replace("regint=0", "regint=0;call_transfer=no")


class TransferTests(World):
    """Dan calls ann, who sends him on to bob."""

    def setUp(self):
        super().setUp()
        self.daemon = lab.Daemon(self, self.folder)
        self.asker = self.user(self.daemon)

    def talk(self, **dan):
        """The call of dan, which ann has answered."""
        self.ann = lab.Baresip(self, self.folder, "ann")
        self.dan = lab.Baresip(self, self.folder, "dan", **dan)
        self.capture = lab.Capture(self, self.folder, [self.ann, self.dan])
        lab.provider(self, self.folder, self.ann, self.daemon.socket,
                     "org.example.ann").wait_for("attached")
        self.dan.command("dial", f"sip:ann@127.0.0.1:{self.ann.sip}")
        call = self.until(self.asker, lambda call: call["state"] == "ringing")
        self.asker.answer(call, wait="completed").result(lab.CEILING)
        self.until(self.asker, lambda call: "transfer" in call["allowed"])
        return call

    def bob(self, *status):
        return lab.Callee(self, self.folder, "bob", *status)

    def record(self, call):
        """What the history says of a call that has ended."""
        lab.wait_until("the call does not end", lambda: call not in self.asker.calls)
        [record] = [each for each in self.asker.list_history().result(lab.CEILING)["entries"]
                    if each["call"] == call]
        return record

    def of_ann(self, wire, what):
        """What was said in the call of ann and dan, which has a REFER."""
        [refer] = wire.said("REFER")
        return wire.said(what, refer.call)

    def outcomes(self, wire):
        return [(packet.number, packet.outcome.split()[1])
                for packet in self.of_ann(wire, "NOTIFY")]

    def assert_order(self, *packets):
        self.assertEqual([packet.number for packet in packets],
                         sorted(packet.number for packet in packets))

    def transferred(self, call, bob):
        said, status = self.daemon.tool("transfer", bob.address, call)
        self.assertEqual(status, 0, said)
        record = self.record(call)
        self.assertEqual((record["end_reason"], record["end_detail"]["reason"]),
                         ("local_ended", "transferred"))
        self.dan.command("hangup")              # bob has seen him come, and sees him go
        self.assertEqual(bob.wait(), 0, bob.said())

    def test_the_new_party_has_the_call_before_it_ends_here(self):
        call = self.talk()
        self.transferred(call, self.answering_bob())
        wire = self.capture.wire()
        [refer] = self.of_ann(wire, "REFER")
        invite = next(packet for packet in wire.said("INVITE") if packet.number > refer.number)
        answer = next(packet for packet in wire.said("200", invite.call))
        (_, trying), (done, success) = self.outcomes(wire)
        [bye] = self.of_ann(wire, "BYE")
        self.assertEqual((refer.source, invite.source, bye.source, trying, success),
                         (self.ann.sip, self.dan.sip, self.ann.sip, "100", "200"))
        self.assert_order(refer, invite, answer, bye)
        self.assertTrue(answer.number < done < bye.number)

    def answering_bob(self):
        return lab.Callee(self, self.folder, "bob", scenario="answering_callee.xml")

    def test_a_held_call_is_transferred_while_another_one_talks(self):
        call = self.talk()
        self.asker.set_held(call, True, wait="completed").result(lab.CEILING)
        other = lab.Caller(self, self.folder, "carol", self.ann)
        second = self.until(self.asker, lambda call: call.get("display_name") == "carol")
        self.asker.answer(second, wait="completed").result(lab.CEILING)
        self.transferred(call, self.answering_bob())
        self.assertEqual(self.asker.calls[second]["state"], "active")
        self.asker.end(second, wait="completed").result(lab.CEILING)
        self.over(other)
        self.assertEqual(other.logged(), ["answered"])

    def test_the_new_party_refuses_and_baresip_hangs_up(self):
        call, bob = self.talk(), self.bob("486 Busy Here")
        said, status = self.daemon.tool("transfer", bob.address, call)
        self.assertNotEqual(status, 0)
        self.assertIn("Busy Here", said)
        record = self.record(call)
        self.assertEqual((record["end_reason"], record["end_detail"]["text"]),
                         ("failed", "baresip hung up after a failed transfer"))
        self.assertEqual(bob.wait(), 0)
        wire = self.capture.wire()
        self.assertEqual([status for _, status in self.outcomes(wire)], ["100", "486"])
        self.assertEqual([bye.source for bye in self.of_ann(wire, "BYE")], [self.ann.sip])

    def test_a_far_end_that_calls_nobody_for_others(self):
        call, bob = self.talk(accounts=REFUSES_TRANSFERS), self.answering_bob()
        said, status = self.daemon.tool("transfer", bob.address, call)
        self.assertNotEqual(status, 0)
        self.assertIn("Not Implemented", said)
        self.assertEqual(self.record(call)["end_reason"], "failed")
        wire = self.capture.wire()
        self.assertEqual((len(self.of_ann(wire, "501")), self.outcomes(wire)), (1, []))

    def test_a_call_can_be_ended_while_nobody_answers_it(self):
        call = self.talk()
        bob = lab.Baresip(self, self.folder, "bob")     # that rings
        self.asker.transfer(call, {"type": "generic", "value": f"sip:bob@127.0.0.1:{bob.sip}"})
        self.until(self.asker, lambda call: call.get("pending_action") == "transferring")
        self.asker.end(call, wait="completed").result(lab.CEILING)
        self.assertEqual(self.record(call)["end_reason"], "local_ended")
        self.assertNotIn("end_detail", self.record(call))

    def test_what_baresip_cannot_do_is_not_offered(self):
        call = self.talk()
        self.assertNotIn("deflect", self.asker.calls[call]["allowed"])
        said, status = self.daemon.tool("deflect", "sip:bob@127.0.0.1", call)
        self.assertNotEqual(status, 0, said)


if __name__ == "__main__":
    unittest.main()
