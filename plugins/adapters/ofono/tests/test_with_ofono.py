"""The program with a real ofonod, a simulated modem as the network, and a scripted broker."""
import asyncio
import json
import os
import threading
import unittest

import lab
from asking import AskingTests
from calls import ANN, BOB, CARL, IDENTITY, AbilityTests, CallTests, ModemTests
from line_settings import CALLS, FORWARDING, Settings, settings_of, writes
import ofono
from service import Refused
from line import MESSAGES, MODEM, NETWORK, SIM, About, line_of
from voice import ended


class OfonoTests(CallTests, AbilityTests, ModemTests):
    title, options, tells_who_hung_up = "ofono", ("--power",), True
    lines = [{"line": "/phonesim", "label": "/phonesim", "default": True, "state": "off"}]

    def serve(self):
        self.modem = lab.Modem(self)
        self.ofono = lab.Ofono(self, self.folder, self.modem)
        self.bus = self.ofono

    def another(self, member, call=None):
        if call is None:
            self.ofono.method(member)
        else:
            self.ofono.method(member, path=f"/phonesim/voicecall{call:02}", interface="VoiceCall")

    def dials_elsewhere(self, number):
        self.ofono.method("Dial", "string:" + number, "string:")

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

    def test_the_modem_is_switched_off_and_on(self):
        self.answered(ANN)
        self.ofono.method("SetProperty", "string:Powered", "variant:boolean:false",
                          interface="Modem")
        while (frame := self.peer.read())["method"] != "provider.unregister":
            self.assertEqual(frame["method"], "call.report_ended")
            self.peer.reply(frame)
        self.modem.calls.clear()                # before it is switched on again
        self.peer.reply(frame)
        self.peer.read("broker.goodbye")
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

    DEADLINE_MS = 60_000                        # for a busy machine
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
        self.skip_repeated(self.peer.read)

    def skip_repeated(self, read):
        """Updates that waited for the session repeat what was registered with it: they are no news."""
        def news(method=None):
            frame = read()
            while frame.get("method") == "provider.update" and frame["params"]["lines"] == [self.line]:
                self.peer.reply(frame)
                frame = read()
            self.assertIn(method, (None, frame.get("method")))
            return frame
        self.peer.read = news

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

    def test_a_modem_that_answers_somebody_else_is_asked_again(self):
        class BusyOfono(ofono.Ofono):
            replies = iter([Refused("InProgress", "Operation already in progress"),
                            Refused("InProgress", "Operation already in progress"),
                            [{"HideCallerId": "enabled"}], Refused("UnknownMethod", "none")])

            async def _call(self, *_):
                reply = next(self.replies)
                if isinstance(reply, Refused):
                    raise reply
                return reply

        async def asked():
            service = BusyOfono(lambda *_: None)
            return [await service.properties(CALLS) for _ in range(2)]
        self.assertEqual(asyncio.run(asked()), [{"HideCallerId": "enabled"}, {}])

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
