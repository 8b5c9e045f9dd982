"""The program with PipeWire's Bluetooth telephony, and with ModemManager: mocks on a real bus. The
same tests as with ofono, and what is their own."""
import os
import sys
import threading
import unittest

import lab
from asking import AskingTests
from calls import ANN, BOB, CARL, IDENTITY, AbilityTests, CallTests, ModemTests
from mock_modem_manager import (AUDIO, DISABLED, ENDED, GSM, MODEM, PROPERTIES, REFUSED_OR_BUSY,
                                REGISTERED, ModemManagerMock)
from mock_pipewire import PipeWireMock
from dbus_fast import Variant
from voice import ended

LOCKED = 2                                      # MMModemState
DIALERS = os.path.join(lab.PLUGIN, "..", "..", "screens", "dialers", "dialers.py")
QUESTIONS = 3                                   # about the line: of Modem, Modem3gpp, Modem
MM_PATH = ModemManagerMock.modem


class PipeWireTests(CallTests, ModemTests):
    title, display_name, options = "PipeWire", "Mobile phone", ("--service", "pipewire")
    ability = {"supports_ungrouping": False}
    lines = [{"line": PipeWireMock.modem, "label": "Mobile phone", "default": True,
              "state": "registered"}]

    def serve(self):
        self.bus = lab.Bus(self, self.folder)
        self.modem = PipeWireMock(self, self.bus.address)
        self.another, self.dials_elsewhere = self.modem.another_program, (
            lambda number: self.modem.dial("", number))

    def test_a_conference_is_made_and_never_split(self):
        first, second = self.two_calls()
        self.done(self.asked("set_group", second, **{"with": first}))
        self.states(ann=lab.ACTIVE, bob=lab.ACTIVE)
        self.assertIs(self.offered(("set_held", first, {"held": True}),
                                   ("set_group", second, {"with": None})), False)
        self.assertEqual(self.modem.story, ["A", "+CHLD=2", "+CHLD=3"])

    def test_calls_say_what_cannot_become_of_them(self):
        self.modem.rings(ANN)
        report = self.taken("call.report_incoming")
        self.assertEqual([report.get(f"supports_{what}") for what in (
            "attended_transfer", "deflect", "ungrouping")], [None, None, False])

    def test_the_phone_goes_out_of_reach_and_comes_back(self):
        call = self.answered(ANN)
        self.modem.connects(False)
        self.assertEqual(self.taken("call.report_ended"), {"call": call, "reason": "remote_ended"})
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.program.wait_for("bluetoothctl connect ADDRESS")
        self.modem.connects(True)
        self.assertEqual(self.register()["calls"], [])
        self.answered(BOB)


