"""The data files of sites, against pages that imitate what each file was written from, at the names of
the sites, in real browsers under the real broker (CALLBROKER, or .build/debug/callbroker of this
repository). No site itself is asked."""
import json
import unittest

import lab

RINGING = ("element", "app.element.io", "Element"), ("teams", "teams.microsoft.com", "Microsoft Teams")
ALL = (*RINGING, ("google-meet", "meet.google.com", "Google Meet"),
       ("jitsi-meet", "meet.jit.si", "Jitsi Meet"))


class Cases:
    """Each runs in both browsers."""

    HOSTS = tuple(host for _, host, _ in ALL)

    def address(self, page, host="localhost"):
        return f"https://{host}:{self.port}/{page}"

    def opened(self, page, host):
        self.browser.open(self.address(f"far.html?room={page}", host))
        return self.browser.open(self.address(f"{page}.html?room={page}", host))

    def ringing(self, page, host, caller="Ann"):
        tab = self.opened(page, host)
        self.browser.run(tab, f"ring({json.dumps(caller)})")
        return tab, self.until(lambda each: each["state"] in ("ringing", "waiting")
                               and each["remote"]["value"].startswith(host))

    def pressed(self, tab):
        return self.browser.run(tab, "return pressed")

    def test_a_site_that_rings_is_answered_muted_and_hung_up_by_its_buttons(self):
        for page, host, _ in RINGING:
            with self.subTest(page):
                tab, call = self.ringing(page, host)
                self.assertEqual((call["direction"], call["display_name"]), ("incoming", "Ann"))
                self.user.answer(call["call"], wait="completed").result(lab.CEILING)
                self.until_state(call["call"], "active")
                self.user.set_muted(call["call"], True, wait="completed").result(lab.CEILING)
                self.user.set_muted(call["call"], False, wait="completed").result(lab.CEILING)
                self.user.end(call["call"], wait="completed").result(lab.CEILING)
                self.assertEqual(self.pressed(tab), ["answer", "mute", "mute", "hang_up"])
                self.assertEqual(self.until_gone(call["call"])["end_reason"], "local_ended")

    def test_a_meeting_is_muted_and_left_by_its_buttons(self):
        for page, host, label in ALL:
            with self.subTest(page):
                tab = self.opened(page, host)
                self.browser.run(tab, "await join(true)")
                call = self.until(lambda each: each["state"] == "active"
                                  and each.get("display_name") == label)
                self.user.set_muted(call["call"], True, wait="completed").result(lab.CEILING)
                self.user.set_muted(call["call"], False, wait="completed").result(lab.CEILING)
                self.user.end(call["call"], wait="completed").result(lab.CEILING)
                self.assertEqual(self.pressed(tab), ["mute", "mute", "hang_up"])

    def test_a_camera_is_switched_by_the_button_of_the_site(self):
        for page, host, label in (ALL[0], *ALL[2:]):
            with self.subTest(page):
                tab = self.opened(page, host)
                self.browser.run(tab, "await join(true)")
                call = self.until(lambda each, name=label: each["state"] == "active"
                                  and each.get("display_name") == name)["call"]
                for video in ("send", "off"):
                    self.user.set_video(call, video, wait="completed").result(lab.CEILING)
                self.assertEqual(self.pressed(tab), ["camera", "camera"])
                self.user.end(call, wait="completed").result(lab.CEILING)

    def test_a_ring_with_two_buttons_is_answered_with_video_or_without(self):
        page, host, _ = RINGING[1]
        for options, button, video in (({}, "answer", "off"), ({"video": "both"}, "answer_video", "send"),
                                       ({"video": "off"}, "answer", "off")):
            with self.subTest(button):
                tab, call = self.ringing(page, host)
                self.until(lambda each, call=call: each["call"] == call["call"] and each["supports_set_video"])
                self.user.answer(call["call"], wait="completed", **options).result(lab.CEILING)
                self.until(lambda each, call=call, video=video: each["call"] == call["call"]
                           and each["state"] == "active" and each.get("video", "off") == video)
                self.assertEqual(self.pressed(tab), [button])
                self.user.end(call["call"], wait="completed").result(lab.CEILING)

    def test_a_ring_with_one_button_is_not_answered_with_video(self):
        _, call = self.ringing(*RINGING[0][:2])
        with self.assertRaises(lab.BrokerError) as raised:
            self.user.answer(call["call"], video="both", wait="completed").result(lab.CEILING)
        self.assertEqual(raised.exception.data["reason"], "not_supported")
        self.assertEqual(self.user.calls[call["call"]]["state"], "ringing")

    def test_a_mute_button_of_the_site_is_followed(self):
        page, host, _ = ALL[2]
        tab = self.opened(page, host)
        self.browser.run(tab, "await join(true)")
        call = self.until(lambda each: each["state"] == "active")["call"]
        self.browser.click(tab, "[jsname=hw0c9]")
        self.until(lambda each: each["call"] == call and each["muted"])
        self.user.set_muted(call, False, wait="completed").result(lab.CEILING)
        self.assertEqual(self.browser.run(tab, "return microphone.dataset.isMuted"), "false")

    def test_a_site_that_rings_is_declined_by_its_button(self):
        for page, host, _ in RINGING:
            with self.subTest(page):
                tab, call = self.ringing(page, host)
                self.user.end(call["call"], wait="completed").result(lab.CEILING)
                self.assertEqual(self.until_gone(call["call"])["end_reason"], "declined")
                self.assertEqual(self.pressed(tab), ["decline"])
                self.browser.run(tab, "ring('Ann')")        # who may call again
                self.until(lambda each: each["state"] == "ringing")
                self.browser.run(tab, "toast.remove()")
                lab.wait_until("it has given up", lambda: not self.next_calls())

    def next_calls(self):
        if self.calls():
            self.user.next_event().result(lab.CEILING)
        return self.calls()

    def test_a_caller_who_gives_up_is_missed(self):
        tab, call = self.ringing(*RINGING[0][:2])
        self.browser.run(tab, "toast.remove()")
        entry = self.until_gone(call["call"])
        self.assertEqual((entry["end_reason"], entry["missed"]), ("remote_ended", True))

    def test_a_call_that_is_answered_in_the_page_holds_the_others(self):
        phone, other = self.app(), lab.new_id()
        phone.report_incoming(other, lab.phone("+15550100")).result(lab.CEILING)
        self.user.answer(other, wait="completed").result(lab.CEILING)
        tab, call = self.ringing(*RINGING[0][:2])
        self.assertEqual(call["state"], "waiting")
        self.browser.click(tab, ".mx_IncomingLegacyCallToast_button_accept")
        self.until_state(call["call"], "active")
        self.until_state(other, "held")

    def test_do_not_disturb_declines_in_the_page(self):
        self.user.set_policy(do_not_disturb={"on": True}).result(lab.CEILING)
        tab = self.opened(*RINGING[0][:2])
        self.browser.run(tab, "ring('Ann')")
        lab.wait_until("it is declined", lambda: self.pressed(tab) == ["decline"])

    def test_a_name_of_any_length_and_shape_is_one_of_the_broker(self):
        _, call = self.ringing(*RINGING[0][:2], caller="‮" + "Ann\n" * 50_000)
        self.assertLessEqual(len(call["display_name"].encode()), 128)
        self.assertTrue(call["display_name"].startswith("Ann"))


globals().update(lab.both(Cases))

if __name__ == "__main__":
    unittest.main()
