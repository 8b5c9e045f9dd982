"""What a modem's calls do, whatever service has them: the same tests for each. A script plays the
broker."""
import signal

import lab
from asking import AskingTests

IDENTITY = "org.example.modem"
ANN, BOB, CARL = "+15550101", "+15550102", "+15550103"


class ModemTests(AskingTests):
    """The program at one service, with one modem.

    A subclass makes the service in `serve`, and says what of it is its own: `title` and
    `display_name`, the `lines` at registration and the options to start with.
    """

    DEADLINE_MS = 60_000                        # for a busy machine
    title, display_name, options, lines = "", "Cellular", (), ()
    tells_who_hung_up = False
    no_number, refusal = ("invalid_number", "InvalidFormat"), ("app_refused", "Failed")
    ability = {"supports_attended_transfer": True}          # of a call that goes out

    def setUp(self):
        super().setUp()
        self.serve()
        self.attach()
        self.assertEqual(self.register(), {
            "display_name": self.display_name, "handle_types": ["phone"], "url_schemes": ["tel"],
            "app_process": "separate", "kind": "modem", "max_call_groups": 2, "max_calls_per_group": 5,
            "takes_transactions": True, "calls": [], "lines": list(self.lines)})

    def serve(self):
        """Starts the service with `modem`, on `bus`."""
        raise NotImplementedError

    def another(self, member, call=None):
        """What another program asks for, such as the telephone's own screen: of all calls, or of
        the one with that number."""
        raise NotImplementedError

    def attach(self):
        self.program = lab.provider(self, self.folder, self.bus, self.broker.path, IDENTITY,
                                    *self.options)

    def register(self):
        self.peer = self.broker.accept()
        self.assertEqual(self.peer.greet()["params"]["features"], ["alerting", "tone"])
        register = self.peer.read("provider.register")
        self.peer.reply(register, {"provider": IDENTITY, "calls": [], "dropped": []})
        return register["params"]

    def incoming(self, number):
        self.modem.rings(number)
        report = self.taken("call.report_incoming")
        self.assertEqual(report["remote"], {"type": "phone", "value": number})
        return report["call"]

    def abilities(self, call):
        """What a call that goes out supports is told when the broker knows of it."""
        self.assertEqual(self.taken("call.report_update"), {"call": call, **self.ability})

    def alerting(self, call):
        """A call that was placed rings there."""
        self.abilities(call)
        self.assertEqual(self.taken("call.report_alerting"), {"call": call})

    def answered(self, number):
        call = self.incoming(number)
        self.done(self.asked("answer", call))
        return call

    def offered(self, *actions):
        """Offers a transaction; whether it is taken over."""
        self.actions += 1
        self.peer.send({"id": self.actions, "method": "provider.execute", "params": {
            "transaction": "t", "deadline_ms": 1000, "actions": [
                {"action": f"{kind}-{call}", "kind": kind, "call": call, "arguments": arguments}
                for kind, call, arguments in actions]}})
        reply = self.peer.read()
        self.assertEqual(reply["id"], self.actions)
        return reply["result"]["taken"]

    def settled(self, *actions):
        """All of these, fulfilled."""
        self.assertEqual([self.taken("action.settle") for _ in actions],
                         [{"action": action, "outcome": "fulfilled"} for action in actions])

    def hold_and_answer(self, first, second):
        self.assertIs(self.offered(("set_held", first, {"held": True}), ("answer", second, {})),
                      True)
        self.settled(f"set_held-{first}", f"answer-{second}")

    def states(self, **expected):
        names = {"ann": ANN, "bob": BOB, "carl": CARL}
        self.assertEqual(self.modem.states(),
                         {names[name]: state for name, state in expected.items()})

    def two_calls(self):
        """One that is held and one that talks."""
        first = self.answered(ANN)
        second = self.incoming(BOB)
        self.hold_and_answer(first, second)
        return first, second

    def code(self, number):
        """Why an action has failed: the reason, and ofono's code."""
        frame = self.peer.read()
        self.assertEqual(frame["id"], number)
        return frame["error"]["data"]["reason"], frame["error"]["data"].get("app_code")


