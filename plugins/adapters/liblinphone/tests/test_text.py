"""Two telephones with a broker each, and what their users type to each other."""
import unittest

import lab
from callbroker import ProviderFailed


class TextTests(lab.PairTests):
    @staticmethod
    def read(side, sender="remote"):
        """What one side has typed, as the other side's user sees it."""
        return "".join(event["data"]["text"] for event in list(side.events)
                       if event["topic"] == "call.text" and event["data"]["from"] == sender)

    def assert_typed(self, sender, call, reader, text):
        sender.user.send_text(call, text).result(lab.CEILING)
        lab.wait_until(lambda: f"{reader.name} reads {self.read(reader)!r}",
                       lambda: self.read(reader) == text)

    def text_offers(self):
        """The text in each INVITE of linda, and in the answer to it."""
        said = lab.read_messages(self.capture)
        return [(invite.media.get("text"), next(
            each.media.get("text") for each in said if each.number > invite.number
            and each.what == "200" and each.headers["cseq"] == invite.headers["cseq"]))
            for invite in said if invite.what == "INVITE" and invite.source == self.linda.sip]

    def test_what_either_side_types_is_read_by_the_other(self):
        hers, his = self.talk(has_text=True)
        for side, call in ((self.linda, hers), (self.dan, his)):
            side.has(call, has_text=True)
        self.assert_typed(self.linda, hers, self.dan, "Héllo\u2028\U0001F600")
        self.assert_typed(self.dan, his, self.linda, "hi\bo")
        self.assertEqual(self.text_offers(), [("sendrecv", "sendrecv")])

    def test_text_is_added_once_the_far_end_agrees_and_taken_away(self):
        hers, his = self.talk()
        wish = self.linda.user.set_text(hers, True, wait="completed")
        self.dan.has(his, text_request=True, has_text=False)
        self.dan.do("set_text", his, True)
        wish.result(lab.CEILING)
        for side, call in ((self.linda, hers), (self.dan, his)):
            side.has(call, has_text=True, text_request=None)
        self.assert_typed(self.linda, hers, self.dan, "Hello")
        self.linda.do("set_text", hers, False)
        self.dan.has(his, has_text=False)
        self.assertEqual(self.text_offers(), [(None, None), ("sendrecv", "sendrecv"),
                                              (None, None)])

    def test_text_that_the_far_end_declines_is_not_there(self):
        hers, his = self.talk()
        wish = self.linda.user.set_text(hers, True, wait="completed")
        self.dan.has(his, text_request=True)
        self.dan.do("set_text", his, False)
        with self.assertRaises(ProviderFailed) as raised:
            wish.result(lab.CEILING)
        self.assertEqual(raised.exception.data["provider_error"]["reason"], "remote_refused")
        self.linda.has(hers, state="active", has_text=False)


if __name__ == "__main__":
    unittest.main()
