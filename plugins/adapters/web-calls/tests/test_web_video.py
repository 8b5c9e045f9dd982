"""Video of web calls in real browsers under the real broker (CALLBROKER, or .build/debug/callbroker of this
repository), by rule 45. What a page receives as a picture is the judge: the browsers' cameras of their own
and the far end's picture are bright, what is switched off is black."""
import unittest

import lab


class Cases:
    """Each runs in both browsers."""

    def has(self, call, **members):
        """The call, once it is so; one without video has no member of that name."""
        return self.until(lambda each: each["call"] == call and all(
            {"video": "off", **each}[name] == value for name, value in members.items()))

    def set_video(self, call, video):
        return self.user.set_video(call, video, wait="completed").result(lab.CEILING)

    def refused(self, call, video):
        with self.assertRaises(lab.ProviderFailed) as raised:
            self.set_video(call, video)
        return raised.exception.data["provider_error"]["reason"]

    def test_what_a_page_sends_and_receives_is_reported(self):
        for camera, picture, video in ((True, True, "both"), (True, False, "send"), (False, False, "off")):
            with self.subTest(video):
                near, _, call = self.joined(video, camera=camera, picture=picture)
                seen = self.has(call, video=video, supports_set_video=True)
                self.assertEqual(seen["has_video"], video != "off")
                self.browser.click(near, "#leave")
                self.until_gone(call)

    def test_the_user_switches_the_camera_and_the_picture_off_and_on(self):
        near, far, call = self.joined(camera=True, picture=True)
        self.has(call, video="both")
        for video, sends, receives in (("receive", False, True), ("off", False, False), ("send", True, False),
                                       ("both", True, True)):
            with self.subTest(video):
                self.set_video(call, video)
                self.assert_picture(far, sends)
                self.assert_picture(near, receives)
                self.has(call, video=video)
        self.assert_audible(near, far)

    def test_a_camera_that_the_page_switches_is_reported(self):
        near, far, call = self.joined(picture=False)
        self.has(call, video="off")
        for button in ("#camera", "#replace"):
            with self.subTest(button):
                if button == "#camera":
                    self.browser.click(near, button)    # it is opened
                self.has(call, video="send")
                self.assert_picture(far, True)
                self.browser.click(near, button)
                self.has(call, video="off")
                self.browser.click(near, button)
                self.has(call, video="send")

    def test_a_camera_that_the_user_has_switched_off_is_on_again_by_the_button_of_the_page(self):
        near, far, call = self.joined(camera=True)
        for button in ("#camera", "#replace"):
            with self.subTest(button):
                self.has(call, video="send")
                self.set_video(call, "off")
                self.assert_picture(far, False)
                self.browser.click(near, button)        # the page has it as open: it closes it
                self.browser.click(near, button)
                self.has(call, video="send")
                self.assert_picture(far, True)

    def test_a_camera_that_the_page_opens_by_itself_stays_off(self):
        near, far, call = self.joined(camera=True)
        self.has(call, video="send")
        self.set_video(call, "off")
        self.browser.run(near, "await replaceCamera(); await replaceCamera()")
        self.assert_picture(far, False)
        self.assertEqual(self.user.calls[call].get("video", "off"), "off")

    def test_a_camera_that_the_page_has_not_opened_is_not_switched_on_without_a_button(self):
        _, _, call = self.joined()
        self.assertEqual(self.refused(call, "both"), "app_refused")
        self.assertEqual(self.user.calls[call].get("video", "off"), "off")

    def test_a_picture_that_the_far_end_does_not_send_is_not_received(self):
        _, _, call = self.joined()
        self.assertEqual(self.refused(call, "receive"), "remote_refused")
        self.assertEqual(self.user.calls[call].get("video", "off"), "off")

    def test_less_than_was_asked_for_is_reported(self):
        _, far, call = self.joined(camera=True)
        self.has(call, video="send")
        self.set_video(call, "off")
        self.set_video(call, "both")
        self.has(call, video="send")            # the far end sends none
        self.assert_picture(far, True)

    def test_the_camera_of_media_session_keeps_the_page_up_to_date(self):
        near, far, call = self.joined()
        self.browser.run(near, """
            try { navigator.mediaSession.setActionHandler("togglecamera", camera); } catch { /* Firefox */ }""")
        self.set_video(call, "send")
        self.assert_picture(far, True)
        self.set_video(call, "off")
        self.assertFalse(self.browser.run(near, "return stream.getVideoTracks()[0].enabled"))
        self.assert_picture(far, False)

    def test_a_hold_stops_the_camera_and_a_resume_restores_it(self):
        near, far, call = self.joined(camera=True, picture=True)
        self.has(call, video="both")
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assert_picture(far, False)
        self.assert_picture(near, False)
        self.assertEqual(self.user.calls[call].get("video", "off"), "both")
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.assert_picture(far, True)
        self.assert_picture(near, True)
        self.has(call, video="both", state="active")

    def test_a_camera_that_was_off_is_off_after_a_hold_and_one_switched_off_meanwhile_too(self):
        _, far, call = self.joined(camera=True)
        self.has(call, video="send")
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.set_video(call, "off")
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.has(call, video="off", state="active")
        self.assert_picture(far, False)

    def test_a_broker_that_comes_back_knows_the_video(self):
        _, far, call = self.joined(camera=True)
        self.has(call, video="send")
        self.broker.kill()
        self.start_broker()
        self.has(call, video="send", supports_set_video=True, provider_connected=True)
        self.set_video(call, "off")
        self.assert_picture(far, False)


globals().update(lab.both(Cases))

if __name__ == "__main__":
    unittest.main()
