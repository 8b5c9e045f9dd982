"""The program with a real ofonod, a simulated modem as the network, and a scripted broker."""
import asyncio
import json
import os
import signal
import threading
import unittest

import lab
from asking import AskingTests
from line_settings import CALLS, FORWARDING, Settings, settings_of, writes
from line import MESSAGES, MODEM, NETWORK, SIM, About, line_of
from voice import ended

IDENTITY = "org.example.modem"
ANN, BOB, CARL = "+15550101", "+15550102", "+15550103"


class OfonoTests(AskingTests):
    def setUp(self):
        super().setUp()
        self.modem = lab.Modem(self)
        self.ofono = lab.Ofono(self, self.folder, self.modem)
        self.attach()
        self.assertEqual(self.register(), {
            "display_name": "Cellular", "handle_types": ["phone"], "url_schemes": ["tel"],
            "app_process": "separate", "kind": "modem", "max_call_groups": 2, "max_calls_per_group": 5,
            "takes_transactions": True, "calls": [], "lines": self.without_network()})

    def without_network(self):
        return [{"line": "/phonesim", "label": "/phonesim", "default": True, "state": "off"}]

    def attach(self):
        self.program = lab.provider(self, self.folder, self.ofono, self.broker.path, IDENTITY,
                                    "--power")

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
        self.assertEqual(self.taken("call.report_update"),
                         {"call": call, "supports_attended_transfer": True})

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
        self.assertEqual(self.code(number), ("app_refused", "ofono Failed"))
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
        self.assertEqual(self.code(number), ("invalid_number", "ofono InvalidFormat"))
        self.modem.refused.add(f"+CTFR={CARL[1:]},145")
        number = self.asked("deflect", call, to={"type": "phone", "value": CARL})
        self.assertEqual(self.code(number), ("app_refused", "ofono Failed"))
        self.done(self.asked("answer", call))   # it rings on

    def test_a_deflection_that_is_taken_back_before_the_modem_has_done_it(self):
        call, take = self.incoming(ANN), self.modem.take
        asked, taken_back = threading.Event(), threading.Event()

        def take_later(command):
            if command.startswith("AT+CTFR="):
                asked.set()
                taken_back.wait(lab.CEILING)
            take(command)
        self.modem.take = take_later
        number = self.asked("deflect", call, to={"type": "phone", "value": CARL})
        self.assertTrue(asked.wait(lab.CEILING))
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)
        taken_back.set()
        self.assertEqual(self.peer.read("call.end")["params"], {"call": call})

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
        self.ofono.method("Dial", "string:" + ANN, "string:")
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
        for number, reason, code in (("Ann", "invalid_number", "ofono InvalidFormat"),
                                     (ANN, "app_refused", "ofono Failed")):
            with self.subTest(number=number):
                self.asked("start", "c" + number, remote={"type": "phone", "value": number})
                self.assertEqual(self.peer.read()["error"]["data"],
                                 {"reason": reason, "app_code": code})

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

    def test_a_ring_that_ofono_has_not_heard_is_followed_by_another(self):
        """As when it comes while ofono begins."""
        say, lost = self.modem.say, []

        def say_all_but_the_first(*lines):
            if lines[0].startswith("+CRING") and not lost:
                lost.append(lines)
            else:
                say(*lines)
        self.modem.say = say_all_but_the_first
        self.incoming(ANN)
        self.assertEqual(len(lost), 1)

    def test_what_happens_at_the_modem_itself(self):
        """Its user has another program, too."""
        first = self.incoming(ANN)
        self.ofono.method("Answer", path="/phonesim/voicecall01", interface="VoiceCall")
        self.assertEqual(self.taken("call.report_connected"), {"call": first})
        for held in (True, False):
            self.ofono.method("SwapCalls")
            self.assertEqual(self.taken("call.report_held"), {"call": first, "held": held})
        second = self.incoming(BOB)
        self.ofono.method("HoldAndAnswer")
        self.assertEqual(self.taken("call.report_held"), {"call": first, "held": True})
        self.assertEqual(self.taken("call.report_connected"), {"call": second})
        self.ofono.method("CreateMultiparty")
        self.assertEqual(self.taken("call.report_group"), {"call": second, "with": first})
        self.assertEqual(self.taken("call.report_held"), {"call": first, "held": False})
        self.ofono.method("Hangup", path="/phonesim/voicecall01", interface="VoiceCall")
        end = self.peer.read("call.end")
        self.assertEqual(end["params"], {"call": first})
        self.peer.reply(end)

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

    def test_the_modem_is_switched_off_and_on(self):
        self.answered(ANN)
        self.ofono.method("SetProperty", "string:Powered", "variant:boolean:false",
                          interface="Modem")
        while (frame := self.peer.read())["method"] != "provider.unregister":
            self.assertEqual(frame["method"], "call.report_ended")
            self.peer.reply(frame)
        self.peer.reply(frame)
        self.peer.read("broker.goodbye")
        self.modem.calls.clear()
        self.assertEqual(self.register()["calls"], [])      # --power switches it on
        self.answered(BOB)

    def test_ofono_is_killed_and_comes_back(self):
        self.answered(ANN)
        self.ofono.kill()
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.modem.calls.clear()
        self.ofono.start()
        self.assertEqual(self.register()["calls"], [])
        self.answered(BOB)


