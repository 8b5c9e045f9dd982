"""The program with a real baresip, sipp as the caller, and a scripted broker."""
import unittest

import lab
import telephones


class BaresipTests(telephones.TelephoneTests):
    IDENTITY, NAME, HANDLE_TYPES = "org.example.baresip", "baresip", ["generic"]
    provider = staticmethod(lab.provider)

    warning = {}                                # about its line

    def telephone(self, **options):
        return lab.Baresip(self, self.folder, "bob", **options)

    def with_lines(self):
        address = f"sip:bob@127.0.0.1:{self.phone.sip}"
        return {"lines": [{
            "line": address, "label": address, "handle": {"type": "generic", "value": address},
            "default": True, "state": "registered", **self.warning}]}

    def test_an_answer_that_baresip_never_completes_is_not_fulfilled(self):
        self.attached(channels=1)               # its audio source cannot start
        call, _ = self.incoming()
        number = self.asked("answer", call)
        self.done(self.asked("set_muted", call, muted=False))
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        frame = self.peer.read()
        self.assertEqual((frame["id"], frame["error"]["code"]), (number, -32010))

    def test_what_baresip_holds_by_itself_is_reported(self):
        self.attached()
        first, carol = self.answered("carol")
        second, dave = self.second_answered(first)
        self.ended(second, dave)
        self.ended(first, carol)

    def test_what_baresip_resumes_by_itself_is_held_again(self):
        self.attached()
        first, carol = self.answered("carol")
        self.done(self.asked("set_held", first, held=True))
        second, dave = self.answered("dave")
        self.ended(second, dave)
        lab.wait_until("the hold is not put right", lambda: carol.logged() == [
            "answered", "a=sendonly", "a=sendrecv", "a=sendonly"])
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)

    def test_a_call_has_the_number_that_sip_has_for_it(self):
        self.attached()
        lab.Caller(self, self.folder, "carol", self.phone)
        self.assertRegex(self.taken("call.report_incoming")["external_id"], "^carol-1-")

    def test_a_call_that_baresip_answers_by_itself_is_reported(self):
        self.warning = {
            "reason": "answers calls by itself (answermode=auto), before others are held"}
        self.attached(accounts=lab.ACCOUNT.replace("answermode=manual", "answermode=auto"))
        lab.Caller(self, self.folder, "carol", self.phone)
        call = self.taken("call.report_incoming")["call"]
        self.assertEqual(self.taken("call.report_connected")["call"], call)

    def test_the_quality_of_the_sound_is_reported(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        lab.provider(self, self.folder, ann, self.broker.path, "org.example.ann")
        ours, self.peer = self.peer, self.broker.accept()
        self.peer.greet_provider()
        theirs, self.peer = self.peer, ours
        number = self.dialled("c1", f"sip:ann@127.0.0.1:{ann.sip}")
        self.rung(number, "c1")
        self.peer = theirs
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        report = self.taken("call.report_quality")
        self.assertEqual(report["call"], call)
        self.assertLessEqual(report["loss_permille"], 1000)
        self.assertLess(report["jitter_ms"], 1000)

    def test_a_call_that_is_declined_has_ended(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        lab.provider(self, self.folder, ann, self.broker.path, "org.example.ann")
        ours, self.peer = self.peer, self.broker.accept()
        self.peer.greet_provider()
        theirs, self.peer = self.peer, ours
        self.rung(self.dialled("c1", f"sip:ann@127.0.0.1:{ann.sip}"), "c1")
        self.peer = theirs
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("end", call))
        self.peer = ours
        self.assertEqual(self.taken("call.report_ended"), {
            "call": "c1", "reason": "remote_ended",
            "end_detail": {"code": "SIP 486", "text": "Rejected"}})

    def test_who_rings_and_refuses_is_told_with_his_words(self):
        self.attached()
        for number, (status, scenario, reason, detail) in enumerate((
                ("486 Busy Here", "ringing_callee.xml", "remote_ended", {}),
                ("603 Decline", "early_callee.xml", "remote_ended", {}),
                ("480 Temporarily Unavailable", "ringing_callee.xml", "unanswered",
                 {"reason": "no_answer"}),
                ("500 Server Internal Error", "ringing_callee.xml", "failed", {}))):
            code, _, text = status.partition(" ")
            with self.subTest(status=status):
                self.assertEqual(self.refused(f"c{number}", status, scenario), {
                    "reason": reason,
                    "end_detail": {"code": "SIP " + code, "text": text, **detail}})

    def test_a_start_fails_with_the_words_of_who_refuses_at_once(self):
        self.attached()
        for number, status in enumerate(("486 Busy Here", "404 Not Found", "480 Gone Fishing")):
            code, _, text = status.partition(" ")
            with self.subTest(status=status):
                self.assertEqual(self.not_placed(f"c{number}", status), {
                    "code": -32000, "message": text,
                    "data": {"reason": "unspecified", "app_code": "SIP " + code}})

    def test_when_baresip_ends_the_provider_goes_and_comes_back_with_it(self):
        self.attached()
        self.answered()
        self.phone.kill()
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.phone = lab.Baresip(self, self.folder, "bob", ports=self.phone.ports)
        self.assertEqual(self.register()["calls"], [])
        call, caller = self.answered("dave")
        self.ended(call, caller)


if __name__ == "__main__":
    unittest.main()
