"""A baresip that answers by itself beside a linphone."""
import unittest

import lab
from phonelab import ACCOUNT


class AutoAnswerTests(lab.World):
    def baresip_options(self):
        return {"accounts": ACCOUNT.replace("answermode=manual", "answermode=auto")}

    def answered_by_itself(self):
        """Carol's call at the linphone is held for that of Dave, which baresip has answered. For a
        moment both can be heard: nobody was asked before."""
        first, carol = self.answered(self.linda, "carol")
        dave = lab.Caller(self, self.folder, "dave", self.ann)
        second = lab.wait_until("dave does not come", lambda: next(
            (call["call"] for call in list(self.user.calls.values())
             if call.get("display_name") == "dave"), None))
        self.until(second, "active")
        self.until(first, "held")
        return first, second, carol, dave

    def test_the_call_of_the_other_is_held_for_it(self):
        first, second, carol, dave = self.answered_by_itself()
        self.do("end", second)
        self.until(first, "active")
        self.do("end", first)
        self.over(carol, dave)
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        self.assertEqual(dave.logged(), ["answered"])
        wire = self.capture.wire()
        self.assert_order(("dave is answered", wire.answered("dave")),
                          ("carol agrees", wire.holds("carol")[0][1]),
                          ("dave's call ends", wire.ended("dave")))

    def test_the_call_of_the_other_is_ended_while_it_comes_back(self):
        """Its BYE may overtake the answer to its re-INVITE."""
        first, second, carol, dave = self.answered_by_itself()
        self.do("end", second)
        self.do("end", first)
        self.over(carol, dave)
        self.assertEqual(carol.logged()[:2], ["answered", "a=sendonly"])

    def test_everybody_who_looks_is_warned_of_it(self):
        adapter = self.adapters[self.ann]
        adapter.wait_for("answers calls by itself, before others are held")
        said, _ = self.daemon.tool("doctor")
        self.assertRegex(said, rf"warning +line: sip:ann@127.0.0.1:{self.ann.sip} of "
                         "org.example.ann: registered: answers calls by itself")


if __name__ == "__main__":
    unittest.main()