class LineTests(AskingTests):
    """A modem with a SIM card, at a network."""

    LINE = {"line": "/phonesim", "label": "Testnet", "default": True, "state": "registered",
            "messages_waiting": 3, "voicemail": {"type": "phone", "value": "+15550199"}}

    def setUp(self):
        super().setUp()
        self.modem = lab.Modem(self, lab.SIM)
        self.ofono = lab.Ofono(self, self.folder, self.modem)
        self.program = lab.provider(self, self.folder, self.ofono, self.broker.path, IDENTITY,
                                    "--power")
        self.peer = self.broker.accept()
        self.peer.greet()
        register = self.peer.read("provider.register")
        self.peer.reply(register, {"provider": IDENTITY, "calls": [], "dropped": []})
        [self.line] = register["params"]["lines"]
        self.becomes(**self.LINE, settings=self.SETTINGS)

    def becomes(self, **members):
        """The line, after as many updates as it takes: ofono reads card and network bit by bit."""
        while {**self.line, **members} != self.line:
            [self.line] = self.taken("provider.update")["lines"]

    def test_the_line_follows_the_network(self):
        for status, state in ((3, "failed"), (2, "registering"), (0, "off"), (5, "registered")):
            self.modem.registers(status)
            self.becomes(state=state)
            self.assertEqual(self.line.get("reason"), "denied" if status == 3 else None)

    def test_calls_have_the_line(self):
        self.modem.rings(ANN)
        report = self.taken("call.report_incoming", line="/phonesim")
        self.done(self.asked("end", report["call"]))
        remote = {"type": "phone", "value": BOB}
        self.failed(self.asked("start", "c1", remote=remote, line="/other"), "unknown_line")
        self.asked("start", "c2", remote=remote, line="/phonesim")
        self.peer.read("broker.progress")
        self.modem.far_end(BOB, lab.ALERTING)
        self.taken("call.report_update", call="c2")
        self.taken("call.report_alerting", call="c2")


    OFF = [{"setting": f"forward_{when}", "on": False}
           for when in ("always", "busy", "no_reply", "unreachable")]
    SETTINGS = OFF + [{"setting": "call_waiting", "on": True},
                      {"setting": "caller_id_hidden", "on": False}]

    def settings_but(self, **changed):
        """All settings at first, with these changed."""
        return [{**setting, **changed.get(setting["setting"], {})} for setting in self.SETTINGS]

    def change(self, setting, on, **values):
        self.actions += 1
        self.peer.send({"id": self.actions, "method": "line.change_setting", "params": {
            "line": "/phonesim", "setting": setting, "on": on, "deadline_ms": 60_000, **values}})
        return self.actions

    def test_forwarding_is_turned_on_and_off(self):
        to = {"type": "phone", "value": CARL}
        number = self.change("forward_no_reply", True, to=to, after_ms=10_000)
        self.becomes(settings=self.settings_but(
            forward_no_reply={"on": True, "to": to, "after_ms": 10_000}))
        self.done(number)
        self.assertEqual(self.modem.forwarding[2], (CARL[1:], 10))
        number = self.change("forward_no_reply", False)
        self.becomes(settings=self.SETTINGS)
        self.done(number)
        self.assertEqual(self.modem.forwarding[2], lab.ERASED)

    def test_call_waiting_and_the_hidden_number(self):
        number = self.change("call_waiting", False)
        self.becomes(settings=self.settings_but(call_waiting={"on": False}))
        self.done(number)
        self.assertFalse(self.modem.call_waiting)
        number = self.change("caller_id_hidden", True)
        self.becomes(settings=self.settings_but(call_waiting={"on": False},
                                                caller_id_hidden={"on": True}))
        self.done(number)
        self.assertEqual(self.modem.hides_number, 1)

    def test_a_change_that_the_network_refuses(self):
        self.modem.refused.add("CCFC=1,3")
        number = self.change("forward_busy", True, to={"type": "phone", "value": CARL})
        self.failed(number, "app_refused")
        self.assertEqual(self.modem.forwarding[1], lab.ERASED)

    def test_another_program_changes_a_setting(self):
        self.ofono.method("SetProperty", "string:VoiceBusy", "variant:string:" + BOB,
                          interface="CallForwarding")
        self.becomes(settings=self.settings_but(
            forward_busy={"on": True, "to": {"type": "phone", "value": BOB}}))


