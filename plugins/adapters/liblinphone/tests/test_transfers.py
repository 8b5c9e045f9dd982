"""The telephone joins the far ends of two calls, which are telephones like it."""
import shutil
import tempfile
import unittest

import lab


class JoiningTests(unittest.TestCase):
    """Linda talks with dan and with bob."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.linda, self.bob = (lab.Side(self, self.folder, name, "--sound", "none")
                                for name in ("linda", "bob"))
        # The address that he is told to call has no port.
        account = lab.LINPHONE_ACCOUNT.format(
            number=0, port=self.bob.sip, identity="<sip:dan@127.0.0.1>")
        self.dan = lab.Side(self, self.folder, "dan", "--sound", "none", config=account.replace(
            "sendregister=1", "sendregister=0") + "[sip]\ndefault_proxy=0\n")
        self.capture = lab.Capture(self, self.folder, [
            side.phone for side in (self.linda, self.dan, self.bob)])

    def call_with(self, side):
        hers = self.linda.dial(side.address)
        side.do("answer", side.call("ringing"))
        self.linda.has(hers, state="active")
        return hers

    def test_two_far_ends_talk_with_each_other_and_both_calls_end_as_transferred(self):
        first, second = self.call_with(self.dan), self.call_with(self.bob)
        self.assertEqual(self.linda.user.calls[first]["state"], "held")
        self.linda.do("attended_transfer", first, second)
        for call in (first, second):
            entry = self.linda.over(call)
            self.assertEqual((entry["end_reason"], entry["end_detail"]["reason"]),
                             ("local_ended", "transferred"))
        dans = self.dan.call("active", direction="outgoing")
        bobs = self.bob.call("active", remote={"type": "generic", "value": "sip:dan@127.0.0.1"})
        lab.wait_until("they have other calls", lambda: (
            list(self.dan.user.calls), list(self.bob.user.calls)) == ([dans], [bobs]))
        said = lab.read_messages(self.capture)
        refer = next(each for each in said if each.what == "REFER")
        self.assertIn("Replaces", refer.headers["refer-to"])
        invite = next(each for each in said if "replaces" in each.headers)
        self.assertEqual((refer.source, invite.source, invite.what),
                         (self.linda.sip, self.dan.sip, "INVITE"))


if __name__ == "__main__":
    unittest.main()
