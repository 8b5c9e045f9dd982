"""Web calls in real browsers under the real broker: two pages with a peer connection between them. What
the far end receives, by the browser's own statistics, is the judge of holds and mutes. The broker is the
program CALLBROKER, or .build/debug/callbroker of this repository."""
import unittest

import lab


class Cases:
    """Each runs in both browsers."""

    def test_a_page_that_sends_a_microphone_is_a_call_of_its_site(self):
        _, far, call = self.joined()
        seen = self.user.calls[call]
        self.assertEqual((seen["provider"], seen["direction"], seen["remote"]), (
            self.BROWSER.identity, "outgoing", {"type": "generic", "value": f"localhost:{self.port}"}))
        self.assertFalse(seen["supports_dtmf"] or seen["supports_grouping"])
        self.assertGreater(self.gained(far), 0)
        self.assertEqual(len(self.calls()), 1)  # the far end has no microphone

    def test_a_held_page_sends_and_plays_silence_and_comes_back(self):
        near, far, call = self.joined()
        self.assert_audible(near, far)
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assert_silent(near, far)
        self.assertTrue(self.browser.run(near, "return stream.getTracks()[0].enabled"))
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)

    def test_a_track_that_the_page_sends_during_a_hold_is_silent_too(self):
        near, far, call = self.joined()
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.browser.run(near, """
            const track = (await navigator.mediaDevices.getUserMedia({audio: true})).getAudioTracks()[0];
            await room.connection.getSenders()[0].replaceTrack(track.clone());
            track.enabled = true;""")
        self.assert_silent(near, far)
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)

    def test_a_mute_by_the_user_reaches_the_page_and_is_taken_back(self):
        near, far, call = self.joined()
        self.user.set_muted(call, True, wait="completed").result(lab.CEILING)
        lab.wait_until("the far end receives silence", lambda: self.gained(far) < 1e-6)
        lab.wait_until("it is heard", lambda: self.browser.run(near, "return await heard()") > 0.1)
        self.user.set_muted(call, False, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)

    def test_a_mute_in_the_page_is_reported(self):
        near, _, call = self.joined()
        self.browser.click(near, "#mute")
        self.until(lambda each: each["call"] == call and each["muted"])
        self.browser.click(near, "#mute")
        self.until(lambda each: each["call"] == call and not each["muted"])

    def test_an_unmute_in_the_page_ends_a_mute_by_the_user(self):
        near, far, call = self.joined()
        self.user.set_muted(call, True, wait="completed").result(lab.CEILING)
        self.browser.click(near, "#mute")       # the page sees an open microphone: it closes it
        self.browser.click(near, "#mute")
        self.until(lambda each: each["call"] == call and not each["muted"])
        self.assert_audible(near, far)

    def test_a_page_that_is_muted_by_itself_is_not_opened_behind_its_back(self):
        near, _, call = self.joined()
        self.browser.click(near, "#mute")
        self.until(lambda each: each["call"] == call and each["muted"])
        with self.assertRaises(lab.ProviderFailed):
            self.user.set_muted(call, False, wait="completed").result(lab.CEILING)

    def test_the_mute_of_media_session_keeps_the_page_up_to_date(self):
        near, far, call = self.joined()
        self.browser.run(near, """
            try { navigator.mediaSession.setActionHandler("togglemicrophone", mute); } catch { /* Firefox */ }""")
        self.user.set_muted(call, True, wait="completed").result(lab.CEILING)
        self.assertFalse(self.browser.run(near, "return stream.getTracks()[0].enabled"))
        self.user.set_muted(call, False, wait="completed").result(lab.CEILING)
        self.assertTrue(self.browser.run(near, "return stream.getTracks()[0].enabled"))
        self.assert_audible(near, far)

    def test_an_end_by_the_user_closes_the_connection(self):
        near, _, call = self.joined()
        self.user.end(call, wait="completed").result(lab.CEILING)
        self.assertEqual(self.until_gone(call)["end_reason"], "local_ended")
        self.assertEqual(self.browser.run(near, "return [room.connection.connectionState, document.title]"),
                         ["closed", "over"])
        self.assertEqual(self.browser.run(near, "return stream.getTracks()[0].readyState"), "ended")

    def test_an_end_by_the_user_presses_the_hang_up_of_media_session(self):
        near, _, call = self.joined()
        self.browser.run(near, """
            try { navigator.mediaSession.setActionHandler("hangup", leave); } catch { /* Firefox */ }""")
        self.user.end(call, wait="completed").result(lab.CEILING)
        self.assertIsNone(self.browser.run(near, "return stream"))

    def test_the_user_leaves_in_the_page(self):
        near, _, call = self.joined()
        self.browser.click(near, "#leave")
        entry = self.until_gone(call)
        self.assertEqual((entry["end_reason"], entry["end_cause"]["origin"]), ("local_ended", "app"))

    def test_a_connection_that_the_page_closes_by_itself_is_an_end_at_the_far_end(self):
        near, _, call = self.joined()
        self.browser.run(near, "room.connection.close()")
        self.assertEqual(self.until_gone(call)["end_reason"], "remote_ended")

    def test_of_two_tabs_the_one_that_joins_holds_the_other(self):
        near, far, first = self.joined("one")
        other_near, other_far, second = self.joined("two", "127.0.0.1")
        self.assertEqual(self.user.calls[first]["held_because_of"], second)
        self.assert_silent(near, far)
        self.assert_audible(other_near, other_far)
        self.user.request("call.swap").result(lab.CEILING)
        self.until_state(first, "active")
        self.assert_silent(other_near, other_far)
        self.assert_audible(near, far)
        self.user.end(first, wait="completed").result(lab.CEILING)
        self.until_state(second, "active")
        self.assert_audible(other_near, other_far)

    def test_the_call_of_another_app_that_is_answered_holds_the_page(self):
        near, far, call = self.joined()
        phone, other = self.app(), lab.new_id()
        phone.report_incoming(other, lab.phone("+15550100")).result(lab.CEILING)
        self.user.answer(other, wait="completed").result(lab.CEILING)
        self.assertEqual(self.user.calls[call]["held_because_of"], other)
        self.assert_silent(near, far)
        self.user.end(other, wait="completed").result(lab.CEILING)
        self.until_state(call, "active")
        self.assert_audible(near, far)

    def test_a_page_that_joins_beside_a_call_that_cannot_be_held_waits_in_silence(self):
        phone, other = self.app(), lab.new_id()
        phone.report_incoming(other, lab.phone("+15550100"), supports_holding=False).result(lab.CEILING)
        self.user.answer(other, wait="completed").result(lab.CEILING)
        near, far = self.call()
        call = self.until(lambda each: each["state"] == "held")["call"]
        self.assertEqual(self.user.calls[other]["state"], "active")
        self.assert_silent(near, far)
        phone.report_ended(other, "remote_ended").result(lab.CEILING)
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)

    def test_a_browser_that_may_not_have_calls_is_left_alone(self):
        admin = self.entered(lab.Admin("admin", socket=self.broker.path))
        admin.set_policy(authorization={self.BROWSER.identity: "denied"}).result(lab.CEILING)
        near, far = self.call()
        self.assert_audible(near, far)
        self.assertEqual(self.calls(), [])
        phone, other = self.app(), lab.new_id()
        phone.report_incoming(other, lab.phone("+15550100")).result(lab.CEILING)
        self.user.answer(other, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)
        self.browser.click(near, "#leave")
        self.assertEqual(self.user.calls[other]["state"], "active")

    def test_a_call_that_is_started_elsewhere_is_refused_as_not_supported(self):
        self.joined()
        with self.assertRaises(lab.ProviderFailed):
            self.user.start(lab.generic("meet.example.org"), provider=self.BROWSER.identity,
                            wait="completed").result(lab.CEILING)

    def test_a_call_in_a_frame_is_one_of_the_page(self):
        page = self.browser.open(self.address("frame.html", "127.0.0.1"))
        self.browser.run(page, "await join()")
        call = self.until(lambda each: each["state"] == "active")
        self.assertEqual(call["remote"]["value"], f"127.0.0.1:{self.port}")
        self.user.set_held(call["call"], True, wait="completed").result(lab.CEILING)
        self.user.end(call["call"], wait="completed").result(lab.CEILING)


class PrivateWindowTests(lab.World):
    """Only in Firefox a test may allow the extension there."""

    BROWSER = lab.Firefox

    def test_a_call_in_a_private_window_is_listed_without_its_site(self):
        self.call(type="window", private=True)
        call = self.until(lambda each: each["state"] == "active" and each.get("display_name"))
        self.assertEqual((call["remote"]["value"], call["display_name"]), ("private-window", "Private window"))


globals().update(lab.both(Cases))

if __name__ == "__main__":
    unittest.main()
