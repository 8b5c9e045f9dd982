"""Why calls end at a baresip, in the words of the history."""
import unittest

import lab


class ReasonTests(lab.World):
    def baresip_options(self):
        return {"ring": 3} if "gives_up_is_unanswered" in self._testMethodName else {}

    def entry(self):
        """The only entry of the history, once there is one."""
        found, = lab.wait_until("the call does not end", lambda: self.user.request(
            "history.list", {}).result(lab.CEILING)["entries"])
        return found

    def test_a_ring_that_baresip_gives_up_is_unanswered(self):
        carol = lab.Caller(self, self.folder, "carol", self.ann)
        self.assertEqual(carol.wait(), 1)
        entry = self.entry()
        self.assertEqual((entry["end_reason"], entry["missed_reasons"]),
                         ("unanswered", ["unanswered", "short_ring"]))

    def test_a_caller_who_gives_up_is_told_apart(self):
        carol = lab.Caller(self, self.folder, "carol", self.ann, "cancelling_caller.xml")
        self.over(carol)
        entry = self.entry()
        self.assertEqual((entry["end_reason"], entry["missed_reasons"]),
                         ("remote_ended", ["short_ring", "caller_gave_up"]))

    def test_a_declined_call_is_busy_for_its_caller(self):
        call, carol = self.called(self.ann, "carol")
        self.do("end", call)
        self.assertEqual(carol.wait(), 1)
        self.assertEqual(self.entry()["end_reason"], "declined")
        answers = [packet.what for packet in self.capture.wire().of("carol")
                   if packet.what.isdigit() and packet.what > "200"]
        self.assertEqual(answers[:1], ["486"])

    def test_a_far_end_that_is_busy_is_reported_as_busy(self):
        callee = lab.Callee(self, self.folder, "kim", "486 Busy Here", "ringing_callee.xml")
        lab.wait_until("it is not registered", lambda: any(
            each["provider"] == "org.example.ann"
            for each in self.user.list_providers().result(lab.CEILING)["providers"]))
        self.user.start({"type": "generic", "value": callee.address},
                        provider="org.example.ann").result(lab.CEILING)
        entry = self.entry()
        self.assertEqual((entry["end_reason"], entry["end_detail"]), (
            "remote_ended", {"reason": "busy", "code": "SIP 486", "text": "Busy Here"}))


if __name__ == "__main__":
    unittest.main()
