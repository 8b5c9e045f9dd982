"""What calls have beside their state: text, requests of the other side, participants, quality, lines, and calls
on other devices."""
import unittest

import browser
from browser import CEILING, Page, World, new_id, phone, wait_until

OPENED = "dialog[open]:not(.incoming)"
LINES = [
    {"line": "sim", "label": "Private", "handle": phone("+15550001"), "default": True, "messages_waiting": 2,
     "voicemail": phone("+15550099"), "settings": [
         {"setting": "forward_always", "on": False}, {"setting": "forward_no_reply", "on": False},
         {"setting": "call_waiting", "on": True}, {"setting": "caller_id_hidden", "on": False}]},
    {"line": "work", "label": "Work", "handle": phone("+15550002"), "state": "failed", "reason": "403 Forbidden"}]


class DetailTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.page = Page(self.world)

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def talking(self, app, number="+15550100", **update):
        """A call that is active."""
        call = self.world.rings(app, number, **update)
        self.world.user().answer(call, wait="completed").result(CEILING)
        self.page.wait("it is active", "return document.querySelector(`.calls [data-call='${arguments[0]}']"
                       "[data-state=active]`) !== null", call)
        return call

    # ---- Real-time text

    def texting(self, **members):
        app = self.world.app(supports_text=True, **members)
        call = self.talking(app, supports_set_text=True, has_text=True, display_name="Ada")
        self.page.press_verb("set_text")
        self.page.wait_to_see("Text with Ada", "Nothing has been typed yet.", within=OPENED)
        return app, call

    def test_text_is_sent_while_it_is_typed_and_lines_are_ended(self):
        _, call = self.texting()
        self.page.element("[name=typed]").send_keys("hallo")
        wait_until(lambda: self.world.typed(call), lambda: self.world.typed(call) == "hallo")
        self.page.element("[name=typed]").send_keys("\b\b\b\belp")
        wait_until(lambda: self.world.typed(call), lambda: self.world.typed(call) == "hallo\b\b\b\belp")
        self.page.press_verb("new_line", within=OPENED)
        wait_until(lambda: self.world.typed(call), lambda: self.world.typed(call).endswith("elp\u2028"))
        self.page.wait_to_see("help", within=".conversation [data-from=local]")
        self.assertEqual(self.page.run("return document.querySelector('[name=typed]').value"), "")

    def test_text_of_the_other_side_is_shown_as_it_is_typed(self):
        app, call = self.texting()
        app.report_text(call, "Gru\u00df 🙂").result(CEILING)
        self.page.wait_to_see("Gru\u00df 🙂", within=".conversation [data-from=remote]")
        app.report_text(call, "\b!\u2028next").result(CEILING)
        self.page.wait("two lines", "return [...document.querySelectorAll('.conversation p [dir]')]"
                       ".map(each => each.textContent).join('|') === 'Gru\u00df !|next'")
        self.page.press(OPENED + " [data-verb=close]")
        self.page.wait_to_see("next", within=".panel .typed")

    def test_no_text_passes_while_the_call_is_held(self):
        _, call = self.texting()
        self.world.user().set_held(call, True, wait="completed").result(CEILING)
        self.page.wait_to_see("No text passes right now", within=OPENED)
        self.assertFalse(self.page.element("[name=typed]").is_enabled())

    def test_text_is_added_to_a_call_and_ended(self):
        app = self.world.app(supports_text=True)
        call = self.talking(app, supports_set_text=True)
        self.page.press_verb("set_text")
        self.world.wait_for_action("set_text", call, text=True)
        self.page.press_verb("end_text", within=OPENED)
        self.world.wait_for_action("set_text", call, text=False)
        self.page.wait_to_see("No text passes right now", within=OPENED)

    # ---- Tones that wait behind a pause

    def test_tones_after_a_dialed_number_wait_until_the_user_decides(self):
        app = self.world.app()
        self.page.go("dial")
        pause = "," * 20                        # 40 s, which the user cuts short
        self.page.type("[name=number]", f"+1 555 0100;42{pause}7w8")
        self.page.press_verb("call", within=".dial")
        self.assertEqual(self.world.wait_for_action("start")["remote"], phone("+15550100"))
        (call,) = (each["call"] for each in self.world.user().list_calls().result(CEILING)["calls"])
        self.page.wait_to_see("dialing", within=".panel")
        self.assertEqual(self.page.text("#questions"), "")
        app.report_connected(call).result(CEILING)
        self.page.wait_to_see(f"+15550100: Send these tones now? 42{pause}7w8", within="#questions")
        self.page.press_verb("continue_tones", within="#questions")
        self.world.wait_for_action("play_dtmf", call, digits="42")
        self.page.wait_to_see("These tones are sent after a pause: 7w8", within="#questions")
        self.page.press_verb("continue_tones", within="#questions")
        self.world.wait_for_action("play_dtmf", call, digits="7")
        self.page.wait_to_see("Send these tones now? 8", within="#questions")
        self.page.press_verb("drop_tones", within="#questions")
        self.page.wait_to_lose(".request")
        self.assertFalse([each for each in self.world.performed if each[2].get("digits") == "8"])

    # ---- What the other side asks for

    def test_text_that_is_asked_for_is_accepted_or_declined(self):
        app = self.world.app(supports_text=True)
        call = self.talking(app, supports_set_text=True, display_name="Ada")
        app.report_text_request(call).result(CEILING)
        self.page.wait_to_see("Ada: Would like to type with you", within="#questions")
        self.page.press_verb("decline_text", within="#questions")
        self.world.wait_for_action("set_text", call, text=False)
        self.page.wait_to_lose(".request")
        self.world.wait_until_done(call)
        app.report_text_request(call).result(CEILING)
        self.page.press_verb("accept_text", within="#questions")
        self.world.wait_for_action("set_text", call, text=True)

    def test_video_that_is_asked_for_is_accepted_or_declined_in_each_view(self):
        app = self.world.app(supports_video=True)
        call = self.talking(app, supports_set_video=True)
        self.page.go("settings")
        app.report_video_request(call, "both").result(CEILING)
        self.page.wait_to_see("Would like to see you", within="#questions")
        self.page.press_verb("decline_video", within="#questions")
        self.world.wait_for_action("set_video", call, video="off")
        self.page.wait_to_lose(".request")
        self.world.wait_until_done(call)
        app.report_video_request(call, "receive").result(CEILING)
        self.page.wait_to_see("Would like to show video", within="#questions")
        self.page.press_verb("accept_video", within="#questions")
        self.world.wait_for_action("set_video", call, video="receive")

    def test_a_request_that_is_withdrawn_is_gone(self):
        app = self.world.app(supports_video=True)
        call = self.talking(app, supports_set_video=True)
        app.report_video_request(call, "both").result(CEILING)
        self.page.element(".request")
        app.report_video_request(call, None).result(CEILING)
        self.page.wait_to_lose(".request")

    def test_a_call_with_video_is_answered_without(self):
        app = self.world.app(supports_video=True)
        call = self.world.rings(app, has_video=True, supports_set_video=True)
        self.page.wait_to_see("Video call", within="dialog.incoming")
        self.page.press_verb("answer_without_video", within="dialog.incoming")
        self.world.wait_for_action("set_video", call, video="off")
        self.world.wait_for_action("answer", call)

    # ---- Conferences

    def test_the_participants_of_a_conference_are_listed_muted_and_their_hands_raised(self):
        app = self.world.app()
        call = self.talking(app, display_name="Standup")
        app.report_participants(call, [
            {"participant": "1", "name": "Me", "self": True, "changeable": ["hand_raised"]},
            {"participant": "2", "name": "Grace", "changeable": ["muted"]},
            {"participant": "3", "name": "Alan", "state": "waiting"}]).result(CEILING)
        self.page.press_verb("participants")
        self.page.wait_to_see("Participants: Standup", "Me", "you", "Grace", "Alan", "waits to be admitted", within=OPENED)
        self.page.press("[data-participant='2'] [data-verb=mute]")
        wait_until("asked to mute", lambda: ("change_participant", call, ["2", {"muted": True}]) in self.world.performed)
        app.report_participants(call, [{"participant": "2", "name": "Grace", "muted": True, "changeable": ["muted"]}])
        self.page.wait_to_see("muted", within="[data-participant='2']")
        self.page.press("[data-participant='2'] [data-verb=unmute]")
        wait_until("asked to unmute", lambda: ("change_participant", call, ["2", {"muted": False}]) in self.world.performed)
        self.page.press("[data-participant='1'] [data-verb=raise_hand]")
        wait_until("a hand", lambda: ("change_participant", call, ["1", {"hand_raised": True}]) in self.world.performed)
        app.report_participants(call, [{"participant": "1", "name": "Me", "self": True, "hand_raised": True,
                                        "changeable": ["hand_raised"]}], ["3"])
        self.page.element("[data-participant='1'] [data-verb=lower_hand]")
        self.page.wait_to_lose("[data-participant='3']")
        self.assertFalse(self.page.shown("[data-participant='3'] button"))

    def test_participants_that_were_there_before_the_page_are_listed(self):
        app = self.world.app()
        call = self.talking(app)
        app.report_participants(call, [{"participant": str(number), "name": f"Number {number}"}
                                       for number in range(100)]).result(CEILING)
        self.page.open("http://" + self.world.host + "/")
        self.page.press_verb("participants")
        self.page.wait("all", "return document.querySelectorAll('[data-participant]').length === 100")

    # ---- Quality

    def test_the_quality_of_a_call_is_shown_and_a_poor_one_named(self):
        app = self.world.app()
        call = self.talking(app)
        app.report_quality(call, loss_permille=12, jitter_ms=8, round_trip_ms=45).result(CEILING)
        self.page.wait_to_see("1.2 % lost · jitter 8 ms · round trip 45 ms", within=".panel .quality")
        self.assertNotIn("Poor", self.page.text(".panel .quality"))
        wait_until("it is poor", lambda: self.reported(app, call))
        self.page.wait_to_see("Poor connection · 9.0 % lost", within=".panel .quality")

    def reported(self, app, call):
        """A report, of which the broker publishes one in a second: true once users have noticed two."""
        app.report_quality(call, loss_permille=90).result(CEILING)
        return "Poor" in self.page.text(".panel .quality")

    # ---- Lines

    def test_lines_are_listed_with_their_state_and_messages_and_chosen_for_a_call(self):
        self.world.app(lines=LINES)
        self.page.go("dial")
        self.page.wait_to_see("Private", "+15550001", "default", "registered", "2 messages", "Call waiting",
                              "Work", "failed: 403 Forbidden", within=".lines")
        self.assertFalse(self.page.shown("#dial-line"))
        self.page.run("const app = document.querySelector('#dial-app'); app.value = 'org.example.phone';"
                      "app.dispatchEvent(new Event('change'))")
        self.page.press("#dial-line option[value=work]")
        self.page.type("[name=number]", "+15550111")
        self.page.press_verb("call", within=".dial")
        self.assertEqual(self.world.wait_for_action("start")["line"], "work")

    def test_the_voicemail_of_a_line_is_called(self):
        self.world.app(lines=LINES)
        self.page.go("dial")
        self.page.press("[data-line=sim] [data-verb=voicemail]")
        asked = self.world.wait_for_action("start")
        self.assertEqual((asked["remote"]["value"], asked["line"]), ("+15550099", "sim"))

    def test_what_the_network_keeps_for_a_line_is_changed(self):
        app = self.world.app(lines=LINES)

        @app.on_change_setting
        def change(line, setting):
            if setting["setting"] == "caller_id_hidden":
                raise browser.Failed("not_allowed", "The network forbids it")
            kept = [{**each, **setting} if each["setting"] == setting["setting"] else each
                    for each in LINES[0]["settings"]]
            self.world.performed.append(("change_setting", line, setting))
            app.update(lines=[{**LINES[0], "settings": kept}, LINES[1]]).result(CEILING)
        self.page.go("settings")
        self.page.press("[data-line=sim] [data-verb=settings]")
        self.page.press(OPENED + " [data-switch=call_waiting]")
        self.world.wait_for_action("change_setting", "sim", setting="call_waiting", on=False)
        self.page.type("[name=forward_no_reply-to]", "+1 555 0123")
        self.page.type("[name=forward_no_reply-after]", "20")
        self.page.press("[data-setting=forward_no_reply] [data-verb=save]")
        asked = self.world.wait_for_action("change_setting", "sim", setting="forward_no_reply")
        self.assertEqual(asked, {"setting": "forward_no_reply", "on": True, "to": phone("+15550123"), "after_ms": 20000})
        self.page.wait("it is on", "return document.querySelector('[data-switch=forward_no_reply]').checked")
        self.page.press(OPENED + " [data-switch=caller_id_hidden]")
        self.page.wait_to_see("Hide your number: not done", "The network forbids it", within="#notes")
        self.page.wait("it is off", "return !document.querySelector('[data-switch=caller_id_hidden]').checked")
        self.page.press(OPENED + " [data-verb=close]")
        self.page.wait_to_see("Forward when not answered to +15550123", within=".lines")

    # ---- Other devices, and other screens

    def test_a_call_of_another_device_is_moved_here(self):
        app = self.world.app()
        call = new_id()
        app.report_external(call, phone("+15550100"), elsewhere="Pocket", supports_pull=True).result(CEILING)
        self.page.wait_to_see("elsewhere", "on Pocket", within=".panel")
        self.page.press_verb("pull")
        self.world.wait_for_action("answer", call)
        self.page.wait_to_see("active", within=".panel")

    def test_a_call_of_another_device_that_cannot_be_moved_is_only_shown(self):
        app = self.world.app()
        app.report_external(new_id(), phone("+15550100"), elsewhere="Pocket").result(CEILING)
        self.page.wait_to_see("on Pocket", within=".panel")
        self.assertFalse(self.page.shown(".panel .answers button"))

    def test_the_page_says_when_another_screen_is_offered_calls_first(self):
        self.assertFalse(self.page.shown("#holder"))
        other = self.world.entered(browser.Screen("other", identity="org.example.phone", socket=self.world.broker.path))
        other.claim(priority=100).result(CEILING)
        self.page.wait_to_see("Calls appear first on: org.example.phone", within="#holder")
        other.release().result(CEILING)
        self.page.wait_to_lose("#holder")

    def test_of_two_pages_the_one_that_is_not_first_says_so(self):
        other = self.world.entered(browser.Screen("other", identity="org.callbroker.screen", socket=self.world.broker.path))
        other.claim(priority=100).result(CEILING)
        self.page.wait_to_see("another page of this screen", within="#holder")


if __name__ == "__main__":
    unittest.main()