class CallTests:
    """Those that every service does."""

    def test_answer_hold_resume_tones_and_end(self):
        call = self.answered(ANN)
        self.done(self.asked("set_held", call, held=True))
        self.states(ann=lab.HELD)
        self.done(self.asked("set_held", call, held=True))
        self.done(self.asked("set_held", call, held=False))
        self.done(self.asked("play_dtmf", call, digits="12#", style="single"))
        number = self.asked("set_muted", call, muted=True)
        self.assertEqual(self.peer.read()["error"]["code"], -32601)
        self.assertEqual(number, self.actions)
        self.done(self.asked("end", call))
        self.states()
        self.assertEqual([word for word in self.modem.story if "VTS" in word][:1], ["+VTS=1"])

    def test_hold_and_answer_is_one_command(self):
        first = self.answered(ANN)
        second = self.incoming(BOB)
        self.hold_and_answer(first, second)
        self.states(ann=lab.HELD, bob=lab.ACTIVE)
        self.assertEqual(self.modem.story, ["A", "+CHLD=2"])

    def test_one_that_waits_behind_a_held_one_is_answered(self):
        first = self.answered(ANN)
        self.done(self.asked("set_held", first, held=True))
        second = self.incoming(BOB)
        self.done(self.asked("answer", second))
        self.states(ann=lab.HELD, bob=lab.ACTIVE)

    def test_holding_alone_would_answer_the_one_that_waits(self):
        first = self.answered(ANN)
        self.incoming(BOB)
        self.failed(self.asked("set_held", first, held=True), "call_waiting")
        self.states(ann=lab.ACTIVE, bob=lab.WAITING)

    def test_holding_alone_would_let_the_held_one_speak(self):
        first = self.answered(ANN)
        second = self.incoming(BOB)
        self.hold_and_answer(first, second)
        self.failed(self.asked("set_held", second, held=True), "one_on_hold")
        self.failed(self.asked("set_held", first, held=False), "one_on_hold")
        self.states(ann=lab.HELD, bob=lab.ACTIVE)

    def test_a_swap_is_one_command(self):
        first = self.answered(ANN)
        second = self.incoming(BOB)
        self.hold_and_answer(first, second)
        self.assertIs(self.offered(("set_held", second, {"held": True}),
                                   ("set_held", first, {"held": False})), True)
        self.settled(f"set_held-{second}", f"set_held-{first}")
        self.states(ann=lab.ACTIVE, bob=lab.HELD)

    def test_what_is_no_single_command_is_not_taken_over(self):
        first = self.answered(ANN)
        for actions in ([("end", first, {})], [("set_held", first, {"held": True})],
                        [("set_held", first, {"held": True}), ("start", "new", {})],
                        [("answer", "unknown", {})],
                        [("set_held", first, {"held": False}), ("end", first, {})]):
            with self.subTest(actions=actions):
                self.assertIs(self.offered(*actions), False)

    def test_what_the_modem_refuses_fails(self):
        first = self.answered(ANN)
        self.modem.refused.add("+CHLD=2")
        self.failed(self.asked("set_held", first, held=True), "app_refused")
        second = self.incoming(BOB)
        self.assertIs(self.offered(("set_held", first, {"held": True}), ("answer", second, {})),
                      True)
        self.assertEqual([self.taken("action.settle") for _ in range(2)], [
            {"action": f"{kind}-{call}", "outcome": "failed", "reason": "app_refused"}
            for kind, call in (("set_held", first), ("answer", second))])
        self.states(ann=lab.ACTIVE, bob=lab.WAITING)

    def test_a_call_is_dialled(self):
        call = "99999999-9999-4999-8999-999999999999"
        number = self.asked("start", call, remote={"type": "phone", "value": ANN})
        self.assertEqual(self.peer.read("broker.progress")["params"],
                         {"request": number, "phase": "dialing"})
        self.modem.far_end(ANN, lab.ALERTING)
        self.alerting(call)
        self.done(number)
        self.program.kill()
        self.attach()
        self.assertEqual([(c["call"], c["direction"], c["state"])
                          for c in self.register()["calls"]], [(call, "outgoing", "alerting")])
        self.modem.far_end(ANN, lab.ACTIVE)
        self.taken("call.report_connected", call=call)
        self.modem.far_end(ANN, None)
        self.assertEqual(self.taken("call.report_ended"), {"call": call, "reason": "remote_ended"})

    def test_a_call_that_another_program_dials(self):
        self.dials_elsewhere(ANN)
        start = self.peer.read("call.start")
        call, remote = start["params"]["call"], start["params"]["remote"]
        self.assertEqual(remote, {"type": "phone", "value": ANN})
        self.peer.reply(start, {"seq": 1})
        number = self.asked("start", call, remote=remote)
        self.abilities(call)
        self.done(number)
        self.modem.far_end(ANN, lab.ALERTING)
        self.assertEqual(self.taken("call.report_alerting"), {"call": call})

    def test_what_cannot_be_dialled_fails(self):
        self.modem.refused.add("D" + ANN)
        for number, (reason, code) in (("Ann", self.no_number), (ANN, self.refusal)):
            with self.subTest(number=number):
                self.asked("start", "c" + number, remote={"type": "phone", "value": number})
                self.assertEqual(self.peer.read()["error"]["data"],
                                 {"reason": reason, "app_code": f"{self.title} {code}"})

    def test_a_call_is_ended_while_it_is_dialled(self):
        starting = self.asked("start", "c1", remote={"type": "phone", "value": ANN})
        self.peer.read("broker.progress")
        ending = self.asked("end", "c1")
        self.assertEqual({(frame["id"], "error" in frame)
                          for frame in (self.peer.read(), self.peer.read())},
                         {(starting, True), (ending, False)})
        self.states()

    def test_declined_and_given_up(self):
        self.done(self.asked("end", self.incoming(ANN)))
        call = self.incoming(BOB)
        self.modem.far_end(BOB, None)
        self.taken("call.report_ended", call=call, reason="remote_ended")
        first = self.answered(ANN)
        self.done(self.asked("end", self.incoming(CARL)))   # that waits
        self.states(ann=lab.ACTIVE)
        self.done(self.asked("end", first))

    def test_one_that_the_broker_refuses_is_hung_up(self):
        self.modem.rings(ANN)
        self.peer.refuse(self.peer.read("call.report_incoming"), -32008, reason="block_list")
        lab.wait_until("it rings on", lambda: self.modem.states() == {})

    def test_what_happens_at_the_modem_itself(self):
        """Its user has another program, too."""
        first = self.incoming(ANN)
        self.another("Answer", 1)
        self.assertEqual(self.taken("call.report_connected"), {"call": first})
        for held in (True, False):
            self.another("SwapCalls")
            self.assertEqual(self.taken("call.report_held"), {"call": first, "held": held})
        second = self.incoming(BOB)
        self.another("HoldAndAnswer")
        self.assertEqual(self.taken("call.report_held"), {"call": first, "held": True})
        self.assertEqual(self.taken("call.report_connected"), {"call": second})
        self.another("CreateMultiparty")
        self.assertEqual(self.taken("call.report_group"), {"call": second, "with": first})
        self.assertEqual(self.taken("call.report_held"), {"call": first, "held": False})
        self.another("Hangup", 1)
        if self.tells_who_hung_up:
            self.assertEqual(self.taken("call.end"), {"call": first})
        else:
            self.taken("call.report_ended", call=first, reason="remote_ended")

    def test_calls_live_on_when_the_program_starts_again(self):
        first = self.answered(ANN)
        second = self.incoming(BOB)
        self.hold_and_answer(first, second)
        self.done(self.asked("set_group", second, **{"with": first}))
        for number in (signal.SIGKILL, signal.SIGTERM):
            self.program.kill(number)
            self.attach()
            calls = self.register()["calls"]
            self.assertEqual([(c["call"], c["direction"], c["state"]) for c in calls],
                             [(first, "incoming", "active"), (second, "incoming", "active")])
            self.assertEqual(self.taken("call.report_group"), {"call": second, "with": first})
        self.done(self.asked("end", second))


