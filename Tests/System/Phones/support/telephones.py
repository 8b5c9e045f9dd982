"""What an adapter does with its telephone, whichever it is: sipp calls, a script plays the broker."""
import signal

import phonelab
from asking import AskingTests


class TelephoneTests(AskingTests):
    """A subclass says what its telephone is, and how its program is attached to it."""

    IDENTITY = NAME = None
    HANDLE_TYPES = ["generic", "phone"]

    def telephone(self, **options):
        raise NotImplementedError

    @staticmethod
    def provider(*arguments):
        raise NotImplementedError

    def attached(self, **options):
        """A telephone, the program attached to it, and the broker's end of the connection."""
        self.phone = self.telephone(**options)
        self.attach()
        self.assertEqual(self.register(), {
            "display_name": self.NAME, "handle_types": self.HANDLE_TYPES,
            "url_schemes": ["sip", "sips"], "app_process": "separate", "kind": "adapter",
            "max_call_groups": 4, "max_calls_per_group": 1, "calls": [], **self.with_lines()})

    def with_lines(self):
        """What the registration has besides."""
        return {}

    def attach(self):
        self.program = self.provider(
            self, self.folder, self.phone, self.broker.path, self.IDENTITY)

    def register(self):
        self.peer = self.broker.accept()
        return self.peer.greet_provider()["params"]

    def incoming(self, name="carol", scenario="caller.xml", **options):
        """Somebody calls; the call's id and the caller."""
        caller = phonelab.Caller(self, self.folder, name, self.phone, scenario, **options)
        report = self.taken("call.report_incoming")
        self.assertEqual(report["remote"],
                         {"type": "generic", "value": f"sip:{name}@127.0.0.1:{caller.sip}"})
        self.assertEqual((report["display_name"], report["supports_grouping"],
                          report["supports_ungrouping"]), (name, False, False))
        return report["call"], caller

    def answered(self, name="carol", scenario="caller.xml", **options):
        call, caller = self.incoming(name, scenario, **options)
        self.done(self.asked("answer", call))
        return call, caller

    def ended(self, call, caller):
        self.done(self.asked("end", call))
        self.assertEqual(caller.wait(), 0, caller.said())

    def second_answered(self, first):
        """Another call is answered, and the telephone holds the first one by itself."""
        second, caller = self.incoming("dave")
        number = self.asked("answer", second)
        frames = [self.frame(), self.frame()]
        report = next(frame for frame in frames if "method" in frame)
        self.assertEqual((report["method"], report["params"]),
                         ("call.report_held", {"call": first, "held": True}))
        self.peer.reply(report)
        self.assertIn({"jsonrpc": "2.0", "id": number, "result": {}}, frames)
        return second, caller

    def dialled(self, call, address):
        """Asks for a call, which is being dialled; the number of what was asked."""
        number = self.asked("start", call, remote={"type": "generic", "value": address})
        self.assertEqual(self.peer.read("broker.progress")["params"],
                         {"request": number, "phase": "dialing"})
        return number

    def rung(self, number, call, **members):
        """The far end rings, and the call is as good as placed."""
        self.taken("call.report_update", call=call, supports_grouping=False,
                   supports_ungrouping=False)
        self.assertEqual(self.taken("call.report_alerting"), {"call": call, **members})
        self.done(number)

    def refused(self, call, status, scenario="ringing_callee.xml"):
        """Somebody who rings and refuses is called; how that ended, without the call."""
        callee = phonelab.Callee(self, self.folder, call, status, scenario)
        self.rung(self.dialled(call, callee.address), call)
        if scenario == "early_callee.xml":
            self.assertEqual(self.taken("call.report_alerting"),
                             {"call": call, "has_early_media": True})
        end = self.taken("call.report_ended", call=call)
        self.assertEqual(callee.wait(), 0, callee.said())
        return {name: end[name] for name in end if name != "call"}

    def not_placed(self, call, status):
        """Somebody who refuses at once is called; the error that the start fails with."""
        callee = phonelab.Callee(self, self.folder, call, status)
        number = self.dialled(call, callee.address)
        frame = self.frame()
        self.assertEqual((frame["id"], callee.wait()), (number, 0), callee.said())
        return frame["error"]

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
        ann = phonelab.Baresip(self, self.folder, "ann")
        ann.command("dial", f"sip:{self.phone.user}@127.0.0.1:{self.phone.sip}")
        call = self.taken("call.report_incoming")["call"]
        ann.command("hangup")
        self.taken("call.report_ended", call=call, reason="remote_ended")
        ann.command("dial", f"sip:{self.phone.user}@127.0.0.1:{self.phone.sip}")
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
        caller = phonelab.Caller(self, self.folder, "carol", self.phone)
        self.peer.refuse(self.peer.read("call.report_incoming"), -32008, reason="block_list")
        self.assertEqual(caller.wait(), 1)

    def test_a_hold_that_the_far_end_refuses_fails(self):
        self.attached()
        call, caller = self.answered(scenario="refusing_caller.xml")
        self.failed(self.asked("set_held", call, deadline_ms=2000, held=True), "remote_refused")
        self.ended(call, caller)

    def test_a_remote_hold_is_told_apart(self):
        self.attached()
        call, caller = self.answered(scenario="holding_caller.xml")
        self.assertEqual(self.taken("call.report_update"), {"call": call, "remote_held": True})
        self.assertEqual(self.taken("call.report_update"), {"call": call, "remote_held": False})
        self.ended(call, caller)

    def referred(self, outcome):
        """A call whose far end is told to call bob, and reports that outcome; the call, the far
        end, and the number of what was asked."""
        call, caller = self.answered(scenario="referred_caller.xml", outcome=outcome)
        number = self.asked("transfer", call, to={"type": "generic", "value": "sip:bob@127.0.0.1"})
        return call, caller, number

    def assert_referred(self, caller):
        self.assertEqual([address.strip("<>") for address in caller.referred()],
                         ["sip:bob@127.0.0.1"])

    def test_a_transfer_is_done_when_the_new_party_has_answered(self):
        self.attached()
        _, caller, number = self.referred("200 OK")
        self.done(number)
        self.assertEqual(caller.wait(), 0, caller.said())   # and was hung up
        self.assert_referred(caller)

    def test_calls_live_on_when_the_program_starts_again(self):
        self.attached()
        first, carol = self.answered("carol")
        self.done(self.asked("set_held", first, held=True))
        second, dave = self.incoming("dave")
        self.program.kill()
        self.attach()
        calls = self.register()["calls"]
        self.assertEqual([(c["call"], c["direction"], c["state"], c["display_name"])
                          for c in calls], [(first, "incoming", "held", "carol"),
                                            (second, "incoming", "ringing", "dave")])
        self.done(self.asked("end", second))
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)
        self.assertEqual(dave.wait(), 1)

    def test_a_call_made_here_keeps_its_id_when_the_program_starts_again(self):
        self.attached()
        ann = phonelab.Baresip(self, self.folder, "ann")
        call = "99999999-9999-4999-8999-999999999999"
        self.rung(self.dialled(call, f"sip:ann@127.0.0.1:{ann.sip}"), call)
        self.program.kill(signal.SIGTERM)
        self.assertIs(self.peer.read("broker.goodbye")["params"]["resumable"], True)
        self.attach()
        self.assertEqual([(c["call"], c["direction"], c["state"], c["remote"]["value"])
                          for c in self.register()["calls"]],
                         [(call, "outgoing", "alerting", f"sip:ann@127.0.0.1:{ann.sip}")])
        ann.command("accept")
        self.taken("call.report_connected", call=call)
        self.done(self.asked("end", call))

    def test_a_call_that_cannot_be_placed_fails_when_it_is_ended(self):
        self.attached()
        number = self.dialled("c1", "sip:x@127.0.0.1:9")
        ending = self.asked("end", "c1")
        self.failed(number, "call_ended")
        self.done(ending)


