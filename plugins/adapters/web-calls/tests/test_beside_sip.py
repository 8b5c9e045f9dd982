"""A web call beside a SIP call: a real baresip with its adapter, called by sipp, and a page in each real
browser, under the real broker (CALLBROKER, or .build/debug/callbroker of this repository). The packets of
the SIP call, and what the page's far end receives, are the judges."""
import os
import sys
import unittest

import lab

sys.path.insert(0, os.path.join(lab.HERE, "..", "..", "..", "..", "Tests", "System", "Phones", "support"))

from phonelab import Baresip, Caller, baresip_provider  # noqa: E402
from wire import Capture  # noqa: E402


class Cases:
    """Each runs in both browsers."""

    def telephone(self):
        phone = Baresip(self, self.folder, "ann")
        self.capture = Capture(self, self.folder, [phone])
        baresip_provider(self, self.folder, phone, self.broker.path, "org.example.ann").wait_for("attached")
        return phone

    def called(self, phone, name):
        caller = Caller(self, self.folder, name, phone)
        return caller, self.until(lambda each: each.get("display_name") == name)["call"]

    def test_a_sip_call_that_is_answered_holds_the_page_until_its_end(self):
        phone = self.telephone()
        near, far, page = self.joined()
        self.assert_audible(near, far)
        caller, call = self.called(phone, "carol")
        self.assertEqual(self.user.calls[call]["state"], "waiting")
        self.user.answer(call, wait="completed").result(lab.CEILING)
        self.assertEqual(self.user.calls[page]["held_because_of"], call)
        self.assert_silent(near, far)
        self.user.end(call, wait="completed").result(lab.CEILING)
        self.until_state(page, "active")
        self.assert_audible(near, far)
        self.assertEqual(caller.wait(), 0, caller.said()[-500:])
        self.assertEqual(caller.logged(), ["answered"])
        self.assertEqual(len(self.capture.wire().talking("carol")), 1)

    def test_a_page_that_joins_holds_the_sip_call_first(self):
        phone = self.telephone()
        caller, call = self.called(phone, "carol")
        self.user.answer(call, wait="completed").result(lab.CEILING)
        near, far, page = self.joined()
        self.assertEqual(self.user.calls[call]["held_because_of"], page)
        self.assert_audible(near, far)
        self.user.end(page, wait="completed").result(lab.CEILING)
        self.until_state(call, "active")
        self.user.end(call, wait="completed").result(lab.CEILING)
        self.assertEqual(caller.wait(), 0, caller.said()[-500:])
        self.assertEqual(caller.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        self.assertEqual(len(self.capture.wire().talking("carol")), 2)


globals().update(lab.both(Cases))

if __name__ == "__main__":
    unittest.main()
