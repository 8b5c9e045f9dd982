"""Calls in a real terminal: every key, the mouse, and what is shown."""
import os
import shutil
import signal
import tempfile
import unittest

from terminal import Terminal, wait_that

from callbroker import Admin, Controller, Failed, Provider, new_id, phone
from real_broker import RealBroker


class App:
    """An app that does what it is asked, and remembers it."""

    def __init__(self, broker, identity, name, **members):
        self.provider = Provider(identity, name, socket=broker.path, handle_types=["phone"], **members)
        self.done, self.live = [], {}
        self.provider.reconcile(lambda: list(self.live.values()))
        for kind in ("start", "answer", "end", "set_held", "set_muted", "set_group", "play_dtmf", "transfer",
                     "attended_transfer", "deflect", "set_endpoint", "set_video", "set_text"):
            self.provider.on_action(kind)(self.perform)

    def perform(self, action):
        self.done.append((action.kind, str(action.call), dict(action.arguments)))
        if action.kind == "answer":
            self.live[action.call]["state"] = "active"
        if action.kind == "end":
            self.live.pop(action.call, None)

    def kinds(self):
        return [kind for kind, _, _ in self.done]

    def incoming(self, number, name, **members):
        call = new_id()
        self.live[call] = {"call": call, "direction": "incoming", "state": "ringing", "remote": phone(number)}
        self.provider.report_incoming(call, phone(number), display_name=name, **members).result()
        return call