class TwoModemsTests(AskingTests):
    """The path of one begins with that of the other."""

    def test_a_call_of_another_modem_is_not_reported(self):
        modem, other = lab.Modem(self), lab.Modem(self)
        self.ofono = lab.Ofono(self, self.folder, modem, phonesim0=other)
        lab.provider(self, self.folder, self.ofono, self.broker.path, IDENTITY,
                     "--modem", "/phonesim", "--power")
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        self.ofono.method("SetProperty", "string:Powered", "variant:boolean:true",
                          path="/phonesim0", interface="Modem")
        lab.wait_until("the other modem makes no calls", lambda: "org.ofono.VoiceCallManager" in
                       self.ofono.method("GetProperties", path="/phonesim0", interface="Modem"))
        other.rings(BOB)
        lab.wait_until("the other modem does not ring",
                       lambda: BOB in self.ofono.method("GetCalls", path="/phonesim0"))
        modem.rings(ANN)
        self.assertEqual(self.taken("call.report_incoming")["remote"],
                         {"type": "phone", "value": ANN})


class LinePropertyTests(unittest.TestCase):
    """What is made of the properties of ofono's interfaces."""

    def test_all_that_there_is(self):
        self.assertEqual(line_of("/m", {
            MODEM: {"Name": "Nokia"}, NETWORK: {"Name": "Testnet", "Status": "roaming"},
            MESSAGES: {"VoicemailWaiting": True, "VoicemailMessageCount": 2,
                       "VoicemailMailboxNumber": "333"},
            SIM: {"SubscriberNumbers": ["+15550100"]}}), {
                "line": "/m", "label": "Testnet", "default": True, "state": "registered",
                "handle": {"type": "phone", "value": "+15550100"}, "messages_waiting": 2,
                "voicemail": {"type": "phone", "value": "333"}})

    def test_labels_and_messages(self):
        nothing = {"VoicemailWaiting": False, "VoicemailMessageCount": 2,
                   "VoicemailMailboxNumber": ""}
        line = line_of("/m", {MODEM: {"Name": "Nokia"}, NETWORK: {"Name": ""}, MESSAGES: nothing})
        self.assertEqual((line["label"], line["messages_waiting"], line["state"]),
                         ("Nokia", 0, "off"))
        self.assertNotIn("voicemail", line)
        unknown = {MESSAGES: {"VoicemailWaiting": True, "VoicemailMessageCount": 0}}
        self.assertEqual(line_of("/m", unknown)["messages_waiting"], 1)

    def test_a_signal_that_comes_while_the_properties_are_read_is_newer(self):
        about, asked = About(), []

        async def properties(interface):
            asked.append(interface)
            if interface == SIM and asked.count(SIM) == 1:
                about.changed(NETWORK, "Status", "registered")
            status = "registered" if SIM in asked else "searching"
            return {"Status": status} if interface == NETWORK else {}
        asyncio.run(about.read(properties))
        self.assertEqual(about.line("/m")["state"], "registered")
        about.changed(NETWORK, "Status", "denied")
        self.assertEqual(about.line("/m")["reason"], "denied")

    def test_states(self):
        for status, state in (("registered", "registered"), ("searching", "registering"),
                              ("denied", "failed"), ("unregistered", "off"),
                              ("unknown", "registering"), ("x", "registering")):
            self.assertEqual(line_of("/m", {NETWORK: {"Status": status}})["state"], state)


