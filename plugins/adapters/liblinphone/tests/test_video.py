"""Two telephones with a broker each, as on two hosts, and what the wire says of their video."""
import unittest

import lab
from callbroker import ProviderFailed


class VideoTests(lab.PairTests):
    def offers(self, side):
        """The description of each INVITE of a telephone with the one in the answer to it."""
        said = lab.read_messages(self.capture)
        found = []
        for invite in said:
            if invite.what != "INVITE" or invite.source != side.sip:
                continue
            answer = next((each for each in said if each.number > invite.number
                           and each.what == "200" and each.method == "INVITE"
                           and each.headers["cseq"] == invite.headers["cseq"]
                           and each.headers["call-id"] == invite.headers["call-id"]), None)
            pair = (invite.media.get("video"), answer and answer.media.get("video"))
            found.append(pair)
        return found

    def test_a_call_begins_with_video_and_is_answered_with_as_much_as_the_user_wants(self):
        hers = self.linda.dial(self.dan.address, has_video=True)
        his = self.dan.call("ringing", video="both")
        self.dan.user.answer(his, video="receive",
                              wait="completed").result(lab.CEILING)
        self.dan.has(his, state="active", video="receive")
        self.linda.has(hers, state="active", video="send")
        self.assertEqual(self.offers(self.linda), [("sendrecv", "recvonly")])

    def test_a_call_without_video_is_not_answered_with_it(self):
        self.linda.dial(self.dan.address)
        his = self.dan.call("ringing", video="off")
        with self.assertRaises(ProviderFailed):
            self.dan.user.answer(his, video="both",
                                  wait="completed").result(lab.CEILING)
        self.dan.has(his, state="ringing")

    def test_video_is_added_once_the_far_end_agrees_and_taken_away(self):
        hers, his = self.talk()
        wish = self.linda.user.set_video(hers, "both", wait="completed")
        self.dan.has(his, video_request="both", video="off")
        self.linda.has(hers, video="off")
        self.dan.do("set_video", his, "both")
        wish.result(lab.CEILING)
        for side, call in ((self.linda, hers), (self.dan, his)):
            side.has(call, video="both", video_request=None)
        self.linda.do("set_video", hers, "off")
        self.dan.has(his, video="off")
        self.assertEqual(self.offers(self.linda)[1:], [("sendrecv", "sendrecv"), (None, None)])

    def test_less_than_was_asked_for_is_reported(self):
        hers, his = self.talk()
        wish = self.linda.user.set_video(hers, "both", wait="completed")
        self.dan.has(his, video_request="both")
        self.dan.do("set_video", his, "send")
        wish.result(lab.CEILING)
        self.linda.has(hers, video="receive")
        self.dan.has(his, video="send")
        self.assertEqual(self.offers(self.linda)[1:], [("sendrecv", "sendonly")])

    def test_video_that_the_far_end_declines_is_not_there(self):
        hers, his = self.talk()
        wish = self.linda.user.set_video(hers, "both", wait="completed")
        self.dan.has(his, video_request="both")
        self.dan.do("set_video", his, "off")
        with self.assertRaises(ProviderFailed) as raised:
            wish.result(lab.CEILING)
        self.assertEqual(raised.exception.data["provider_error"]["reason"], "remote_refused")
        self.linda.has(hers, state="active", video="off")
        self.assertEqual(self.offers(self.linda)[1:], [("sendrecv", None)])

    def test_a_hold_stops_the_camera_and_a_resume_restores_the_video(self):
        hers, his = self.talk(has_video=True)
        self.linda.do("set_held", hers, True)
        self.dan.has(his, remote_held=True, video="both")
        self.linda.do("set_held", hers, False)
        self.dan.has(his, remote_held=False, video="both")
        self.linda.has(hers, video="both")
        offers = self.offers(self.linda)
        self.assertIn(offers[1][0], ("inactive", None))
        self.assertEqual((offers[0], offers[2]), (("sendrecv",) * 2,) * 2)


if __name__ == "__main__":
    unittest.main()
