"""A real GNOME Calls on a virtual screen, whose buttons are pressed; real telephones, and scripted
apps where several calls are needed at once."""
import unittest

import lab


class GnomeCallsTests(unittest.TestCase):
    def setUp(self):
        self.desk = lab.Desk(self)
        self.desk.start_screen()
        self.desk.start_session()
        self.dialer = self.desk.start_gnome_calls()

    def telephone(self, name):
        """A baresip that is an app of the broker."""
        telephone = lab.Baresip(self, self.desk.folder, name)
        lab.baresip_provider(self, self.desk.folder, telephone, self.desk.broker.path,
                             "org.example." + name).wait_for("attached")
        return telephone

    def called(self, telephone, name):
        """Somebody calls the telephone; the call's id, and the caller."""
        caller = lab.Caller(self, self.desk.folder, name, telephone)
        calls = self.desk.user.calls
        call = lab.wait_until(lambda: f"a call of {name}", lambda: next(
            (call["call"] for call in list(calls.values()) if call.get("display_name") == name),
            None))
        return call, caller

    def test_a_call_of_baresip_is_answered_and_hung_up_by_buttons(self):
        call, caller = self.called(self.telephone("ann"), "carol")
        self.desk.press("blue")
        self.desk.wait_for(call, "active")
        self.desk.wait_to_see("blue", False)    # the red one is where it stays now
        lab.wait_until(caller.logged, lambda: caller.logged() == ["answered"])
        self.desk.press("red")
        self.desk.wait_for(call, None)
        self.assertEqual(caller.wait(), 0, caller.said())
        self.desk.wait_to_list()

    def test_a_second_call_waits_and_is_answered_by_its_button(self):
        first, carol = self.called(self.telephone("ann"), "carol")
        self.desk.press("blue")
        self.desk.wait_for(first, "active")
        self.desk.wait_to_see("blue", False)    # the next one is the second call's
        second, dave = self.called(self.telephone("bob"), "dave")
        self.desk.press("blue")
        self.desk.wait_for(second, "active")
        self.desk.wait_for(first, "held")
        self.desk.wait_to_see("blue", False)
        self.desk.press("red")
        self.desk.wait_for(second, None)
        self.desk.wait_for(first, "active")
        self.desk.user.end(first, wait="completed").result(lab.CEILING)
        self.assertEqual([each.wait() for each in (carol, dave)], [0, 0])
        self.assertEqual(carol.logged(), ["answered", "a=sendonly", "a=sendrecv"])
        self.assertEqual(dave.logged(), ["answered"])

    def talking(self, app, number):
        call = self.desk.rings(app, number)
        self.desk.user.answer(call, wait="completed").result(lab.CEILING)
        return call

    def test_a_number_is_dialed(self):
        app = self.desk.app()
        missed = self.desk.rings(app)
        self.desk.wait_to_see("blue")           # it knows the modem
        app.report_ended(missed, "remote_ended").result(lab.CEILING)
        self.desk.wait_to_list()
        self.desk.output("gnome-calls", "--dial", "+15550102")
        lab.wait_until("a call", lambda: self.desk.user.calls)
        (call,) = self.desk.user.calls.values()
        self.assertEqual((call["direction"], call["remote"]["value"]), ("outgoing", "+15550102"))
        app.report_connected(call["call"]).result(lab.CEILING)
        self.desk.press("red")
        self.desk.wait_for(call["call"], None)

    def test_it_shows_the_calls_again_after_each_has_been_away(self):
        app = self.desk.app()
        calls = [self.talking(app, "+15550101"), self.talking(app, "+15550102")]
        self.dialer.kill()
        self.desk.wait_to_list(call_0="incoming (held)", call_1="incoming (active)")
        self.dialer = self.desk.start_gnome_calls("again")
        self.desk.wait_to_see("red")
        app.reconcile(lambda: [{"call": call, "direction": "incoming", "state": state,
                                "remote": lab.phone("+15550101")}
                               for call, state in zip(calls, ("held", "active"))])
        self.desk.broker.kill()
        self.desk.wait_to_see("red", False)
        self.desk.broker.start()
        self.desk.wait_to_list(call_2="incoming (held)", call_3="incoming (active)")
        self.desk.wait_for_app(calls[1])
        self.desk.press("red")
        lab.wait_until(self.desk.listed, lambda: len(self.desk.user.calls) == 1)
        (left,) = self.desk.user.calls
        self.desk.user.end(left, wait="completed").result(lab.CEILING)
        self.desk.wait_to_see("red", False)
        self.assertEqual([kind for kind, *_ in self.desk.performed].count("end"), 2)


if __name__ == "__main__":
    unittest.main()