class LineSettingTests(unittest.TestCase):
    """What is made of the properties of ofono, and of changes."""

    def test_nothing_is_known_of_what_the_network_does_not_say(self):
        self.assertEqual(settings_of({}), [])
        self.assertEqual(settings_of({CALLS: {"VoiceCallWaiting": "disabled"}}),
                         [{"setting": "call_waiting", "on": False}])

    def test_a_number_that_the_subscription_hides(self):
        for chosen, restriction, is_hidden in (
                ("default", "permanent", True), ("default", "off", False), ("default", None, False),
                ("disabled", "temporary", False), ("enabled", "off", True)):
            with self.subTest(chosen=chosen, restriction=restriction):
                self.assertEqual(
                    settings_of({CALLS: {"HideCallerId": chosen,
                                         "CallingLineRestriction": restriction}}),
                    [{"setting": "caller_id_hidden", "on": is_hidden}])

    def test_times_are_those_that_networks_take(self):
        for after_ms, seconds in ((400, 1), (20_400, 20), (90_000, 30)):
            with self.subTest(after_ms=after_ms):
                self.assertEqual(writes({
                    "setting": "forward_no_reply", "on": True, "after_ms": after_ms,
                    "to": {"type": "phone", "value": ANN}}), [
                        (FORWARDING, "VoiceNoReply", "s", ANN),
                        (FORWARDING, "VoiceNoReplyTimeout", "q", seconds)])

    def test_a_signal_during_the_reading_is_newer(self):
        settings = Settings()

        async def properties(interface):
            settings.changed(CALLS, "VoiceCallWaiting", "disabled")
            return {"VoiceCallWaiting": "enabled"} if interface == CALLS else {}
        asyncio.run(settings.read(properties))
        self.assertEqual(settings.list(), [{"setting": "call_waiting", "on": False}])


class WaitingTests(AskingTests):
    """There is no modem that can make calls."""

    def setUp(self):
        super().setUp()
        self.modem = lab.Modem(self)
        self.ofono = lab.Ofono(self, self.folder, self.modem)

    def start(self, *options, **environment):
        return lab.provider(self, self.folder, self.ofono, self.broker.path, IDENTITY, *options,
                            **environment)

    def test_a_modem_that_is_switched_off_is_named_and_waited_for(self):
        self.start().wait_for("the modem /phonesim is switched off; switch it on, or let this "
                              "program do it: --power, for a plugin callbroker plugin set "
                              "ofono power true\n")
        self.ofono.method("SetProperty", "string:Powered", "variant:boolean:true",
                          interface="Modem")
        self.assertEqual(self.broker.accept().greet_provider()["params"]["calls"], [])

    def test_the_option_of_the_plugin_switches_it_on(self):
        self.start(BROKER_OPTIONS='{"power":true}')
        self.assertEqual(self.broker.accept().greet_provider()["params"]["calls"], [])

    def test_another_modem_than_there_is(self):
        self.start("--modem", "/other", "--power").wait_for(
            "ofono has no modem /other, but /phonesim; choose one with --modem")

    def test_no_ofono(self):
        self.ofono.kill()
        program = self.start("--power")
        program.wait_for("waiting for ofono (NameHasNoOwner: ")
        self.ofono.start()
        self.assertEqual(self.broker.accept().greet_provider()["params"]["calls"], [])
        self.assertEqual(program.said().count("systemctl start ofono"), 1)


class TextTests(unittest.TestCase):
    def test_why_a_call_ended(self):
        """The simulated modem has no network that fails."""
        self.assertEqual([ended(reason) for reason in ("remote", "network", "", "x_new")], [
            ("remote_ended", {}), ("failed", {"reason": "network_error"}), ("failed", {}),
            ("failed", {})])


class ProgramTests(unittest.TestCase):
    def test_the_manifest(self):
        with open(os.path.join(lab.PLUGIN, "org.callbroker.ofono.plugin.json"),
                  encoding="utf-8") as file:
            manifest = json.load(file)
        program = os.path.join(lab.PLUGIN, manifest["exec"][0])
        self.assertTrue(os.access(program, os.X_OK))
        self.assertEqual(manifest["transport"], "connect")


if __name__ == "__main__":
    unittest.main()