class ModemManagerTests(CallTests, AbilityTests, ModemTests):
    title, options = "ModemManager", ("--service", "modemmanager")
    no_number = ("invalid_number", "InvalidArgs")
    lines = [{"line": MM_PATH, "label": "Testnet", "default": True, "state": "registered",
              "handle": {"type": "phone", "value": "+15550100"}}]
    refusal = ("app_refused", "Busy")

    def serve(self):
        self.bus = lab.Bus(self, self.folder)
        self.modem = ModemManagerMock(self, self.bus.address)
        self.another = self.modem.another_program

    def dials_elsewhere(self, number):
        self.modem.start(self.modem.create("", {"number": Variant("s", number)}))

    def test_calls_that_are_over_are_taken_from_the_list(self):
        self.done(self.asked("end", self.incoming(ANN)))
        lab.wait_until("it is listed", lambda: not self.modem.objects)

    def test_a_call_that_another_program_deletes_is_over(self):
        call = self.incoming(ANN)
        with self.modem.lock:
            path = self.modem.path(ANN)
            self.modem.calls.clear()
            self.modem.lines.clear()
            self.modem.delete("", path)
        self.taken("call.report_ended", call=call, reason="remote_ended")

    def test_a_number_that_comes_after_the_ring(self):
        self.modem.rings("")
        report = self.taken("call.report_incoming")
        self.assertEqual(report["remote"], {"type": "generic", "value": "withheld"})
        self.modem.set_properties(self.modem.path(""), Number=BOB)
        self.assertEqual(self.taken("call.report_update"), {
            "call": report["call"], "remote": {"type": "phone", "value": BOB}})

    def test_reasons(self):
        for reason, words in ((REFUSED_OR_BUSY, ("busy", "refused or busy")),
                              (AUDIO, ("media_error", None)), (ENDED, ("call_ended", None))):
            with self.subTest(reason=reason):
                number = self.asked("start", f"c{reason}", remote={"type": "phone", "value": ANN})
                self.peer.read("broker.progress")
                self.modem.far_end(ANN, None, reason)
                error = self.peer.read()["error"]
                self.assertEqual(error["data"]["reason"], words[0], number)
                if words[1]:
                    self.assertIn(words[1], error["message"])
        for call, reason, told in (
                (self.answered(ANN), AUDIO, ("failed", {"reason": "media_error"})),
                (self.answered(ANN), REFUSED_OR_BUSY, ("remote_ended", None))):
            self.modem.far_end(ANN, None, reason)
            report = self.taken("call.report_ended", call=call)
            self.assertEqual((report["reason"], report.get("end_detail")), told)

    def test_a_call_that_was_there_before_has_its_direction(self):
        call = self.answered(ANN)
        self.program.kill()
        os.remove(os.path.join(self.folder, IDENTITY + ".json"))
        self.attach()
        [known] = self.register()["calls"]
        self.assertEqual((known["direction"], known["state"]), ("incoming", "active"))
        self.assertNotEqual(known["call"], call)

    def test_a_call_that_is_created_and_not_started_is_none(self):
        self.modem.create("", {"number": Variant("s", BOB)})
        self.incoming(ANN)

    def test_the_line_follows_the_network(self):
        for state, word, reason in ((3, "failed", "denied"), (8, "failed", "emergency_only"),
                                    (2, "registering", None), (0, "off", None),
                                    (5, "registered", None)):
            self.modem.changes(GSM, RegistrationState=Variant("u", state))
            [line] = self.taken("provider.update")["lines"]
            self.assertEqual((line["state"], line.get("reason")), (word, reason))
        self.modem.changes(MODEM, OwnNumbers=Variant("as", [CARL]))
        [line] = self.taken("provider.update")["lines"]
        self.assertEqual(line["handle"], {"type": "phone", "value": CARL})

    def test_an_emergency_number_is_dialed_where_the_network_allows_no_other(self):
        self.modem.changes(GSM, RegistrationState=Variant("u", 8))
        self.taken("provider.update")
        self.asked("start", "sos", remote={"type": "phone", "value": "112"})
        self.peer.read("broker.progress")
        self.assertEqual(self.modem.story, ["D112"])

    def test_call_waiting_is_changed(self):
        self.modem.call_waiting = True
        self.modem.has_state(REGISTERED)        # so that it is asked again
        [line] = self.taken("provider.update")["lines"]
        self.assertEqual(line["settings"], [{"setting": "call_waiting", "on": True}])
        self.peer.send({"id": 77, "method": "line.change_setting", "params": {
            "line": MM_PATH, "setting": "call_waiting", "on": False, "deadline_ms": 60_000}})
        [line] = self.taken("provider.update")["lines"]
        self.assertEqual(line["settings"], [{"setting": "call_waiting", "on": False}])
        self.assertEqual(self.peer.read()["id"], 77)
        self.assertFalse(self.modem.call_waiting)

    def test_the_modem_is_switched_off_and_on(self):
        self.answered(ANN)
        self.modem.has_state(DISABLED)
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.program.wait_for("is switched off; switch it on")


