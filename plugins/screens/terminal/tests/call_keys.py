"""What every key of calls, and every key that counts everywhere, does at the broker."""
from pressing import Scenarios, presses
from terminal import wait_that
from test_calls import App

from callbroker import Admin, Controller, new_id, phone


class CallScenarios(Scenarios):
    # Everywhere

    @presses("everywhere", "F1", "F5", "F6")
    @presses("dial", "Esc")
    @presses("page", "Esc")
    def test_keys_that_no_text_has(self):
        app, screen = self.desk(), self.open("no calls")
        screen.type("c")
        self.press("everywhere", "F1", "Keys (calls go on")
        self.press("page", "Esc", "Name, number or address:")
        screen.type("da")
        first = app.incoming("+15550100", "Ann")
        screen.wait_to_see("address: da", "[F5] Answer")
        self.press("everywhere", "F5")
        self.last(app, "answer")
        # Then the buttons of the next call stay where they are.
        wait_that(lambda: self.state(first) == "active", "Ann is answered")
        call = app.incoming("+15550101", "Bob")
        screen.wait_to_see("Bob", "[F6] Decline")
        self.press("everywhere", "F6")
        wait_that(lambda: [each[:2] for each in app.done[-1:]] == [("end", call)], lambda: f"{app.done}")
        self.press("dial", "Esc")
        screen.wait_not_to_see("address: da")
        self.press("dial", "Esc", "active")

    @presses("everywhere", "F2", "F3", "F4")
    def test_questions_of_apps(self):
        screen = self.open("no calls")
        with Admin("test", socket=self.broker.path) as admin:
            admin.request("policy.set", {"new_providers": "ask"}).result()
        for key, outcome in (("F2", "authorized"), ("F3", "denied"), ("F4", "not_determined")):
            identity = "org.example.new" + key.lower()
            app = App(self.broker, identity, "New " + key)
            app.provider.__enter__()
            self.addCleanup(app.provider.__exit__, None, None, None)
            app.provider.request("provider.request_authorization", {})
            screen.wait_to_see(f"New {key} would like to have calls")
            self.press("everywhere", key)
            screen.wait_not_to_see("would like")
            wait_that(lambda: self.authorization(identity) == outcome, lambda: f"{key}: {self.authorization(identity)}")

    def authorization(self, identity):
        return next(row["authorization"] for row in self.request("provider.list", {}, "providers")
                    if row["provider"] == identity)

    @presses("rows", "Up", "Down", "PageUp", "PageDown", "Home", "End")
    @presses("commands", "j", "k")
    def test_rows(self):
        app, screen = self.desk(), self.open("no calls")
        for number in range(15):
            call = app.incoming(f"+155501{number:02}", f"Caller {number:02}")
            app.provider.report_ended(call, "unanswered").result()
        screen.keys("3")
        screen.wait_to_see("> * Caller 14", "Caller 00")
        for place, key, row in (("rows", "Down", 13), ("commands", "j", 12), ("rows", "Up", 13), ("commands", "k", 14),
                                ("rows", "PageDown", 4), ("rows", "PageUp", 14), ("rows", "End", 0),
                                ("rows", "Home", 14)):
            self.press(place, key, f"> * Caller {row:02}")

    @presses("views", "Tab", "Shift-Tab")
    @presses("commands", *"12345678cq?zZ")
    @presses("schedule", "Esc")
    @presses("page", "Esc")
    def test_views(self):
        screen = self.open("no calls")
        self.press("views", "Tab", "Name, number or address:")
        self.press("views", "Shift-Tab", "no calls")
        self.press("commands", "c", "Name, number or address:")
        screen.keys("Escape")
        screen.wait_to_see("no calls")
        for key, words in zip("34567", ("no missed calls", "no contacts", "nobody is blocked", "Busy while", "Bell")):
            self.press("commands", key, words)
        self.press("commands", "8", "no app has told its lines apart")
        self.press("commands", "1", "no calls")
        self.press("commands", "2", "Name, number or address:")
        screen.keys("Escape")
        screen.wait_to_see("no calls")
        self.press("commands", "z", " Do not disturb ")
        self.wait_for_policy("do-not-disturb is on", lambda policy: policy["do_not_disturb"]["on"])
        self.press("commands", "5", "[Z] Schedule")
        self.press("commands", "Z", "no schedule")
        self.press("schedule", "Esc", "nobody is blocked")
        self.press("commands", "?", "Keys (calls go on")
        self.press("page", "Esc", "nobody is blocked")
        self.press("commands", "q", "exit=0")

    # Calls

    @presses("calls", *"shmteyib")
    @presses("keypad", "Enter", "Esc", *"0123456789*#ABCDabcd")
    @presses("page", "Esc")
    @presses("menu", "Esc")
    def test_a_call_from_ringing_to_its_end(self):
        app, screen = self.desk(), self.open("no calls")
        app.incoming("+15550100", "Ann")
        screen.wait_to_see("ringing")
        self.press("calls", "s", "rings without sound")
        screen.type("a")
        screen.wait_to_see("[h] Hold")
        for key, word in (("h", "[h] Resume"), ("h", "[h] Hold"), ("m", "[m] Unmute"), ("m", "[m] Mute")):
            self.press("calls", key, word)
        self.assertEqual(app.kinds(), ["answer", "set_held", "set_held", "set_muted", "set_muted"])
        self.press("calls", "t", "[ 5 ]")
        for tone in "0123456789*#ABCDabcd":
            self.press("keypad", tone)
            wait_that(lambda: app.done[-1][2].get("digits") == tone.upper(), lambda: f"{tone}: {app.done[-1]}")
        self.press("keypad", "Esc", "[t] Keypad")
        screen.type("t")
        screen.wait_to_see("[ 5 ]")
        self.press("keypad", "Enter", "[t] Keypad")
        self.press("calls", "y", "Why Ann", "it rings", "rule 1")
        self.press("page", "Esc", "[i] What if")
        self.press("calls", "i", "> 1 End")
        self.press("menu", "Esc", "[b] Block")
        self.press("calls", "b", "Blocked")
        wait_that(lambda: len(self.request("block.list", {}, "blocks")) == 1, "a block")
        self.press("calls", "e", "no calls")
        self.last(app, "end")

    @presses("calls", *"aELwd")
    def test_answers(self):
        apps = [self.desk(f"org.example.{name}", name) for name in ("one", "two", "three", "four", "five")]
        screen = self.open("no calls")
        apps[0].incoming("+15550100", "Ann")
        screen.wait_to_see("[a] Answer")
        self.press("calls", "a", "active")
        apps[1].incoming("+15550101", "Bob")
        screen.wait_to_see("Another call: Bob", "[F5]")
        self.answer("Bob", "E")
        self.last(apps[1], "answer")
        screen.wait_not_to_see("Ann")
        screen.wait_to_see("active")            # until then no other call can be answered
        apps[2].incoming("+15550102", "Cleo")
        screen.wait_to_see("Another call: Cleo", "[F5]")
        self.answer("Cleo", "a")
        screen.wait_to_see("holds Bob")
        screen.keys("Home")
        screen.wait_to_see("> Bob", "held for Cleo", "[w] Swap")
        self.press("calls", "w")
        wait_that(lambda: apps[1].kinds()[-1] == "set_held" and "held for Bob" in self.detail("Cleo"),
                  screen.complaint("swapped"))
        screen.wait_to_see("active")
        apps[3].incoming("+15550103", "Dora")
        screen.wait_to_see("Another call: Dora")
        self.answer("Dora", "L")
        self.last(apps[3], "answer")
        self.last(apps[2], "end")
        screen.wait_not_to_see("Cleo")
        screen.wait_to_see("held  ", "active  ")
        apps[4].incoming("+15550104", "Eve")
        screen.wait_to_see("Another call: Eve")
        self.answer("Eve", "d")
        self.last(apps[4], "end")

    def answer(self, name, key):
        """Selects the call that comes in, whose buttons are shown then, and presses one."""
        self.shown.keys("End")
        self.shown.wait_to_see(f"> {name}", f"[{key}]")
        self.press("calls", key)

    def detail(self, name):
        self.shown.keys("End" if name == "Cleo" else "Home")
        return self.shown.picture()

    @presses("calls", *"guX")
    def test_conferences(self):
        app = self.desk(max_call_groups=2, max_calls_per_group=5)
        screen = self.open("no calls")
        for number, name in (("+15550100", "Ann"), ("+15550101", "Bob")):
            self.active(app, number, name, supports_attended_transfer=True)
        screen.wait_to_see("[g] Merge")
        self.press("calls", "g", "with Bob", "[u] Split off")
        self.press("calls", "u")
        screen.wait_not_to_see("[u] Split off")
        screen.wait_to_see("[X] Join")
        self.press("calls", "X")
        self.last(app, "attended_transfer")

    @presses("calls", *"xf")
    @presses("prompt", "Enter", "Esc", "Backspace", "Ctrl-U")
    def test_transfers(self):
        app, screen = self.desk(), self.open("no calls")
        self.active(app, supports_transfer=True)
        screen.wait_to_see("[x] Transfer")
        self.press("calls", "x", "Transfer Ann to:")
        self.press("prompt", "Esc", "[x] Transfer")
        screen.type("x")
        screen.wait_to_see("Transfer Ann to:")
        screen.type("+1777")
        screen.wait_to_see("+1777")
        self.press("prompt", "Ctrl-U")
        screen.wait_not_to_see("+1777")
        screen.type("+15550178")
        screen.wait_to_see("to: +15550178")
        self.press("prompt", "Backspace", "to: +1555017\n")
        screen.type("7")
        screen.wait_to_see("to: +15550177")
        self.press("prompt", "Enter")
        self.assertEqual(self.last(app, "transfer")["to"], phone("+15550177"))
        screen.wait_to_see("no calls")
        app.incoming("+15550102", "Cleo", supports_deflect=True)
        screen.wait_to_see("Cleo")
        screen.keys("End")
        screen.wait_to_see("> Cleo", "[f] Send elsewhere")
        self.press("calls", "f", "Send Cleo to:")
        screen.type("+15550179")
        screen.wait_to_see("to: +15550179")
        self.press("prompt", "Enter")
        self.assertEqual(self.last(app, "deflect")["to"], phone("+15550179"))

    @presses("calls", "v", "o")
    @presses("menu", "Up", "Down", "k", "j", "Enter", "Space", "Esc", *"123456789")
    def test_video_and_sound(self):
        app = self.desk(supports_video=True)
        screen = self.open("no calls")
        names = ["ear", *(f"room {number}" for number in range(2, 10))]
        call = self.active(app, supports_set_video=True, endpoints=[
            {"endpoint": f"e{index}", "kind": "speaker", "name": name,
             "state": "in_use" if index == 1 else "available"} for index, name in enumerate(names, 1)])
        for number in "234567891":
            self.press("calls", "o", "9 room 9")
            self.press("menu", number)
            self.assertEqual(self.last(app, "set_endpoint")["endpoint"], "e" + number)
            wait_that(lambda: self.endpoint(call) == "e" + number, number)
        self.press("calls", "v", "> 1 no video")
        for key, row in (("Down", "> 2"), ("j", "> 3"), ("Up", "> 2"), ("k", "> 1")):
            self.press("menu", key, row)
        self.press("menu", "Esc", "[v] Video")
        screen.type("vj")
        screen.wait_to_see("> 2 send video")
        self.press("menu", "Enter")
        self.assertEqual(self.last(app, "set_video"), {"video": "send"})
        screen.wait_to_see("[v] Video")
        screen.type("vjj")
        screen.wait_to_see("> 3 receive video")
        self.press("menu", "Space")
        self.assertEqual(self.last(app, "set_video"), {"video": "receive"})

    def endpoint(self, call):
        used = [each["endpoint"] for each in self.request("call.get", {"call": call}, "endpoints")
                if each.get("state") == "in_use"]
        return used[0] if used else None

    @presses("calls", "p")
    def test_a_call_on_another_device(self):
        app, screen = self.desk(), self.open("no calls")
        call = new_id()
        app.live[call] = {"call": call, "direction": "incoming", "state": "ringing", "remote": phone("+15550100")}
        app.provider.report_external(call, phone("+15550100"), direction="incoming", display_name="Ann",
                                     supports_pull=True, elsewhere="Kitchen").result()
        screen.wait_to_see("elsewhere", "on Kitchen", "[p] Take here")
        screen.is_as_in("external")
        self.press("calls", "p", "active")
        self.last(app, "answer")

    @presses("calls", *"TD")
    def test_tones_behind_a_pause(self):
        app, screen = self.desk(), self.open("no calls")
        call = self.active(app)
        with Controller("test", socket=self.broker.path) as me:
            me.play_dtmf(call, "1;23;4", wait="completed").result()
            self.last(app, "play_dtmf")
            screen.wait_to_see("Send these tones now? 23;4", "[T] Send tones", "[D] Drop tones")
            screen.is_as_in("tones")
            self.press("calls", "T", "Send these tones now? 4")
            self.assertEqual(self.last(app, "play_dtmf")["digits"], "23")
            self.press("calls", "D")
            screen.wait_not_to_see("these tones")
            self.assertEqual(app.kinds(), ["answer"])
            screen.type("D")
            screen.wait_to_see("No tones wait")
            me.play_dtmf(call, "5,,,,,6", wait="completed").result()
            screen.wait_to_see("These tones are sent after a pause: 6")
        wait_that(lambda: app.done[-1][2].get("digits") == "6", lambda: f"{app.done}")

    # Real-time text

    @presses("calls", "r", "R")
    @presses("conversation", "Enter", "Backspace", "Esc")
    def test_real_time_text(self):
        app = self.desk(supports_text=True)
        screen = self.open("no calls")
        call = self.active(app, supports_set_text=True)
        for key, wanted in (("2", False), ("1", True)):
            app.provider.report_text_request(call).result()
            screen.wait_to_see("Would like to type with you")
            self.press("calls", "r", "> 1 Accept text", "2 No text")
            screen.keys(key)
            self.assertEqual(self.last(app, "set_text"), {"text": wanted})
            wait_that(lambda: not self.request("call.get", {"call": call}, "text_request"), "it is decided")
            screen.wait_not_to_see("Would like to type with you")
        screen.wait_to_see("with text", "[R] Type")
        app.provider.report_text(call, "helo").result()
        screen.wait_to_see("Ann: helo")
        self.press("calls", "R", "Text with Ann", "Ann: helo")
        app.provider.report_text(call, "\u0008lo\u2028how are you?").result()
        screen.wait_to_see("Ann: hello", "Ann: how are you?")
        for character in "fiñ":
            screen.type(character)
            wait_that(lambda: app.done[-1][2].get("text") == character, lambda: f"{app.done}")
        screen.wait_to_see("you: fiñ", "You type: fiñ")
        self.press("conversation", "Backspace", "you: fi\n")
        self.assertEqual(self.last(app, "send_text"), {"text": "\u0008"})
        screen.type("ne")
        screen.wait_to_see("you: fine")
        self.press("conversation", "Enter")
        wait_that(lambda: app.done[-1][2] == {"text": "\u2028"}, lambda: f"{app.done}")
        screen.wait_not_to_see("You type: fine")
        screen.is_as_in("conversation")
        # Faster than the app sends it.
        words = "the quick brown fox jumps over the lazy dog, and over 13 others"
        screen.type(words)
        screen.wait_to_see(f"You type: {words}\n")
        typed = "".join(each[2]["text"] for each in app.done if each[0] == "send_text")
        self.assertTrue(typed.endswith("\u2028" + words), typed)
        self.press("conversation", "Esc", "[R] Type")
        self.press("calls", "r")
        self.assertEqual(self.last(app, "set_text"), {"text": False})

    # Conferences of the far end

    @presses("calls", "P")
    @presses("participants", "m", "h", "Esc")
    def test_participants(self):
        app, screen = self.desk(), self.open("no calls")
        call = self.active(app)
        app.provider.report_participants(call, app.people, replace=True).result()
        screen.wait_to_see("[P] Participants")
        self.press("calls", "P", "In the conference: Ann", "> Ada (you)", "Grace", "waits to be admitted")
        self.press("participants", "m", "muted")
        self.assertEqual(app.done[-1], ("change_participant", "1", {"muted": True}))
        self.press("participants", "h", "muted, hand raised")
        self.assertEqual(app.done[-1], ("change_participant", "1", {"hand_raised": True}))
        screen.is_as_in("participants")
        self.press("participants", "m")
        screen.wait_not_to_see("muted")
        screen.keys("Down")
        screen.wait_to_see("> Grace")
        self.press("participants", "m", "does not let you change that")
        self.assertEqual(app.done[-1], ("change_participant", "1", {"muted": False}))
        self.press("participants", "Esc", "[P] Participants")

    def test_the_quality_of_a_call_is_told(self):
        app, screen = self.desk(), self.open("no calls")
        call = self.active(app, line="work")
        app.provider.report_quality(call, loss_permille=12, jitter_ms=8, round_trip_ms=45).result()
        screen.wait_to_see("1.2 % lost · jitter 8 ms · round trip 45 ms", "Desk phone · Work")
        self.assertNotIn("Poor", screen.picture())
        # The broker publishes one report about a call in a second.
        def report():
            app.provider.report_quality(call, loss_permille=60).result()
            return "Poor connection · 6.0 % lost" in screen.picture()
        wait_that(report, screen.complaint("a poor connection"))
        screen.is_as_in("quality")
