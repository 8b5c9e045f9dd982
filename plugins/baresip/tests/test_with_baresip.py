"""The program with a real baresip, sipp as the caller, and a scripted broker."""
import signal
import unittest

import lab
from asking import AskingTests

IDENTITY = "org.example.baresip"


class BaresipTests(AskingTests):
    def attached(self, channels=2):
        """A baresip, the program attached to it, and the broker's end of the connection."""
        self.bob = lab.Baresip(self, self.folder, "bob", channels)
        self.program = lab.provider(self, self.folder, self.bob, self.broker.path, IDENTITY)
        self.peer = self.broker.accept()
        register = self.peer.greet_provider()
        self.assertEqual(register["params"], {
            "display_name": "baresip", "handle_types": ["generic", "phone"],
            "url_schemes": ["sip", "sips"], "app_process": "separate", "max_call_groups": 4,
            "max_calls_per_group": 1, "calls": []})

    def incoming(self, name="carol", scenario="caller.xml"):
        """Somebody calls; the call's id and the caller."""
        caller = lab.Caller(self, self.folder, name, self.bob, scenario)
        report = self.taken("call.report_incoming")
        self.assertEqual(report["remote"],
                         {"type": "generic", "value": f"sip:{name}@127.0.0.1:{caller.sip}"})
        self.assertEqual((report["display_name"], report["supports_grouping"],
                          report["supports_ungrouping"]), (name, False, False))
        return report["call"], caller

    def answered(self, name="carol"):
        call, caller = self.incoming(name)
        self.done(self.asked("answer", call))
        return call, caller

    def ended(self, call, caller):
        self.done(self.asked("end", call))
        self.assertEqual(caller.wait(), 0, caller.said())

    def test_answer_hold_resume_mute_tones_and_end(self):
        self.attached()
        call, caller = self.answered()
        for kind, arguments in (("set_held", {"held": True}), ("set_held", {"held": False}),
                                ("set_muted", {"muted": True}), ("set_muted", {"muted": True}),
                                ("set_muted", {"muted": False}),
                                ("play_dtmf", {"digits": "12#", "style": "single"})):
            self.done(self.asked(kind, call, **arguments))
        self.ended(call, caller)
        self.assertEqual(caller.logged(), ["answered", "a=sendonly", "a=sendrecv"])

    def test_the_caller_gives_up_before_and_hangs_up_after_the_answer(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        ann.command("dial", f"sip:bob@127.0.0.1:{self.bob.sip}")
        call = self.taken("call.report_incoming")["call"]
        ann.command("hangup")
        self.taken("call.report_ended", call=call, reason="remote_ended")
        ann.command("dial", f"sip:bob@127.0.0.1:{self.bob.sip}")
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        ann.command("hangup")
        self.taken("call.report_ended", call=call, reason="remote_ended")

    def test_declined(self):
        self.attached()
        call, caller = self.incoming()
        self.done(self.asked("end", call))
        self.assertEqual(caller.wait(), 1)

    def test_a_call_that_must_not_ring_is_declined(self):
        self.attached()
        caller = lab.Caller(self, self.folder, "carol", self.bob)
        self.peer.refuse(self.peer.read("call.report_incoming"), -32008, reason="block_list")
        self.assertEqual(caller.wait(), 1)

    def test_an_answer_that_baresip_never_completes_is_not_fulfilled(self):
        self.attached(channels=1)               # its audio source cannot start
        call, _ = self.incoming()
        number = self.asked("answer", call)
        self.done(self.asked("set_muted", call, muted=False))
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        frame = self.peer.read()
        self.assertEqual((frame["id"], frame["error"]["code"]), (number, -32010))

    def test_a_hold_that_the_far_end_refuses_fails(self):
        self.attached()
        call, caller = self.incoming(scenario="refusing_caller.xml")
        self.done(self.asked("answer", call))
        self.failed(self.asked("set_held", call, deadline_ms=1500, held=True), "remote_refused")
        self.ended(call, caller)

    def test_what_baresip_holds_by_itself_is_reported(self):
        self.attached()
        first, carol = self.answered("carol")
        second, dave = self.incoming("dave")
        number = self.asked("answer", second)
        frames = [self.peer.read(), self.peer.read()]
        report = next(frame for frame in frames if "method" in frame)
        self.assertEqual((report["method"], report["params"]),
                         ("call.report_held", {"call": first, "held": True}))
        self.peer.reply(report)
        self.assertIn({"jsonrpc": "2.0", "id": number, "result": {}}, frames)
        self.ended(second, dave)
        self.ended(first, carol)

    def test_what_baresip_resumes_by_itself_is_held_again(self):
        self.attached()
        first, carol = self.answered("carol")
        self.done(self.asked("set_held", first, held=True))
        second, dave = self.answered("dave")
        self.ended(second, dave)
        lab.ceiling("the hold is not put right")(lambda: carol.logged() == [
            "answered", "a=sendonly", "a=sendrecv", "a=sendonly"])
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)

    def test_a_remote_hold_is_told_apart(self):
        self.attached()
        call, caller = self.incoming(scenario="holding_caller.xml")
        self.done(self.asked("answer", call))
        self.assertEqual(self.taken("call.report_update"), {"call": call, "remote_held": True})
        self.assertEqual(self.taken("call.report_update"), {"call": call, "remote_held": False})
        self.ended(call, caller)

    def test_calls_live_on_when_the_program_starts_again(self):
        self.attached()
        first, carol = self.answered("carol")
        self.done(self.asked("set_held", first, held=True))
        second, dave = self.incoming("dave")
        self.program.kill()
        self.program = lab.provider(self, self.folder, self.bob, self.broker.path, IDENTITY)
        self.peer = self.broker.accept()
        calls = self.peer.greet_provider()["params"]["calls"]
        self.assertEqual([(c["call"], c["direction"], c["state"]) for c in calls],
                         [(first, "incoming", "held"), (second, "incoming", "ringing")])
        self.done(self.asked("end", second))
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)
        self.assertEqual(dave.wait(), 1)

    def test_a_call_made_here_keeps_its_id_when_the_program_starts_again(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        call = "99999999-9999-4999-8999-999999999999"
        number = self.asked("start", call, remote={"type": "generic",
                                                   "value": f"sip:ann@127.0.0.1:{ann.sip}"})
        self.assertEqual(self.peer.read("broker.progress")["params"],
                         {"request": number, "phase": "dialing"})
        self.done(number)
        self.program.kill(signal.SIGTERM)
        self.assertIs(self.peer.read("broker.goodbye")["params"]["resumable"], True)
        self.program = lab.provider(self, self.folder, self.bob, self.broker.path, IDENTITY)
        self.peer = self.broker.accept()
        calls = self.peer.greet_provider()["params"]["calls"]
        self.assertEqual([(c["call"], c["direction"], c["state"]) for c in calls],
                         [(call, "outgoing", "dialing")])
        self.done(self.asked("end", call))

    def test_a_call_to_nobody_and_one_that_is_declined(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        lab.provider(self, self.folder, ann, self.broker.path, "org.example.ann")
        ours, self.peer = self.peer, self.broker.accept()
        self.peer.greet_provider()
        theirs, self.peer = self.peer, ours
        number = self.asked("start", "c1", remote={
            "type": "generic", "value": f"sip:ann@127.0.0.1:{ann.sip}"})
        self.peer.read("broker.progress")
        self.done(number)
        self.peer = theirs
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("end", call))
        self.peer = ours
        self.taken("call.report_ended", call="c1", reason="remote_ended")
        number = self.asked("start", "c2", remote={"type": "generic", "value": "sip:x@127.0.0.1:9"})
        self.peer.read("broker.progress")
        ending = self.asked("end", "c2")
        self.failed(number, "call_ended")
        self.done(ending)

    def test_when_baresip_ends_the_provider_goes_and_comes_back_with_it(self):
        self.attached()
        self.answered()
        self.bob.kill()
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.bob = lab.Baresip(self, self.folder, "bob", ports=self.bob.ports)
        self.peer = self.broker.accept()
        self.assertEqual(self.peer.greet_provider()["params"]["calls"], [])
        call, caller = self.answered("dave")
        self.ended(call, caller)


if __name__ == "__main__":
    unittest.main()