class ComingTests(AskingTests):
    """Services come and go."""

    def start(self, *options, **environment):
        self.program = lab.provider(self, self.folder, self.bus, self.broker.path, IDENTITY,
                                    *options, **environment)

    def registered(self):
        peer = self.broker.accept()
        return peer, peer.greet_provider()["params"]

    def test_a_service_that_starts_later_and_again(self):
        self.bus = lab.Bus(self, self.folder)
        for service, make, words in (
                ("pipewire", PipeWireMock, "PipeWire 1.4 or later has to run"),
                ("modemmanager", ModemManagerMock, "systemctl start ModemManager")):
            with self.subTest(service):
                self.start("--service", service)
                self.program.wait_for(words)
                modem = make(self, self.bus.address)
                peer, params = self.registered()
                self.assertEqual(params["calls"], [])
                modem.mock.stop()
                peer.reply(peer.read("provider.unregister"))
                peer.read("broker.goodbye")
                modem.mock.start()
                self.assertEqual(self.registered()[1]["calls"], [])
                self.program.stop()

    def test_a_service_that_goes_while_it_is_asked_about_the_line_changes_nothing_of_it(self):
        self.bus = lab.Bus(self, self.folder)
        modem = ModemManagerMock(self, self.bus.address)
        question, asked, registered = (PROPERTIES, "GetAll"), [], threading.Event()
        takes, gives, get_all = modem.mock.methods[question]

        def get_all_and_go(path, interface):
            asked.append(interface)
            if len(asked) == 2 * QUESTIONS:     # all are asked once before it is registered
                registered.wait(lab.CEILING)
                modem.mock.stop()
            return get_all(path, interface)
        modem.mock.methods[question] = (takes, gives, get_all_and_go)
        self.start("--service", "modemmanager")
        peer, _ = self.registered()
        registered.set()
        peer.reply(peer.read("provider.unregister"))
        peer.read("broker.goodbye")

    def test_a_modem_that_is_switched_on(self):
        self.bus = lab.Bus(self, self.folder)
        modem = ModemManagerMock(self, self.bus.address, DISABLED)
        self.start("--service", "modemmanager", "--power")
        self.registered()
        self.assertIn("Enable", modem.mock.asked)

    def test_a_modem_whose_card_is_locked_is_not_switched_on(self):
        self.bus = lab.Bus(self, self.folder)
        modem = ModemManagerMock(self, self.bus.address, LOCKED)
        self.start("--service", "modemmanager", "--power")
        self.program.wait_for("cannot make calls yet; it needs a SIM card, and that its PIN")
        self.assertNotIn("Enable", modem.mock.asked)
        modem.has_state(REGISTERED)
        self.registered()

    def test_a_service_that_there_is_not(self):
        self.bus = lab.Bus(self, self.folder)
        self.start("--service", "ofono,x")
        self.assertEqual(self.program.wait(), 2)
        self.assertIn("there is no service 'x', but ofono, pipewire, modemmanager",
                      self.program.said())


class TwoBusesTests(AskingTests):
    """A mobile phone on the session's bus, and a modem on the system's."""

    def start(self):
        self.program = lab.Program(self, self.folder, "both", [
            "/usr/bin/python3", os.path.join(lab.PLUGIN, "ofono_provider.py"), "--service",
            "modemmanager,pipewire", "--identity", IDENTITY, "--socket", self.broker.path,
            "--memory", os.path.join(self.folder, "memory.json")], environment={
                **os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.system.address,
                "DBUS_SESSION_BUS_ADDRESS": self.session.address})

    def accepted(self):
        """The connections by the identity of their providers, with the calls that they list."""
        peers, calls = {}, {}
        for _ in range(2):
            peer = self.broker.accept()
            identity = peer.greet()["params"]["identity"]
            register = peer.read("provider.register")
            peer.reply(register, {"provider": identity, "calls": [], "dropped": []})
            peers[identity], calls[identity] = peer, register["params"]["calls"]
        self.assertEqual(set(peers), {IDENTITY, IDENTITY + ".pipewire"})
        return peers, calls

    def test_each_is_a_provider_with_a_line_of_its_own_and_keeps_its_calls(self):
        self.system, self.session = (lab.Bus(self, self.folder, name)
                                     for name in ("system", "session"))
        modem = ModemManagerMock(self, self.system.address)
        phone = PipeWireMock(self, self.session.address)
        self.start()
        peers, _ = self.accepted()
        calls = {}
        for identity, rings, number, line in ((IDENTITY, modem, ANN, MM_PATH),
                                              (IDENTITY + ".pipewire", phone, BOB, phone.modem)):
            self.peer = peers[identity]
            rings.rings(number)
            report = self.taken("call.report_incoming", line=line)
            self.done(self.asked("answer", report["call"]))
            calls[identity] = report["call"]
        self.assertEqual((modem.states(), phone.states()),
                         ({ANN: lab.ACTIVE}, {BOB: lab.ACTIVE}))
        self.program.kill()
        self.start()
        listed = self.accepted()[1]
        self.assertEqual({identity: each[0]["call"] for identity, each in listed.items()}, calls)


