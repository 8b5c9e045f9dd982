"""What is shown and heard of a call."""
import tempfile
import unittest
import urllib.request

import desk  # noqa: F401  (finds the plugin)
import cards
import live

CALL = {"call": "c1", "provider": "org.a", "direction": "incoming", "state": "ringing",
        "remote": {"type": "phone", "value": "+15550100"}, "display_name": "Ann",
        "allowed": ["answer", "decline", "silence"]}


def call(**members):
    return {**CALL, **members}


class CardTests(unittest.TestCase):
    def test_a_call_that_rings(self):
        self.assertEqual(cards.incoming(call(), "Desk phone"), cards.Card(
            "Ann", "Incoming call · +15550100 · Desk phone",
            (("answer", "Answer"), ("silence", "Silence"), ("decline", "Decline"))))

    def test_the_icon_of_an_app_is_a_name_or_a_file_that_is_there(self):
        card = cards.incoming(call(), "Desk phone")
        self.assertEqual(cards.pictured(card, {"icon": "phone"}).icon, "phone")
        with tempfile.NamedTemporaryFile(suffix=" ä.png") as file:
            icon = cards.pictured(card, {"icon": file.name}).icon
            self.assertEqual(urllib.request.url2pathname(icon.removeprefix("file://")), file.name)
        for other in ({}, {"icon": None}, {"icon": "/no/such.png"}, {"icon": "a/b.png"}, {"icon": "/"}):
            self.assertEqual(cards.pictured(card, other), card)

    def test_a_call_that_waits_offers_every_way_to_answer_once(self):
        card = cards.incoming(call(state="waiting", allowed=[
            "answer", "hold_and_answer", "end_and_answer", "end_held_and_answer", "decline"]), "A")
        self.assertEqual([label for _, label in card.actions], [
            "Hold & Answer", "End & Answer", "End held & Answer", "Decline"])
        self.assertEqual(card.body, "Another call · +15550100 · A")

    def test_verbs_that_nobody_knows_are_no_buttons(self):
        self.assertEqual(cards.actions(["teleport", "decline"]), (("decline", "Decline"),))

    def test_who_it_is(self):
        for members, expected in (
                ({"caller": {"name": "Ann Ard", "label": "work"}}, "Ann Ard"),
                ({}, "Ann"),
                ({"display_name": None}, "+15550100"),
                ({"display_name": "  ", "remote": None}, "Unknown caller")):
            self.assertEqual(cards.name(call(**members)), expected)

    def test_the_other_side_asks_for_text(self):
        asking = call(state="active", text_request=True, allowed=["end", "set_text"])
        self.assertTrue(cards.asks(asking) and not cards.asks_for_video(asking))
        self.assertEqual(cards.request(asking, "Desk phone"), cards.Card(
            "Ann", "Would like to type with you · +15550100 · Desk phone",
            (("accept_text", "Accept text"), ("decline_text", "No text")), category="call"))
        self.assertFalse(cards.asks({**asking, "pending_action": "changing_text"}))

    def test_the_other_side_asks_for_video(self):
        asking = call(state="active", video_request="both", allowed=["end", "set_video"])
        self.assertTrue(cards.asks_for_video(asking))
        self.assertEqual(cards.video_request(asking, "Desk phone"), cards.Card(
            "Ann", "Would like to see you · +15550100 · Desk phone",
            (("accept_video", "Accept video"), ("decline_video", "No video")), category="call"))
        self.assertEqual(cards.video(asking, "accept_video"), "both")
        self.assertEqual(cards.video(asking, "decline_video"), "off")
        self.assertEqual(cards.video({**asking, "video": "send"}, "decline_video"), "send")
        self.assertEqual(cards.request(asking, "A"), cards.video_request(asking, "A"))
        self.assertIn("show", cards.video_request({**asking, "video_request": "receive"}, "A").body)

    def test_a_decision_about_video_is_asked_for_once(self):
        asking = call(state="active", video_request="both", allowed=["end", "set_video"])
        self.assertFalse(cards.asks_for_video({**asking, "pending_action": "changing_video"}))
        self.assertFalse(cards.asks_for_video({**asking, "allowed": ["end"]}))
        self.assertFalse(cards.asks_for_video(call(state="active", allowed=["end", "set_video"])))

    def test_what_an_app_would_like(self):
        card = cards.question({
            "question": 1, "subject": "outgoing_emergencies", "provider": "org.a",
            "display_name": "Desk\u202ephone", "app": "org.A", "executable": "/app/bin/a"})
        self.assertEqual(
            card.summary,
            "Desk phone would like to mark the calls that it starts as emergencies")
        self.assertEqual(card.body, "org.a\norg.A")
        self.assertEqual([button for _, button in card.actions], ["Allow", "Deny", "Later"])
        self.assertIn("org.a", cards.question({"subject": "calls", "provider": "org.a"}).summary)

    def test_the_number_is_not_told_twice(self):
        self.assertEqual(cards.incoming(call(display_name=None), "A").body, "Incoming call · A")

    def test_a_label_is_shown(self):
        card = cards.incoming(call(caller={"name": "Ann", "label": "work"}), "A")
        self.assertEqual(card.body, "Incoming call · +15550100 · work · A")

    def test_a_call_that_was_forwarded_and_a_number_that_is_not_the_caller_s_are_named(self):
        boss = {"type": "phone", "value": "+15550199"}
        self.assertEqual(
            cards.incoming(call(forwarded_from=boss, verification="failed"), "A").body,
            "Incoming call · +15550100 · number not verified · for +15550199 · A")
        for verification in ("passed", "newer"):
            self.assertEqual(cards.incoming(call(verification=verification), "A").body,
                             "Incoming call · +15550100 · A")

    def test_a_name_cannot_write_on_other_lines_or_turn_the_text(self):
        self.assertEqual(cards.shown("Ann\nMissed call\u202e 5550\x00"), "Ann Missed call 5550")
        self.assertEqual(cards.shown("می\u200cخواهم"), "می\u200cخواهم")
        self.assertEqual(len(cards.shown("x" * 1000)), 200)

    def test_why_a_button_did_nothing_is_on_the_card(self):
        self.assertEqual(cards.incoming(call(), "A", "refused").body,
                         "Incoming call · +15550100 · A\nrefused")

    def test_a_missed_call_can_be_called_back_if_the_number_is_known(self):
        self.assertEqual(cards.missed(call(), "A"), cards.Card(
            "Missed call", "Ann\n+15550100 · A", (("call_back", "Call back"),), "call.unanswered",
            False, "call-missed"))
        self.assertEqual(cards.missed(call(remote=None), "A", 2),
                         cards.Card("2 missed calls", "Ann\nA", (), "call.unanswered", False,
                                    "call-missed"))

    def test_what_is_missed(self):
        self.assertTrue(cards.is_missed(call(missed_reasons=["unanswered"])))
        self.assertFalse(cards.is_missed(call(missed_reasons=[])))
        self.assertFalse(cards.is_missed(call(direction="outgoing", missed_reasons=["unanswered"])))

    def test_a_link_that_is_not_called_says_why_and_what_helps(self):
        refused = {"reason": "ambiguous_provider", "message": "several providers\n could", "hint":
                   "name one", "scheme": "tel", "cause": {"origin": "user"}}
        self.assertEqual(cards.not_called(refused), cards.Card(
            "Nobody is called", "Several providers could\nname one", (), "call", False,
            "dialog-error"))
        self.assertEqual(cards.not_called({"message": "no"}).body, "No")
        self.assertTrue(cards.is_of_the_user(refused))
        self.assertFalse(cards.is_of_the_user({**refused, "cause": {"origin": "app"}}))
        self.assertFalse(cards.is_of_the_user({}))

    def test_what_has_failed_says_whom_it_was_with_why_and_what_the_app_says(self):
        said = {"code": -32000, "reason": "far_end_busy", "message": "the other side\nis busy"}
        failed = {"actions": [{"kind": "set_held", "implied": True}, {"kind": "answer"}],
                  "refusal": {"code": -32013, "message": "the provider returned an error",
                            "data": {"reason": "provider_failed", "provider_error": said}},
                  "cause": {"origin": "user"}}
        self.assertEqual(cards.not_done(failed, call(), "Phone"), cards.Card(
            "Could not answer", "Ann · +15550100 · Phone\n"
            "The other side is busy", (), "call", False, "dialog-error"))
        del said["message"]
        self.assertEqual(cards.not_done(failed, None, "").body, "Far end busy")
        refused = {"message": "the hold was refused", "data": {
            "reason": "hold_failed", "provider_error": said}}
        self.assertEqual(cards.why(refused), "the hold was refused: far end busy")
        self.assertTrue(cards.is_not_done(failed))
        self.assertTrue(cards.is_not_done({**failed, "cause": {"origin": "app"}}))

    def test_why_a_call_was_not_placed_is_said_in_words_of_the_catalog(self):
        said = {"code": -32000, "reason": "unspecified", "message": "Busy Here", "app_code": "SIP 486"}
        failed = {"actions": [{"kind": "start"}], "cause": {"origin": "user"},
                  "refusal": {"message": "no", "data": {"reason": "provider_failed",
                                                        "provider_error": said}}}
        for detail, expected in (({"reason": "busy", "code": "SIP 486"}, "Busy"),
                                 ({"reason": "answered_elsewhere"}, "Busy Here"),
                                 ({"reason": "x_new", "text": "Busy Here"}, "Busy Here"),
                                 ({"code": "SIP 999"}, "Busy Here"), (None, "Busy Here")):
            known = call(direction="outgoing", **({"end_detail": detail} if detail else {}))
            with self.subTest(detail=detail):
                body = cards.not_done(failed, known, "Phone").body
                self.assertEqual(body, "Ann · +15550100 · Phone\n" + expected)
        failed["actions"][0]["kind"] = "set_muted"
        self.assertTrue(cards.not_done(failed, call(end_detail={"reason": "busy"}), "").body
                        .endswith("Busy Here"))

    def test_what_went_well_or_was_taken_back_or_an_app_tells_itself_is_not_shown(self):
        error = {"message": "no", "data": {"reason": "provider_failed"}}
        failed = {"actions": [{"kind": "set_muted"}], "refusal": error, "cause": {"origin": "user"}}
        self.assertTrue(cards.is_not_done(failed))
        self.assertFalse(cards.is_not_done({**failed, "cause": {"origin": "app"}}))
        self.assertFalse(cards.is_not_done({"actions": [], "cause": {"origin": "user"}}))
        taken_back = {**failed, "refusal": {"message": "no", "data": {"reason": "cancelled"}}}
        self.assertFalse(cards.is_not_done(taken_back))

    def test_a_call_that_talks(self):
        talks = call(state="active", connected_at_ms=1763712000000,
                     allowed=["end", "hold", "mute", "play_dtmf"])
        card = live.card(talks, "Desk phone")
        self.assertRegex(card.body, r"\AIn a call · since \d\d:\d\d\n\+15550100 · Desk phone\Z")
        self.assertEqual(card.actions, (("end", "Hang up"), ("mute", "Mute"), ("hold", "Hold")))
        self.assertTrue(card.stays and not card.is_urgent)
        held = live.card({**talks, "state": "held", "muted": True, "allowed": ["resume"]}, "A", "no")
        self.assertRegex(held.body, r"\AOn hold · muted · since .*\n.*\nno\Z")
        self.assertEqual(held.actions, (("resume", "Resume"),))
        self.assertTrue(live.card(call(state="dialing"), "A").body.startswith("Calling\n"))

    def test_tones_that_wait_are_on_the_note_and_their_buttons_come_first(self):
        talks = call(state="active", allowed=["end", "mute"])
        asked = live.card({**talks, "paused_tones": {"digits": "42;#", "until": "user"}}, "A")
        self.assertTrue(asked.body.endswith("\nSend these tones now? 42;#"), asked.body)
        self.assertEqual([label for _, label in asked.actions],
                         ["Send tones", "Drop tones", "Hang up", "Mute"])
        self.assertTrue(asked.is_urgent)
        told = live.card({**talks, "paused_tones": {"digits": "42", "until": "time"}}, "A")
        self.assertTrue(told.body.endswith("\nThese tones are sent after a pause: 42"), told.body)
        self.assertEqual(told.actions, asked.actions)
        self.assertFalse(told.is_urgent)

    def test_what_is_live(self):
        for members, expected in (({"state": "active"}, True), ({"state": "starting"}, True), ({}, False),
                                  ({"state": "external"}, False), ({"state": "ended"}, False),
                                  ({"state": "held", "pending_action": "ending"}, False)):
            self.assertEqual(live.is_live(call(**members)), expected, members)

    def test_a_poor_connection_is_told_with_what_was_measured(self):
        for quality, expected in (({"loss_permille": 49, "jitter_ms": 99, "round_trip_ms": 999}, False),
                                  ({"loss_permille": 50}, True), ({"jitter_ms": 100}, True),
                                  ({"round_trip_ms": 1000}, True), ({}, False)):
            self.assertEqual(cards.is_poor(quality), expected, quality)
        card = cards.poor(call(state="active"), "A", {
            "call": "c1", "loss_permille": 125, "jitter_ms": 8, "round_trip_ms": 400})
        self.assertEqual(card, cards.Card(
            "Poor connection", "Ann · +15550100 · A\n12.5 % lost, jitter 8 ms, round trip 400 ms", (),
            "call", False, "network-error"))

    def test_what_is_heard(self):
        ringing, waiting = call(), call(state="waiting")
        for calls, expected in (
                ([], None), ([ringing], "ring"), ([waiting], "waiting"),
                ([ringing, waiting], "ring"), ([call(state="active"), waiting], "waiting"),
                ([call(silenced=True)], None), ([call(state="active")], None),
                ([call(pending_action="answering")], None),
                ([call(silenced=True), waiting], "waiting")):
            self.assertEqual(cards.tone(calls), expected, calls)


if __name__ == "__main__":
    unittest.main()