class AbilityTests:
    """Those that services with supplementary services do."""

    def test_calls_say_what_can_become_of_them(self):
        self.modem.rings(ANN)
        report = self.taken("call.report_incoming")
        self.assertEqual([report.get(f"supports_{what}") for what in (
            "transfer", "attended_transfer", "deflect")], [None, True, True])

    def test_two_calls_are_joined(self):
        for each in (0, 1):
            with self.subTest(each=each):       # whichever of them is named first
                calls = self.two_calls()
                number = self.asked("attended_transfer", calls[each],
                                    **{"with": calls[1 - each]})
                self.done(number)
                self.states()
                self.assertEqual(self.modem.story[-1], "+CHLD=4")

    def test_joining_that_the_modem_or_the_network_refuses(self):
        first, second = self.two_calls()
        self.modem.refused.add("+CHLD=4")
        number = self.asked("attended_transfer", first, **{"with": second})
        self.assertEqual(self.code(number), ("app_refused", f"{self.title} Failed"))
        self.states(ann=lab.HELD, bob=lab.ACTIVE)
        self.done(self.asked("set_group", second, **{"with": first}))
        self.failed(self.asked("attended_transfer", first, **{"with": second}), "not_two_calls")
        self.states(ann=lab.ACTIVE, bob=lab.ACTIVE)

    def test_a_network_that_drops_one_of_the_two_calls_instead(self):
        first, second = self.two_calls()

        def drop_the_active(what):
            self.assertEqual(what, "4")
            self.modem._end(lab.ACTIVE)
            return True
        self.modem._supplementary = drop_the_active
        number = self.asked("attended_transfer", first, deadline_ms=15_000, **{"with": second})
        self.assertEqual(self.taken("call.report_ended"),
                         {"call": second, "reason": "remote_ended"})
        self.failed(number, "network_refused")
        self.states(ann=lab.HELD)

    def test_a_call_is_deflected(self):
        ringing = self.incoming(ANN)
        self.done(self.asked("deflect", ringing, to={"type": "phone", "value": CARL}))
        self.states()
        self.assertEqual(self.modem.story, [f"+CTFR={CARL[1:]},145"])
        self.answered(ANN)
        waiting = self.incoming(BOB)
        self.done(self.asked("deflect", waiting, to={"type": "phone", "value": CARL}))
        self.states(ann=lab.ACTIVE)

    def test_deflecting_that_is_refused(self):
        call = self.incoming(ANN)
        number = self.asked("deflect", call, to={"type": "phone", "value": "Carl"})
        self.assertEqual(self.code(number), (self.no_number[0], f"{self.title} {self.no_number[1]}"))
        self.modem.refused.add(f"+CTFR={CARL[1:]},145")
        number = self.asked("deflect", call, to={"type": "phone", "value": CARL})
        self.assertEqual(self.code(number), ("app_refused", f"{self.title} Failed"))
        self.done(self.asked("answer", call))   # it rings on

    def test_a_conference(self):
        first = self.answered(ANN)
        second = self.incoming(BOB)
        self.hold_and_answer(first, second)
        self.done(self.asked("set_group", second, **{"with": first}))
        self.done(self.asked("set_held", first, held=False))    # it has joined: nothing to do
        self.states(ann=lab.ACTIVE, bob=lab.ACTIVE)
        holds = [self.asked("set_held", call, held=True) for call in (first, second)]
        for number in holds:
            self.done(number)
        self.states(ann=lab.HELD, bob=lab.HELD)
        holds = [self.asked("set_held", call, held=False) for call in (first, second)]
        for number in holds:
            self.done(number)
        self.assertIs(self.offered(("set_held", first, {"held": True}),
                                   ("set_group", second, {"with": None})), True)
        self.settled(f"set_held-{first}", f"set_group-{second}")
        self.states(ann=lab.HELD, bob=lab.ACTIVE)
        self.assertEqual(self.modem.story,
                         ["A", "+CHLD=2", "+CHLD=3", "+CHLD=2", "+CHLD=2", "+CHLD=22"])
