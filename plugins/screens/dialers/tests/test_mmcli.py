"""What mmcli, ModemManager's own program, shows and does, with scripted apps."""
import unittest

import lab
from callbroker import Admin, Failed, generic

ANN, BOB = "+15550101", "+15550102"


class MmcliTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self)
        self.app = self.desk.app()

    def talking(self, app=None, number=ANN):
        """A call that was answered."""
        call = self.desk.rings(app or self.app, number)
        self.desk.user.answer(call, wait="completed").result(lab.CEILING)
        return call

    def held_and_active(self):
        """Two calls of the app."""
        first, second = self.talking(), self.talking(number=BOB)
        self.desk.wait_to_list(call_0="incoming (held)", call_1="incoming (active)")
        return first, second

    # ---- The modem

    def test_the_modem_is_listed_with_its_card(self):
        self.assertIn("/org/freedesktop/ModemManager1/Modem/0 [CallBroker] CallBroker",
                      self.desk.done("-L"))
        shown = self.desk.done("-m", "0")
        for words in ("state: registered", "operator name: CallBroker", "registration: home"):
            self.assertIn(words, shown)
        self.assertNotIn("WARNING", shown + self.desk.done("-i", "0"))
        self.assertIn("emergency only: no", self.desk.done("-m", "0", "--voice-status"))

    def test_the_numbers_of_lines_are_those_of_the_modem(self):
        self.app.update(lines=[{"line": "1", "label": "Home", "handle": {
            "type": "phone", "value": "+15550199"}}]).result(lab.CEILING)
        lab.wait_until(lambda: self.desk.done("-m", "0"),
                       lambda: "own: +15550199" in self.desk.done("-m", "0"))

    def test_what_has_no_meaning_for_calls_is_refused(self):
        self.assertIn("no radio", self.desk.refusal("-m", "0", "--reset"))

    # ---- A call

    def test_an_incoming_call_is_listed_answered_and_hung_up(self):
        call = self.desk.rings(self.app)
        self.desk.wait_to_list(call_0="incoming (ringing-in)")
        self.assertIn("number: " + ANN, self.desk.done("-o", "0"))
        self.desk.done("-o", "0", "--accept")
        self.desk.wait_for(call, "active")
        self.desk.wait_to_list(call_0="incoming (active)")
        self.desk.done("-o", "0", "--hangup")
        self.assertEqual([kind for kind, *_ in self.desk.performed], ["answer", "end"])
        self.desk.wait_to_list(call_0="incoming (terminated)")
        self.desk.wait_to_list()                # no dialer has deleted it

    def test_a_call_is_created_started_and_deleted(self):
        created = self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.assertIn("/Call/0", created)
        self.desk.wait_to_list(call_0="outgoing (unknown)")
        self.assertEqual(self.desk.user.calls, {})
        self.desk.done("-o", "0", "--start")
        call = self.desk.only_call()
        self.assertEqual(call["remote"], {"type": "phone", "value": BOB})
        self.desk.wait_to_list(call_0="outgoing (dialing)")
        self.app.report_alerting(call["call"]).result(lab.CEILING)
        self.desk.wait_to_list(call_0="outgoing (ringing-out)")
        self.app.report_connected(call["call"]).result(lab.CEILING)
        self.desk.wait_to_list(call_0="outgoing (active)")
        self.desk.done("-m", "0", "--voice-delete-call=0")
        self.desk.wait_for_action("end", call["call"])
        self.desk.wait_to_list()

    def test_an_address_is_called(self):
        self.desk.done("-m", "0", "--voice-create-call=number=sip:ann@example.org")
        self.desk.done("-o", "0", "--start")
        call = self.desk.only_call()
        self.assertEqual(call["remote"]["value"], "sip:ann@example.org")

    def test_tones_are_sent(self):
        call = self.talking()
        self.app.on_action("play_dtmf")(lambda action: self.desk.performed.append(
            ("play_dtmf", call, action.arguments)))
        self.desk.wait_to_list(call_0="incoming (active)")
        self.desk.done("-o", "0", "--send-dtmf=5")
        self.assertEqual(self.desk.performed[-1][2]["digits"], "5")

    def test_a_ringing_call_is_sent_elsewhere(self):
        sent = []
        self.app.on_action("deflect")(lambda action: sent.append(action.arguments["to"]))
        self.desk.rings(self.app, supports_deflect=True)
        self.desk.wait_to_list(call_0="incoming (ringing-in)")
        self.desk.done("-o", "0", f"--deflect={BOB}")
        self.assertEqual(sent, [{"type": "phone", "value": BOB}])
        self.desk.wait_to_list(call_0="incoming (terminated)")
        self.assertIn("reason: deflected", self.desk.done("-o", "0"))

    # ---- Several calls

    def test_hold_and_accept_answers_swaps_holds_and_resumes(self):
        first = self.talking()
        second = self.desk.rings(self.desk.app("org.example.other", "Other phone"), BOB)
        self.desk.wait_to_list(call_0="incoming (active)", call_1="incoming (waiting)")
        for states in (("held", "active"), ("active", "held")):
            self.desk.done("-m", "0", "--voice-hold-and-accept")
            for call, state in zip((first, second), states):
                self.desk.wait_for(call, state)
        self.desk.done("-o", "0", "--hangup")
        self.desk.wait_for(first, None)
        self.desk.wait_to_have(call_1="incoming (active)")      # the broker resumes it
        for state in ("held", "active"):
            self.desk.done("-m", "0", "--voice-hold-and-accept")
            self.desk.wait_for(second, state)

    def test_hang_up_and_accept_answers_or_resumes(self):
        first = self.talking()
        second = self.desk.rings(self.app, BOB)
        self.desk.wait_to_list(call_0="incoming (active)", call_1="incoming (waiting)")
        self.desk.done("-m", "0", "--voice-hangup-and-accept")
        self.desk.wait_for(first, None)
        self.desk.wait_for(second, "active")
        third = self.talking(number=ANN)
        self.desk.wait_to_have(call_1="incoming (held)", call_2="incoming (active)")
        self.desk.done("-m", "0", "--voice-hangup-and-accept")
        self.desk.wait_for(third, None)
        self.desk.wait_for(second, "active")

    def test_hang_up_all_ends_every_call(self):
        calls = [*self.held_and_active(), self.desk.rings(self.app, "+15550103")]
        self.desk.wait_to_have(call_2="incoming (waiting)")
        self.desk.done("-m", "0", "--voice-hangup-all")
        for call in calls:
            self.desk.wait_for(call, None)
        self.desk.wait_to_list()

    def test_calls_are_joined_and_separated(self):
        self.app.on_action("set_group")(lambda action: None)
        first, second = self.held_and_active()
        self.desk.done("-o", "0", "--join-multiparty")
        lab.wait_until(lambda: self.desk.user.calls, lambda: len(
            {self.desk.user.calls[call]["group"] for call in (first, second)}) == 1)
        self.desk.wait_to_list(call_0="incoming (active)", call_1="incoming (active)")
        for number in ("0", "1"):
            lab.wait_until(f"call {number} is joined", lambda each=number:
                           "multiparty: yes" in self.desk.done("-o", each))
        self.desk.done("-o", "1", "--leave-multiparty")
        self.desk.wait_to_list(call_0="incoming (held)", call_1="incoming (active)")
        for number in ("0", "1"):
            lab.wait_until(f"call {number} is alone", lambda each=number:
                           "multiparty: no" in self.desk.done("-o", each))

    def test_the_parties_of_two_calls_are_joined_with_each_other(self):
        joined = []
        self.app.on_action("attended_transfer")(lambda action: joined.append(
            (action.call, action.arguments["with"])))
        first, second = self.held_and_active()
        for call in (first, second):
            self.app.report_update(call, supports_attended_transfer=True).result(lab.CEILING)
        self.desk.done("-m", "0", "--voice-transfer")
        self.assertEqual(joined, [(second, first)])
        self.desk.wait_to_list(call_0="incoming (terminated)", call_1="incoming (terminated)")
        self.assertIn("reason: transferred", self.desk.done("-o", "0"))

    def test_many_calls(self):
        self.desk.entered(Admin("admin", socket=self.desk.broker.path)).set_policy(
            limits={"held_groups": 100}).result(lab.CEILING)
        apps = [self.desk.app(f"org.example.app{number}", f"App {number}", max_call_groups=8)
                for number in range(5)]
        for app in apps:
            for _ in range(4):
                self.talking(app)
        wanted = {f"call_{number}": "incoming (held)" for number in range(20)}
        self.desk.wait_to_list(**{**wanted, "call_19": "incoming (active)"})
        self.desk.done("-m", "0", "--voice-hold-and-accept")
        self.desk.wait_to_list(**{**wanted, "call_18": "incoming (active)"})
        self.desk.done("-m", "0", "--voice-hangup-all")
        self.desk.wait_to_list()

    # ---- Call waiting

    def test_call_waiting_is_that_of_the_lines(self):
        self.assertIn("Unsupported", self.desk.refusal("-m", "0", "--voice-query-call-waiting"))
        self.app.update(lines=[self.line(on=True)]).result(lab.CEILING)

        @self.app.on_change_setting
        def change(_, setting):
            self.app.update(lines=[self.line(setting["on"])])

        lab.wait_until("the setting", lambda: self.desk.mmcli(
            "-m", "0", "--voice-query-call-waiting")[1] == 0)
        self.desk.done("-m", "0", "--voice-disable-call-waiting")
        lab.wait_until("it is off", lambda: "disabled" in self.desk.done(
            "-m", "0", "--voice-query-call-waiting"))

    @staticmethod
    def line(on):
        return {"line": "1", "label": "Home", "settings": [{"setting": "call_waiting", "on": on}]}

    # ---- Refusals

    def test_what_the_broker_refuses_is_refused(self):
        self.talking()
        self.desk.wait_to_list(call_0="incoming (active)")
        for verb, error in (("--join-multiparty", "WrongState"),
                            ("--deflect=" + BOB, "WrongState")):
            self.assertIn(error, self.desk.refusal("-o", "0", verb), verb)
        self.assertIn("WrongState", self.desk.refusal("-m", "0", "--voice-transfer"))

    def test_what_an_app_refuses_is_refused_in_its_words(self):
        def refuse(_):
            raise Failed(message="Busy Here", app_code="SIP 486")
        self.app.on_action("start")(refuse)
        self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.assertIn("Busy Here", self.desk.refusal("-o", "0", "--start"))
        self.desk.wait_to_list(call_0="outgoing (terminated)")
        self.assertIn("reason: refused-or-busy", self.desk.done("-o", "0"))

    def test_without_an_app_a_start_fails(self):
        self.app.unregister().result(lab.CEILING)
        self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.assertIn("Core.", self.desk.refusal("-o", "0", "--start"))
        self.desk.wait_to_list(call_0="outgoing (terminated)")
        self.desk.wait_to_list()

    def test_what_is_no_number_is_not_created(self):
        self.assertIn("InvalidArgs", self.desk.refusal(
            "-m", "0", "--voice-create-call=number=nobody"))
        self.desk.wait_to_list()

    def test_a_call_is_started_once(self):
        self.desk.done("-m", "0", f"--voice-create-call=number={BOB}")
        self.assertIn("WrongState", self.desk.refusal("-o", "0", "--accept"))
        self.desk.done("-o", "0", "--start")
        self.assertIn("WrongState", self.desk.refusal("-o", "0", "--start"))

    def test_a_caller_without_a_number_and_one_with_an_address(self):
        self.app.report_incoming(lab.new_id(), generic("gate")).result(lab.CEILING)
        self.desk.wait_to_list(call_0="incoming (ringing-in)")
        self.assertIn("number: gate", self.desk.done("-o", "0"))


if __name__ == "__main__":
    unittest.main()
