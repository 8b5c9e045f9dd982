"""With a real notification server on a real screen, its buttons really pressed."""
import contextlib
import json
import queue
import signal
import threading
import unittest

from desk import (Admin, BrokerError, CEILING, Desk, Failed, RealBroker, Screen, phone,
                  wait_until)


class DesktopTests(unittest.TestCase):
    def setUp(self):
        self.desk = Desk(self)
        self.desk.start_desktop()
        self.notifier = self.desk.start_notifier("--silent", "--no-in-call")

    def test_answer(self):
        app = self.desk.app()
        call = self.desk.rings(app, display_name="Ann <b>&")
        self.desk.wait_for_cards(1)
        self.desk.wait_to_see("Ann <b>&", "Incoming call · +15550100 · Desk phone")
        self.desk.press("Answer")
        self.desk.wait_for_action("answer", call)
        self.desk.wait_for_cards(0)

    def test_setup_finds_the_server_and_its_test_call_is_answered_by_a_button(self):
        setup = self.desk.program("setup", self.desk.broker.program, "setup", "--test-call", "--json")
        self.desk.wait_to_see("Test call", "Incoming call · callbroker-setup · CallBroker setup")
        self.desk.wait_for_cards(1)
        self.desk.press("Answer")
        wait_until("the report", lambda: setup.said().endswith("}\n"))
        report = json.loads(setup.said())
        notify = next(each for each in report["plugins"] if each["name"] == "notify")
        self.assertIn(notify["state"], ("found", "enabled"))
        self.assertEqual(report["test_call"]["outcome"], "answered")
        self.assertEqual(report["test_call"]["screen"], "org.callbroker.notify")
        self.desk.wait_for_cards(0)             # nothing was missed

    def test_hold_and_answer_holds_the_other_app_first(self):
        one, other = self.desk.app(), self.desk.app("org.example.door", "Door")
        first = self.desk.rings(one)
        self.desk.user.answer(first, wait="completed").result(CEILING)
        second = self.desk.rings(other, "+15550101")
        self.desk.wait_to_see("Another call · Door", "Hold & Answer")
        self.desk.wait_for_cards(1)
        self.desk.press("Hold & Answer")
        self.desk.wait_for_action("answer", second)
        self.assertEqual(self.desk.performed,
                         [("answer", first), ("set_held", first), ("answer", second)])

    def test_decline(self):
        app = self.desk.app()
        call = self.desk.rings(app)
        self.desk.wait_for_cards(1)
        self.desk.press("Decline")
        self.desk.wait_for_action("end", call)
        self.desk.wait_for_cards(0)
        self.assertNotIn("Missed call", self.desk.seen())

    def test_several_calls_have_a_notification_each_until_they_are_answered_elsewhere(self):
        app = self.desk.app(max_call_groups=4)
        calls = [self.desk.rings(app, f"+1555010{index}") for index in range(3)]
        self.desk.wait_for_cards(3)
        app.report_ended(calls[2], "answered_elsewhere").result(CEILING)
        self.desk.wait_for_cards(2)
        self.desk.user.answer(calls[0], wait="completed").result(CEILING)
        self.desk.wait_for_cards(1)
        self.desk.wait_to_see("Hold & Answer")  # what may be done has changed, and is shown again

    def test_a_missed_call_is_called_back(self):
        app = self.desk.app()
        call = self.desk.rings(app, display_name="Ann <i>A.</i>")
        self.desk.wait_for_cards(1)
        app.report_ended(call, "unanswered").result(CEILING)
        self.desk.wait_to_see("Missed call", "Call back", "body: 'Ann &lt;i&gt;A.&lt;/i&gt;")
        self.desk.wait_for_cards(1)  # what has come is not shown yet
        self.desk.press("Call back")
        wait_until(lambda: self.desk.performed,
                   lambda: [kind for kind, _ in self.desk.performed] == ["start"])
        (started,) = self.desk.user.list_calls().result(CEILING)["calls"]
        self.assertEqual(started["remote"], {"type": "phone", "value": "+15550100"})

    def follow(self, link):
        """As the desktop does: nobody reads what the program says."""
        program = self.desk.program("link", self.desk.broker.program, "dial", "--", link)
        self.assertEqual(program.process.wait(CEILING), 1)

    def test_a_link_that_is_refused_says_why_and_the_latest_only(self):
        self.follow("tel:5%0a6")
        self.desk.wait_to_see("Nobody is called", "The address has a control character in it")
        self.follow("tel:+15550100")
        self.desk.wait_to_see("start an app that can place the call")
        self.desk.wait_for_cards(1)
        self.assertNotIn("15550100", self.desk.seen() + self.notifier.said())

    def test_a_start_and_an_answer_that_fail_say_why_and_the_latest_only(self):
        app = self.desk.app()

        def refuse(action):
            raise Failed("far_end_busy", "the other side is busy")
        app.on_start(refuse)
        app.on_answer(refuse)
        for wait in ("accepted", "completed"):
            with contextlib.suppress(BrokerError):
                self.desk.user.start(phone("+15550107"), wait=wait).result(CEILING)
            self.desk.wait_to_see("Call failed", "+15550107", "The other side is busy")
        self.follow("tel:+15550108")
        self.desk.wait_to_see("+15550108")
        self.desk.user.answer(self.desk.rings(app)).result(CEILING)
        self.desk.wait_to_see("Could not answer", "+15550100")
        self.assertNotIn("Nobody is called", self.desk.seen())
        self.assertNotIn("1555010", self.notifier.said())

    def test_a_start_that_the_network_refuses_says_why_in_our_words(self):
        app = self.desk.app()

        @app.on_start
        def refuse(action):
            raise Failed(message="Unallocated", app_code="SIP 404")
        with self.assertRaises(BrokerError):
            self.desk.user.start(phone("+15550109"), wait="completed").result(CEILING)
        self.desk.wait_to_see("Call failed", "+15550109", "No such number")
        self.assertNotIn("Unallocated", self.desk.seen())

    def test_a_link_that_is_called_leaves_nothing(self):
        self.desk.app()
        program = self.desk.program("link", self.desk.broker.program, "dial", "--", "tel:+15550100")
        self.assertEqual(program.process.wait(CEILING), 0)
        wait_until(lambda: self.desk.performed, lambda: self.desk.performed)
        self.assertNotIn("Nobody is called", self.desk.seen())

    def test_two_missed_calls_of_one_caller_are_one_notification(self):
        app = self.desk.app()
        for _ in range(2):
            app.report_ended(self.desk.rings(app), "unanswered").result(CEILING)
        self.desk.wait_to_see("2 missed calls")
        self.desk.wait_for_cards(1)

    def test_a_missed_call_that_was_seen_in_the_history_needs_no_notification(self):
        app = self.desk.app()
        app.report_ended(self.desk.rings(app), "unanswered").result(CEILING)
        self.desk.wait_for_cards(1)
        self.desk.user.request("history.mark_seen").result(CEILING)
        self.desk.wait_for_cards(0)

    def test_who_it_is_is_what_the_user_calls_them(self):
        self.desk.user.put_contact(name="Ann Ard", handles=[
            {"type": "phone", "value": "+15550100"}]).result(CEILING)
        self.desk.rings(self.desk.app(), display_name="ANN A.")
        self.desk.wait_to_see("Ann Ard", "Incoming call · +15550100 · Desk phone")

    def test_closing_the_notification_silences_the_call(self):
        app = self.desk.app()
        call = self.desk.rings(app)
        self.desk.wait_for_cards(1)
        self.desk.output("dunstctl", "close")
        wait_until("silenced", lambda: self.desk.state(call)["silenced"])
        self.assertEqual((self.desk.state(call)["state"], self.desk.cards()), ("ringing", 0))

    def test_silence_leaves_the_other_buttons(self):
        call = self.desk.rings(self.desk.app())
        self.desk.wait_for_cards(1)
        self.desk.press("Silence")
        wait_until("silenced", lambda: self.desk.state(call)["silenced"])
        self.desk.wait_for_cards(1)
        self.desk.press("Answer")
        self.desk.wait_for_action("answer", call)

    def test_what_a_button_ran_into_is_shown(self):
        one, other = self.desk.app(), self.desk.app("org.example.door", "Door")
        first = self.desk.rings(one)
        self.desk.user.answer(first, wait="completed").result(CEILING)
        refused = threading.Event()

        @one.on_set_held
        def refuse(action):
            refused.set()
            raise Failed("not_today")
        second = self.desk.rings(other, "+15550101")
        self.desk.wait_to_see("Hold & Answer")
        self.desk.wait_for_cards(1)
        self.desk.press("Hold & Answer")
        self.assertTrue(refused.wait(CEILING))
        self.desk.wait_to_see("could not be held")
        self.desk.wait_for_cards(1)
        self.assertEqual(self.desk.state(second)["state"], "waiting")

    def test_another_notification_server_shows_what_there_is(self):
        self.desk.rings(self.desk.app())
        self.desk.wait_for_cards(1)
        self.desk.dunst.stop()
        self.desk.start_dunst()
        self.desk.wait_for_cards(1)

    def test_one_screen_shows_a_call_and_the_other_when_that_one_has_gone(self):
        other = self.desk.start_notifier("--silent", "--no-in-call", "--no-tray", name="other")
        self.desk.rings(self.desk.app())
        self.desk.wait_for_cards(1)
        self.notifier.stop()
        self.desk.wait_for_cards(1)
        other.stop()
        self.desk.wait_for_cards(0)

    def test_a_screen_with_a_higher_claim_is_the_only_one(self):
        screen = self.desk.entered(Screen("screen", identity="org.example.screen",
                                          socket=self.desk.broker.path))
        shown = queue.Queue()

        @screen.on("ui.present")
        def present(call):
            shown.put(call["call"])
            return {"presented": call["remote"]["value"] == "+15550100"}
        self.assertTrue(screen.claim(priority=1).result(CEILING)["primary"])
        app = self.desk.app(max_call_groups=4)
        theirs, ours = self.desk.rings(app, "+15550100"), self.desk.rings(app, "+15550101")
        self.assertEqual([shown.get(timeout=CEILING) for _ in range(2)], [theirs, ours])
        self.desk.wait_to_see("+15550101")
        self.assertNotIn("+15550100", self.desk.seen())
        screen.release().result(CEILING)
        self.desk.wait_to_see("+15550100")

    def test_it_leaves_nothing_behind(self):
        self.desk.rings(self.desk.app())
        self.desk.wait_for_cards(1)
        self.notifier.kill(signal.SIGTERM)
        self.assertEqual(self.notifier.process.returncode, 0, self.notifier.said())
        self.desk.wait_for_cards(0)

    def test_a_broker_that_was_killed_goes_on(self):
        app = self.desk.app()
        call = self.desk.rings(app)
        self.desk.wait_for_cards(1)
        app.reconcile(lambda: [{"call": call, "direction": "incoming", "state": "ringing",
                                "remote": {"type": "phone", "value": "+15550100"}}])
        self.desk.broker.kill()
        self.desk.broker.start()
        wait_until(self.notifier.said, lambda: self.notifier.said().count("ready") == 2)
        wait_until("the app is back", lambda: app.connected)
        self.desk.press("Answer")
        self.desk.wait_for_action("answer", call)

    def set_policy(self, **members):
        admin = self.desk.entered(Admin("admin", socket=self.desk.broker.path))
        admin.set_policy(**members).result(CEILING)

    def decided(self, button):
        """An app that registers, and what it is told when the user has pressed that button."""
        self.set_policy(new_providers="ask")
        app, decisions = self.desk.app(), queue.Queue()
        app.on("provider.authorization_changed")(decisions.put)
        with self.assertRaises(BrokerError) as refused:
            self.desk.rings(app)
        self.assertEqual(refused.exception.reason, "unentitled")
        self.desk.wait_to_see("Desk phone would like to have calls", "org.example.phone")
        self.desk.wait_for_cards(1)
        self.desk.press(button)
        decision = decisions.get(timeout=CEILING)
        self.desk.wait_for_cards(0)
        return app, decision

    def test_an_app_has_calls_when_the_user_allows_it(self):
        app, decision = self.decided("Allow")
        self.assertEqual(decision, {"status": "authorized"})
        call = self.desk.rings(app)
        self.desk.wait_to_see("Incoming call · Desk phone")
        self.desk.wait_for_cards(1)
        self.desk.press("Answer")
        self.desk.wait_for_action("answer", call)

    def test_an_app_has_no_calls_when_the_user_denies_them(self):
        app, decision = self.decided("Deny")
        self.assertEqual(decision, {"status": "denied"})
        with self.assertRaises(BrokerError):
            self.desk.rings(app)
        self.assertEqual(app.request_authorization().result(CEILING),
                         {"status": "denied", "asked": False})

    def test_an_app_marks_its_calls_as_emergencies_when_the_user_allows_it(self):
        self.set_policy(emergency={"claims": {"org.example.phone": {"outgoing": "ask"}}})
        app = self.desk.app()

        def started():
            request = app.start(phone("+15550100"), emergency=True, wait="completed")
            call = request.result(CEILING)["actions"][-1]["call"]
            priority = self.desk.state(call)["priority"]
            self.desk.user.end(call, wait="completed").result(CEILING)
            return priority
        self.assertEqual(started(), "normal")
        self.desk.wait_to_see("Desk phone would like to mark the calls that it starts as emergencies")
        self.desk.wait_for_cards(1)
        self.desk.press("Allow")

        def word():
            policy = self.desk.user.get_policy().result(CEILING)["policy"]
            return policy["emergency"]["claims"]["org.example.phone"]["outgoing"]
        wait_until(word, lambda: word() == "allowed")
        self.assertEqual(started(), "emergency")
        self.desk.wait_for_cards(0)

    def test_names_and_numbers_are_not_logged(self):
        app = self.desk.app()
        call = self.desk.rings(app, display_name="Ann")
        self.desk.wait_for_cards(1)
        self.desk.press("Answer")
        self.desk.wait_for_action("answer", call)
        self.notifier.stop()
        self.assertNotRegex(self.notifier.said(), "Ann|5550100")


class QualityTests(unittest.TestCase):
    def test_a_poor_connection_is_told_once_and_until_the_call_ends(self):
        self.desk = Desk(self, RealBroker("--test-mode"))
        self.desk.start_desktop()
        self.desk.start_notifier("--silent", "--no-in-call")
        app = self.desk.app()
        call = self.desk.rings(app, display_name="Ann")
        self.desk.wait_for_cards(1)
        self.desk.press("Answer")
        self.desk.wait_for_action("answer", call)
        self.desk.wait_for_cards(0)
        admin = self.desk.entered(Admin("clock", socket=self.desk.broker.path))
        # A hiccup first: only two poor reports in a row are told.
        for permille in (200, 0, 210, 220, 230):
            app.report_quality(call, loss_permille=permille).result(CEILING)
            admin.advance(ms=1_000).result(CEILING)
        self.desk.wait_to_see("Poor connection", "Ann · +15550100 · Desk phone", "22.0 % lost")
        self.desk.wait_for_cards(1)
        app.report_ended(call, "remote_ended").result(CEILING)
        self.desk.wait_for_cards(0)
        self.assertNotIn("23.0 % lost", self.desk.seen())


if __name__ == "__main__":
    unittest.main()
