"""Every method of the modem's calls, asked by mmcli, and what it does at the broker. The methods are
those that the modem has on the bus; one that nobody asks for fails."""
import unittest

import lab

ANN, BOB, CARL = "+15550101", "+15550102", "+15550103"
VOICE, CALL = lab.MM + ".Modem.Voice", lab.MM + ".Call"


class MethodTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self)
        self.app = self.desk.app(max_call_groups=4, max_calls_per_group=3)
        for kind in ("play_dtmf", "set_group", "attended_transfer", "deflect"):
            self.app.on_action(kind)(lambda action: self.desk.performed.append(
                (action.kind, action.call, dict(action.arguments))))

        @self.app.on_change_setting
        def change(_, setting):
            self.app.update(lines=[self.line(setting["on"])])

    @staticmethod
    def line(is_on):
        return {"line": "1", "label": "Home", "settings": [{"setting": "call_waiting", "on": is_on}]}

    def methods(self, path, interface):
        """The methods of an object, as the bus describes them."""
        shown = self.desk.output("busctl", "--address=" + self.desk.bus, "introspect", lab.MM, path,
                                 interface)
        return {words[0][1:] for words in map(str.split, shown.splitlines())
                if words[1:2] == ["method"]}

    def every(self, path, interface):
        """Runs the method of this test for each of the interface, each from a fresh beginning."""
        prefix = interface.rpartition(".")[2].lower() + "_"
        methods = self.methods(path, interface)
        self.assertGreater(len(methods), 5)
        for method in sorted(methods):
            with self.subTest(method):
                getattr(self, prefix + method)()
                self.clear()

    def clear(self):
        for call in list(self.desk.user.calls):
            self.desk.user.end(call, wait="completed").result(lab.CEILING)
        for number in self.desk.listed():
            self.desk.mmcli("-m", "0", f"--voice-delete-call={number}")
        self.desk.wait_to_list()

    def test_every_method_of_the_modem(self):
        self.every(lab.MODEM, VOICE)

    def test_every_method_of_a_call(self):
        self.rings()
        self.every(lab.ROOT_PATH + "/Call/0", CALL)

    # ---- Situations

    def rings(self, number=ANN, **update):
        """Somebody calls; the call, and the number of its object."""
        before = set(self.desk.listed())
        call = self.desk.rings(self.app, number, **update)
        (shown,) = lab.wait_until(self.desk.listed, lambda: set(self.desk.listed()) - before)
        return call, shown

    def talks(self, number=ANN, **update):
        call, shown = self.rings(number, **update)
        self.desk.user.answer(call, wait="completed").result(lab.CEILING)
        self.desk.wait_to_have(**{f"call_{shown}": "incoming (active)"})
        return call, shown

    def two(self, **update):
        """One that is held and one that talks."""
        return self.talks(ANN, **update), self.talks(BOB, **update)

    def states(self, **expected):
        lab.wait_until(lambda: self.desk.user.calls, lambda: {
            call: self.desk.state(call) for call in expected} == expected)

    def modem(self, option):
        return self.desk.done("-m", "0", option)

    def last(self, kind):
        return [each for each in self.desk.performed if each[0] == kind][-1]

    # ---- Of the modem

    def voice_ListCalls(self):
        _, shown = self.rings()
        self.assertIn(f"/Call/{shown} incoming (ringing-in)", self.modem("--voice-list-calls"))

    def voice_CreateCall(self):
        self.modem(f"--voice-create-call=number={BOB}")
        self.assertEqual(list(self.desk.listed().values()), ["outgoing (unknown)"])
        self.assertEqual(self.desk.user.calls, {})

    def voice_DeleteCall(self):
        call, shown = self.talks()
        self.modem(f"--voice-delete-call={shown}")
        self.desk.wait_for(call, None)
        self.assertEqual(self.desk.listed(), {})

    def voice_HoldAndAccept(self):
        (first, _), (second, _) = self.talks(), self.rings(BOB)
        self.modem("--voice-hold-and-accept")
        self.states(**{first: "held", second: "active"})

    def voice_HangupAndAccept(self):
        (first, _), (second, _) = self.talks(), self.rings(BOB)
        self.modem("--voice-hangup-and-accept")
        self.states(**{first: None, second: "active"})

    def voice_HangupAll(self):
        (first, _), (second, _) = self.two()
        third, _ = self.rings(CARL)
        self.modem("--voice-hangup-all")
        self.states(**dict.fromkeys((first, second, third)))

    def voice_Transfer(self):
        (first, _), (second, _) = self.two(supports_attended_transfer=True)
        self.modem("--voice-transfer")
        self.assertEqual(self.last("attended_transfer"),
                         ("attended_transfer", second, {"with": first}))
        self.states(**dict.fromkeys((first, second)))

    def voice_CallWaitingQuery(self):
        for is_on, word in ((True, "enabled"), (False, "disabled")):
            self.app.update(lines=[self.line(is_on)]).result(lab.CEILING)
            lab.wait_until(word, lambda word=word: word in self.desk.mmcli(
                "-m", "0", "--voice-query-call-waiting")[0])

    def voice_CallWaitingSetup(self):
        self.app.update(lines=[self.line(True)]).result(lab.CEILING)
        lab.wait_until("the setting", lambda: self.desk.mmcli(
            "-m", "0", "--voice-disable-call-waiting")[1] == 0)
        providers = self.desk.user.list_providers().result(lab.CEILING)["providers"]
        self.assertEqual(providers[0]["lines"][0]["settings"],
                         [{"setting": "call_waiting", "on": False}])

    # ---- Of a call

    def call_Start(self):
        self.modem(f"--voice-create-call=number={BOB}")
        (shown,) = self.desk.listed()
        self.desk.done("-o", shown, "--start")
        call = self.desk.only_call()
        self.assertEqual((call["direction"], call["remote"]["value"]), ("outgoing", BOB))

    def call_Accept(self):
        call, shown = self.rings()
        self.desk.done("-o", shown, "--accept")
        self.states(**{call: "active"})

    def call_Hangup(self):
        for call, shown in (self.rings(), self.talks()):
            self.desk.done("-o", shown, "--hangup")
            self.states(**{call: None})

    def call_Deflect(self):
        call, shown = self.rings(supports_deflect=True)
        self.desk.done("-o", shown, "--deflect=" + BOB)
        self.assertEqual(self.last("deflect"), (
            "deflect", call, {"to": {"type": "phone", "value": BOB}}))
        self.states(**{call: None})

    def call_SendDtmf(self):
        call, shown = self.talks()
        for tone in "0123456789ABCD*#":
            self.desk.done("-o", shown, "--send-dtmf=" + tone)
            self.assertEqual(self.last("play_dtmf")[1:][0], call)
            self.assertEqual(self.last("play_dtmf")[2]["digits"], tone)

    def groups(self, *calls):
        return len({self.desk.user.calls[call]["group"] for call in calls})

    def call_JoinMultiparty(self):
        (first, shown), (second, _) = self.two()
        self.desk.done("-o", shown, "--join-multiparty")
        self.states(**{first: "active", second: "active"})
        lab.wait_until(lambda: self.desk.user.calls, lambda: self.groups(first, second) == 1)
        return first, second, shown

    def call_LeaveMultiparty(self):
        first, second, shown = self.call_JoinMultiparty()
        self.desk.done("-o", shown, "--leave-multiparty")
        lab.wait_until(lambda: self.desk.user.calls, lambda: self.groups(first, second) == 2)


if __name__ == "__main__":
    unittest.main()