class UndoneTests(TelephoneTests):
    """Of a telephone whose holds and resumes may be done too late."""

    def test_a_hold_that_the_far_end_leaves_unanswered_fails_in_time_and_the_call_goes_on(self):
        self.attached()
        call, caller = self.answered(scenario="silent_caller.xml")
        number = self.asked("set_held", call, held=True, deadline_ms=2000)
        self.failed(number, "remote_refused")
        self.done(self.asked("set_muted", call, muted=True))
        self.ended(call, caller)

    def assert_undone(self, call, caller):
        """The hold was done and undone at the far end, and nothing was reported."""
        phonelab.wait_until(lambda: f"the hold is not undone: {caller.logged()}",
                            lambda: caller.logged() == ["answered", "a=sendonly", "a=sendrecv"])
        phonelab.wait_until(lambda: f"it cannot be held again: {self.refusal}, {caller.logged()}",
                            lambda: self.is_done("set_held", call, held=True, deadline_ms=20_000))
        self.done(self.asked("set_held", call, held=False))
        self.ended(call, caller)

    def is_done(self, kind, call, **arguments):
        """Whether that is done when it is asked for."""
        number = self.asked(kind, call, **arguments)
        frame = self.frame()
        self.assertEqual(frame.get("id"), number, frame)
        self.refusal = frame.get("error")
        return "result" in frame

    def test_a_hold_that_the_far_end_agrees_to_too_late_is_undone(self):
        self.attached()
        call, caller = self.answered(scenario="slow_caller.xml")
        # A third of what the far end takes: it was asked, and has not answered.
        self.failed(self.asked("set_held", call, held=True, deadline_ms=1500), "remote_refused")
        self.assert_undone(call, caller)

    def test_a_hold_whose_cause_is_cancelled_while_it_is_under_way_is_undone(self):
        self.attached()
        call, caller = self.answered(scenario="slow_caller.xml")
        number = self.asked("set_held", call, held=True)
        phonelab.wait_until("nobody is asked", lambda: "a=sendonly" in caller.logged())
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        self.assertEqual(self.frame()["error"]["code"], -32010)
        self.assert_undone(call, caller)