class RealBrokerTests(unittest.TestCase):
    def setUp(self):
        self.folder, self.broker = lab.folder(self), lab.RealBroker()
        self.addCleanup(self.broker.close)
        self.bus = lab.Bus(self, self.folder)
        self.user = self.entered(lab.Controller("user", socket=self.broker.path))

    def entered(self, client):
        client.__enter__()
        self.addCleanup(client.__exit__, None, None, None)
        return client

    def start(self, services, identity=IDENTITY):
        return lab.provider(self, self.folder, self.bus, self.broker.path, identity, "--service",
                            services, "--power")

    def calls(self):
        return self.user.list_calls().result(lab.CEILING)["calls"]

    def answered(self, modem, number):
        modem.rings(number)
        call = lab.wait_until(lambda: f"{number} among {self.calls()}", lambda: next(
            (each["call"] for each in self.calls() if each["remote"]["value"] == number), None))
        self.user.answer(call, wait="completed").result(lab.CEILING)
        return call

    def test_the_call_of_the_phone_is_held_for_that_of_the_modem_and_is_resumed(self):
        modem = ModemManagerMock(self, self.bus.address)
        phone = PipeWireMock(self, self.bus.address)
        self.start("modemmanager,pipewire").wait_for("attached")
        first, second = self.answered(phone, BOB), self.answered(modem, ANN)
        self.assertEqual((phone.states(), modem.states()), ({BOB: lab.HELD}, {ANN: lab.ACTIVE}))
        self.user.end(second, wait="completed").result(lab.CEILING)
        lab.wait_until(phone.states, lambda: phone.states() == {BOB: lab.ACTIVE})
        self.user.end(first, wait="completed").result(lab.CEILING)
        self.assertEqual((phone.states(), modem.states()), ({}, {}))

    def test_the_modem_of_the_plugin_dialers_is_never_taken(self):
        """It stands for the broker's own calls."""
        lab.Program(self, self.folder, "dialers", [
            "/usr/bin/python3", DIALERS, "--verbose", "--bus", self.bus.address, "--socket",
            self.broker.path]).wait_for("the modem is there")
        program = self.start("modemmanager")
        program.wait_for("ModemManager has no modem; ")
        app = self.entered(lab.Provider("org.example.phone", "Phone", handle_types=["phone"],
                                        socket=self.broker.path))
        app.on_action("answer")(lambda action: None)
        call = lab.new_id()
        app.report_incoming(call, lab.phone(ANN)).result(lab.CEILING)
        self.user.answer(call, wait="completed").result(lab.CEILING)
        later = self.start("modemmanager", IDENTITY + ".later")
        later.wait_for("ModemManager has no modem; ")
        self.assertEqual([each["call"] for each in self.calls()], [call])
        providers = self.user.list_providers().result(lab.CEILING)["providers"]
        self.assertEqual([each["provider"] for each in providers], ["org.example.phone"])
        self.assertNotIn("attached", program.said() + later.said())


class ReasonTests(unittest.TestCase):
    def test_a_service_that_does_not_say_who_hung_up(self):
        for reason, could_talk, told in (
                ("terminated", True, ("remote_ended", {})), ("terminated", False, ("failed", {})),
                ("refused_or_busy", False,
                 ("failed", {"reason": "busy", "text": "refused or busy"}))):
            self.assertEqual(ended(reason, could_talk), told)


if __name__ == "__main__":
    sys.exit(unittest.main())