class Screens:
    """A broker, apps, and screens in terminals."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.broker = RealBroker(*self.broker_arguments())
        self.addCleanup(self.broker.close)

    def broker_arguments(self):
        return ()

    def app(self, identity="org.example.desk", name="Desk phone", **members):
        app = App(self.broker, identity, name, **members)
        app.provider.__enter__()
        self.addCleanup(app.provider.__exit__, None, None, None)
        return app

    def screen(self, *arguments, **environment):
        screen = Terminal(self, self.broker, *arguments, **environment)
        screen.wait_until_connected()
        return screen

    def state(self, call):
        with Controller("test", socket=self.broker.path) as me:
            return me.request("call.get", {"call": call}).result()["state"]

    def wait_for(self, app, *kinds):
        wait_that(lambda: app.kinds()[-len(kinds):] == list(kinds), lambda: f"{app.done}")


class ScreenTests(Screens, unittest.TestCase):
    # What is shown

    def test_a_call_rings_is_answered_held_and_ended(self):
        app, screen = self.app(), self.screen()
        screen.wait_to_see("no calls")
        screen.is_as_in("empty")
        call = app.incoming("+15550100", "Ann")
        screen.wait_to_see("Incoming call: Ann +15550100", "[F5] Answer", "ringing", "[a] Answer")
        screen.is_as_in("incoming")
        screen.keys("a")
        self.wait_for(app, "answer")
        screen.wait_to_see("active", "[h] Hold", "[t] Keypad")
        screen.is_as_in("active")
        screen.keys("h")
        screen.wait_to_see("held", "[h] Resume")
        screen.keys("h")
        screen.wait_to_see("active")
        screen.keys("m")
        screen.wait_to_see("muted", "[m] Unmute")
        screen.keys("m")
        screen.wait_to_see("[m] Mute")
        screen.keys("e")
        screen.wait_to_see("no calls")
        self.assertEqual(app.kinds(), [
            "answer", "set_held", "set_held", "set_muted", "set_muted", "end"])
        self.assertTrue(call)

    def test_a_second_call_is_answered_and_the_first_held_for_it(self):
        desk, web = self.app(), self.app("org.example.web", "Web calls")
        screen = self.screen()
        desk.incoming("+15550100", "Ann")
        screen.wait_to_see("Ann")
        screen.keys("a")
        screen.wait_to_see("active")
        web.incoming("+15550101", "Bob")
        screen.wait_to_see("Another call: Bob", "[F5] Hold & Answer")
        screen.keys("a")
        screen.wait_to_see("held for Bob", "[h] Resume", "[w] Swap", "held  ", "active  ")
        screen.is_as_in("held-for")
        screen.keys("Down")
        screen.wait_to_see("holds Ann")
        screen.keys("w")
        wait_that(lambda: "holds Bob" in screen.picture() or "held for Ann" in screen.picture(),
                   screen.complaint("swap"))
        screen.keys("e")
        screen.wait_not_to_see("Bob ")

    def test_an_answer_may_end_the_live_call_or_the_held_one(self):
        apps = [self.app(f"org.example.{name}", name) for name in ("one", "two", "three", "four")]
        screen = self.screen()
        apps[0].incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        screen.keys("a")
        screen.wait_to_see("active")
        apps[1].incoming("+15550101", "Bob")
        screen.wait_to_see("Another call: Bob")
        screen.keys("E")
        self.wait_for(apps[1], "answer")
        screen.wait_not_to_see("Ann")
        screen.wait_to_see("active")            # until then no other call can be answered
        apps[2].incoming("+15550102", "Cleo")
        screen.wait_to_see("Another call: Cleo", "[F5] Hold & Answer")
        screen.keys("F5")
        self.wait_for(apps[2], "answer")
        screen.wait_to_see("held for Cleo", "active")
        apps[3].incoming("+15550103", "Dora")
        screen.wait_to_see("Another call: Dora")
        screen.keys("L")
        self.wait_for(apps[3], "answer")
        screen.wait_not_to_see("Bob")
        self.assertEqual([app.kinds() for app in apps], [
            ["answer", "end"], ["answer", "set_held", "end"], ["answer", "set_held"], ["answer"]])

    def test_a_call_on_another_device_is_brought_here(self):
        app, screen = self.app(), self.screen()
        call = new_id()
        app.live[call] = {"call": call, "direction": "incoming", "state": "ringing", "remote": phone("+15550100")}
        app.provider.report_external(call, phone("+15550100"), direction="incoming", display_name="Ann",
                                     supports_pull=True).result()
        screen.wait_to_see("elsewhere", "[p] Take here")
        screen.keys("p")
        screen.wait_to_see("active", "[h] Hold")
        screen.keys("b")
        screen.wait_to_see(" Blocked\n")

    def test_terminals_of_other_names_have_the_same_keys(self):
        for term in ("xterm", "screen-256color", "linux", "vt220"):
            with self.subTest(term):
                screen = self.screen(term=term)
                screen.wait_to_see("no calls")
                screen.keys("Tab")
                screen.wait_to_see("Name, number or address:")
                screen.keys("Escape")
                screen.wait_to_see("no calls")
                screen.keys("q")
                screen.wait_to_see("exit=0")

    def test_a_call_is_declined_and_one_is_silenced(self):
        app, screen = self.app(), self.screen()
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("ringing")
        screen.keys("s")
        screen.wait_to_see("rings without sound")
        screen.keys("d")
        screen.wait_to_see("no calls")
        self.assertEqual(app.kinds(), ["end"])

    def test_tones_are_sent_by_keys_and_by_the_mouse(self):
        app = self.app()
        screen = self.screen(term="xterm-256color")
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        screen.click("[a] Answer")
        screen.wait_to_see("[t] Keypad")
        screen.click("[t] Keypad")
        screen.wait_to_see("[ 5 ]")
        screen.type("4")
        self.wait_for(app, "answer", "play_dtmf")
        screen.click("[ # ]")
        self.wait_for(app, "answer", "play_dtmf", "play_dtmf")
        screen.wait_to_see("4#")
        screen.click("[ # ]", times=3)
        screen.wait_to_see("4####")
        screen.is_as_in("keypad")
        wait_that(lambda: len(app.done) == 6, lambda: f"{app.done}")
        self.assertEqual([each[2]["digits"] for each in app.done[1:]], ["4", "#", "#", "#", "#"])
        screen.keys("Escape")
        screen.wait_to_see("[e] End")
        screen.click("[e] End")
        screen.wait_to_see("no calls")

    def test_a_call_is_transferred_and_one_is_sent_elsewhere(self):
        app, screen = self.app(), self.screen()
        app.incoming("+15550100", "Ann", supports_transfer=True)
        screen.wait_to_see("[a] Answer")
        screen.keys("a")
        screen.wait_to_see("[x] Transfer")
        screen.keys("x")
        screen.wait_to_see("Transfer Ann to:")
        screen.type("+1555 0177")
        screen.keys("Enter")
        self.wait_for(app, "answer", "transfer")
        app.incoming("+15550101", "Bob", supports_deflect=True)
        screen.wait_to_see("[f] Send elsewhere")
        screen.keys("f")
        screen.wait_to_see("Send Bob to:")
        screen.type("+15550178")
        screen.keys("Enter")
        self.wait_for(app, "deflect")
        self.assertEqual(app.done[-1][2]["to"], {"type": "phone", "value": "+15550178"})

    def test_calls_of_an_app_are_merged_split_and_joined(self):
        app = self.app(max_call_groups=2, max_calls_per_group=5)
        screen = self.screen()
        for number, name in (("+15550100", "Ann"), ("+15550101", "Bob")):
            call = app.incoming(number, name, supports_attended_transfer=True)
            screen.wait_to_see(name, "[F5]")
            screen.keys("a")
            wait_that(lambda: self.state(call) == "active", f"{name} is answered")
        screen.wait_to_see("[g] Merge")
        screen.keys("g")
        screen.wait_to_see("with Bob", "[u] Split off")
        self.assertEqual(app.kinds().count("set_group"), 1)
        screen.is_as_in("conference")
        screen.keys("u")
        wait_that(lambda: app.kinds().count("set_group") == 2, lambda: f"{app.done}")
        screen.wait_not_to_see("[u] Split off")
        screen.wait_to_see("[X] Join others")
        screen.keys("X")
        self.wait_for(app, "attended_transfer")

    def test_video_text_and_sound_are_chosen(self):
        app = self.app(supports_video=True, supports_text=True)
        screen = self.screen()
        app.incoming("+15550100", "Ann", supports_set_video=True, supports_set_text=True, endpoints=[
            {"endpoint": "ear", "kind": "earpiece", "state": "in_use"},
            {"endpoint": "hall", "kind": "speaker", "name": "Hall"}])
        screen.wait_to_see("[a] Answer")
        screen.keys("a")
        screen.wait_to_see("[v] Video", "[o] Sound")
        screen.keys("o")
        screen.wait_to_see("2 Hall")
        screen.keys("2")
        self.wait_for(app, "set_endpoint")
        screen.keys("v")
        screen.wait_to_see("receive video")
        screen.is_as_in("menu")
        screen.keys("Down", "Down", "Enter")
        self.wait_for(app, "set_video")
        self.assertEqual(app.done[-1][2], {"video": "receive"})
        screen.keys("r")
        self.wait_for(app, "set_text")

    def test_a_failure_is_told_with_the_reason_of_the_app(self):
        app, screen = self.app(), self.screen()

        @app.provider.on_set_held
        def refuse(action):
            raise Failed("not_today", "this line cannot be held")

        app.incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        screen.keys("a")
        screen.wait_to_see("[h] Hold")
        screen.keys("h")
        screen.wait_to_see("this line cannot be held")

    def test_why_and_what_if(self):
        app, screen = self.app(), self.screen()
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("ringing")
        screen.keys("y")
        screen.wait_to_see("Why Ann", "it rings", "rule 1")
        screen.is_as_in("why")
        screen.keys("Escape")
        screen.keys("i")
        screen.wait_to_see("What if", "1 Answer")
        screen.keys("1")
        screen.wait_to_see("would be done", "would speak: Ann")
        screen.is_as_in("what-if")
        screen.keys("Escape")
        screen.wait_to_see("ringing")
        self.assertEqual(app.kinds(), [])

    # What is around the calls

    def test_help_and_quit(self):
        screen = self.screen()
        screen.wait_to_see("no calls")
        screen.keys("?")
        screen.wait_to_see("Keys", "Hold & Answer")
        screen.is_as_in("help")
        screen.keys("Escape")
        screen.wait_to_see("no calls")
        screen.keys("q")
        screen.wait_to_see("exit=0")

    def test_calls_go_on_after_quitting(self):
        app, screen = self.app(), self.screen()
        call = app.incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        screen.keys("a")
        screen.wait_to_see("active")
        screen.keys("q")
        screen.wait_to_see("exit=0")
        self.assertEqual(self.state(call), "active")

    def test_a_question_of_an_app_is_answered(self):
        screen = self.screen()
        screen.wait_to_see("no calls")
        self.ask()
        screen.wait_to_see("New app would like to have calls", "[F2] Allow", "[F3] Deny", "[F4] Later",
                           " org.example.new")
        screen.keys("F2")
        screen.wait_not_to_see("would like to have calls")
        wait_that(lambda: self.app_status() == "authorized", lambda: self.app_status())

    def ask(self):
        with Admin("test", socket=self.broker.path) as admin:
            admin.request("policy.set", {"new_providers": "ask"}).result()
        self.asking = App(self.broker, "org.example.new", "New app")
        self.asking.provider.__enter__()
        self.addCleanup(self.asking.provider.__exit__, None, None, None)
        self.asking.provider.request("provider.request_authorization", {})

    def app_status(self):
        with Controller("test", socket=self.broker.path) as me:
            rows = me.request("provider.list", {}).result()["providers"]
        return next(row["authorization"] for row in rows if row["provider"] == "org.example.new")

    def test_the_broker_is_killed_and_comes_back(self):
        app, screen = self.app(), self.screen()
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        screen.keys("a")
        screen.wait_to_see("active", "[h] Hold", "[t] Keypad")
        self.broker.kill()
        screen.wait_to_see("The broker is gone.")
        screen.is_as_in("gone")
        self.broker.start()
        screen.wait_not_to_see("The broker is gone.")
        screen.wait_to_see("Ann", "active")
        wait_that(lambda: app.provider.connected, "the app is back")
        screen.keys("h")
        screen.wait_to_see("held")

    def test_it_waits_for_a_broker_that_is_not_there_yet(self):
        self.broker.kill()
        screen = Terminal(self, self.broker)
        screen.wait_to_see("The broker is gone.")
        self.broker.start()
        screen.wait_to_see("no calls")
        screen.wait_not_to_see("The broker is gone.")

    # Terminals

    def test_a_wide_terminal_has_two_columns_and_sizes_change(self):
        app, screen = self.app(), self.screen(140, 30)
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        screen.is_as_in("wide")
        for columns, rows in ((80, 24), (40, 10), (20, 5), (5, 2), (1, 1), (140, 30)):
            screen.resize(columns, rows)
            self.assertGreater(screen.pid(), 0)
        screen.wait_to_see("[a] Answer")
        screen.is_as_in("wide")

    def test_a_small_terminal_shows_what_fits(self):
        app, screen = self.app(), self.screen(50, 12)
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("ringing", "Ann")
        screen.is_as_in("small")
        screen.keys("a")
        screen.wait_to_see("active")

    def test_names_of_all_scripts_keep_to_their_cells(self):
        app, screen = self.app(), self.screen()
        names = ["山田太郎" * 8, "😀👨‍👩‍👧🇩🇪 Zoë", "שרה כהן", "e\u0301" * 5 + " Ann"]
        for index, name in enumerate(names[:4]):
            app.incoming(f"+1555010{index}", name)
        screen.wait_to_see("山田", "שרה", "DE Zoë")
        screen.is_as_in("scripts")

    def test_languages_over_english(self):
        app = self.app()
        app.incoming("+15550100", "Ann")
        for language, words in (("de", "klingelt"), ("fr", "sonne"), ("ar", "يرن")):
            with self.subTest(language):
                screen = Terminal(self, self.broker, LC_ALL="", LC_CTYPE="C.UTF-8", LC_MESSAGES=language)
                screen.wait_to_see(words, "[a] ")
                screen.is_as_in("language-" + language)

    def test_control_characters_never_reach_the_terminal(self):
        app, screen = self.app(), self.screen()
        app.incoming("+15550100", "A\u009b2JB\u202eC")
        screen.wait_to_see("ringing")
        self.assertIn("ABC" if "ABC" in screen.picture() else "A2JBC", screen.picture())

    def test_without_colors_the_attributes_tell(self):
        for term, environment in (("vt100", {}), ("xterm-256color", {"NO_COLOR": "1"})):
            with self.subTest(term):
                app = self.app(f"org.example.{term.split('-')[0]}")
                screen = self.screen(80, 24, term, **environment)
                app.incoming("+15550100", "Ann")
                screen.wait_to_see("Incoming call: Ann")
                self.assertNotRegex(screen.styled(), r"\x1b\[[0-9;]*3[0-7][;m]")
                screen.keys("d")
                screen.wait_to_see("no calls")

    def test_sequences_that_the_terminals_description_lacks_press_no_keys(self):
        app, screen = self.app(), self.screen(term="xterm-256color")
        call = app.incoming("+15550100", "Ann")
        screen.wait_to_see("ringing")
        for sequence in ("\x1b[a", "\x1b[1;7d", "\x1bOd", "\x1b[27;5;97~"):
            screen.type(sequence)
        screen.type("\x1b[4~")
        screen.keys("?")
        screen.wait_to_see("Keys (calls go on")
        screen.keys("Escape")
        screen.wait_to_see("ringing", "> Ann")
        self.assertEqual((app.kinds(), self.state(call)), ([], "ringing"))

    def test_a_terminal_without_unicode_gets_ascii(self):
        app, screen = self.app(), self.screen(LC_ALL="C")
        app.incoming("+15550100", "Zoë")
        screen.wait_to_see("Zo?")

    def test_a_terminal_that_cannot_move_its_cursor_is_refused(self):
        screen = Terminal(self, self.broker, term="dumb")
        screen.wait_to_see("TERM names no terminal", "exit=1")

    def test_signals_and_crashes_give_the_terminal_back(self):
        for number, end in ((signal.SIGTERM, "exit=0"), (signal.SIGHUP, "exit=0"), (signal.SIGSEGV, "exit=139")):
            with self.subTest(number):
                screen = self.screen(SWIFT_BACKTRACE="enable=no")
                screen.wait_to_see("no calls")
                os.kill(screen.pid(), number)
                screen.wait_to_see(end)
                # The words are in pieces where they are typed.
                screen.run("stty -a | grep -q -e -icanon -e '-echo ' && echo r''aw || echo coo''ked")
                screen.wait_to_see("cooked")
                self.assertNotIn("no calls", screen.picture())


if __name__ == "__main__":
    unittest.main()
