"""What every key of the other views, and of what is over them, does at the broker."""
from pressing import Scenarios, presses
from terminal import wait_that

from callbroker import phone


class ViewScenarios(Scenarios):
    # The dialer and lines

    @presses("dial", "Enter", "Backspace", "Ctrl-U", "F7", "F8", "Esc")
    @presses("page", "Esc")
    def test_the_dialer(self):
        app, screen = self.desk(), self.open("no calls")
        screen.type("c")
        screen.wait_to_see("Line: any", "[F8]")
        screen.type("+15550142x")
        screen.wait_to_see("+15550142x")
        self.press("dial", "Backspace")
        screen.wait_not_to_see("+15550142x")
        self.press("dial", "F8", "Line: Desk phone · Work")
        self.press("dial", "F8", "Line: Desk phone · Home")
        screen.is_as_in("dialer-line")
        self.press("dial", "F7", "would be")
        self.press("page", "Esc", "+15550142")
        self.press("dial", "Ctrl-U")
        screen.wait_not_to_see("+15550142")
        self.press("dial", "F8", "Line: any")
        self.press("dial", "F8", "Line: Desk phone · Work")
        screen.type("+15550143")
        screen.wait_to_see("+15550143")
        self.press("dial", "Enter", "dialing", "Desk phone · Work")
        self.assertEqual(self.last(app, "start")["line"], "work")
        screen.type("c")
        screen.wait_to_see("address:")
        self.press("dial", "Esc", "dialing")

    @presses("lines", "Enter", "v", "Esc")
    @presses("line", "Enter", "Space", "t", "Esc")
    @presses("prompt", "Enter")
    def test_lines(self):
        app, screen = self.desk(), self.open("no calls")
        screen.keys("8")
        screen.wait_to_see("> Desk phone · Work", "2 messages", "failed: 403", "+15550001")
        screen.is_as_in("lines")
        self.press("lines", "Enter", "> Forward while in a call", "Announce a second call")
        self.press("line", "Enter", "Forward while in a call:\n")
        screen.type("+15550177")
        screen.wait_to_see("call: +15550177")
        self.press("prompt", "Enter", "on, to +15550177")
        self.assertEqual(self.last(app, "change_setting"), {
            "setting": "forward_busy", "on": True, "to": phone("+15550177")})
        self.press("line", "Space", "call                  off")
        self.assertEqual(self.last(app, "change_setting"), {"setting": "forward_busy", "on": False})
        self.press("line", "t", "Forward while in a call:\n")
        screen.type("+15550178")
        screen.wait_to_see("call: +15550178")
        self.press("prompt", "Enter", "on, to +15550178")
        self.assertEqual(self.last(app, "change_setting")["to"], phone("+15550178"))
        screen.keys("Down")
        screen.wait_to_see("> Announce a second call")
        self.press("line", "Enter")
        self.assertEqual(self.last(app, "change_setting"), {"setting": "call_waiting", "on": False})
        screen.wait_not_to_see("call                                          on")
        screen.is_as_in("line")
        self.press("line", "Esc", "2 messages")
        self.press("lines", "Esc", "no calls")
        screen.keys("8")
        screen.wait_to_see("> Desk phone · Work")
        self.press("lines", "v", "dialing", "+15550099")
        self.assertEqual(self.last(app, "start")["line"], "work")

    # Lists

    @presses("missed", "Enter", "s", "b", "x", "Del", "Esc")
    def test_missed_calls(self):
        app, screen = self.desk(), self.open("no calls")
        for number, name in enumerate(("Ann", "Bob", "Cleo")):
            call = app.incoming(f"+1555010{number}", name)
            app.provider.report_ended(call, "unanswered").result()
        screen.wait_to_see("(3)")
        screen.keys("3")
        screen.wait_to_see("> * Cleo")
        self.press("missed", "s", ">   Cleo")
        self.press("missed", "b", "Blocked\n")
        wait_that(lambda: len(self.request("block.list", {}, "blocks")) == 1, "a block")
        self.press("missed", "x", ">   Bob")
        self.press("missed", "Del", ">   Ann")
        self.press("missed", "Esc", "no calls")
        screen.keys("3")
        screen.wait_to_see(">   Ann")
        self.press("missed", "Enter", "dialing")
        self.assertEqual(self.last(app, "start")["remote"], phone("+15550100"))

    @presses("contacts", "Enter", "n", "f", "t", "x", "Del", "Esc")
    @presses("prompt", "Enter")
    def test_contacts(self):
        app, screen = self.desk(), self.open("no calls")
        screen.keys("4")
        screen.wait_to_see("no contacts")
        for name, number in (("Ann", "+15550101"), ("Bob", "+15550102")):
            self.press("contacts", "n", "Name:")
            screen.type(name)
            screen.wait_to_see("Name: " + name)
            self.press("prompt", "Enter", f"Number or address of {name}:")
            screen.type(number)
            screen.wait_to_see(f"{name}: {number}")
            self.press("prompt", "Enter", name + " ", number)
        screen.wait_to_see("> ")
        self.press("contacts", "f", "> ★")
        self.press("contacts", "t", "rings always")
        kept = [each for each in self.request("contact.list", {}, "contacts") if each.get("favorite")]
        self.assertEqual([(each["name"], each.get("breakthrough")) for each in kept], [("Ann", True)])
        self.press("contacts", "Enter", "dialing")
        self.assertEqual(self.last(app, "start")["remote"], phone("+15550101"))
        screen.keys("4")
        screen.wait_to_see("> ★")
        self.press("contacts", "x")
        screen.wait_not_to_see("★")
        self.press("contacts", "Del", "no contacts")
        self.assertEqual(self.request("contact.list", {}, "contacts"), [])
        self.press("contacts", "Esc", "dialing")

    @presses("blocked", "n", "x", "Del", "Esc")
    @presses("prompt", "Enter")
    def test_blocks(self):
        screen = self.open("no calls")
        screen.keys("5")
        screen.wait_to_see("nobody is blocked")
        for who in ("+1900*", "+15550100"):
            self.press("blocked", "n", "Block (")
            screen.type(who)
            screen.wait_to_see("so): " + who)
            self.press("prompt", "Enter")
            screen.wait_not_to_see("so):")
            screen.wait_to_see(who)
        wait_that(lambda: len(self.request("block.list", {}, "blocks")) == 2, "blocks")
        self.press("blocked", "x")
        wait_that(lambda: len(self.request("block.list", {}, "blocks")) == 1, "a block")
        wait_that(lambda: ("+1900*" in screen.picture()) != ("+15550100" in screen.picture()), "a row is gone")
        self.press("blocked", "Del", "nobody is blocked")
        self.assertEqual(self.request("block.list", {}, "blocks"), [])
        self.press("blocked", "Esc", "no calls")

    @presses("schedule", "z", "o", "n", "x", "Del", "Esc")
    @presses("prompt", "Enter")
    def test_the_schedule_of_do_not_disturb(self):
        screen = self.open("no calls")
        screen.keys("Z")
        screen.wait_to_see("Do not disturb · off", "no schedule")
        self.press("schedule", "z", "Do not disturb · on")
        self.wait_for_policy("it is on", lambda policy: policy["do_not_disturb"]["on"])
        self.press("schedule", "z", "Do not disturb · off")
        self.press("schedule", "o", "Do not disturb · on")
        self.wait_for_policy("it ends", lambda policy: (policy["do_not_disturb"]["until_at_ms"] or 0) > 0)
        for typed, shown in (("mon-wed,sun:22:00-06:30", "Mon Tue Wed Sun  22:00-06:30"),
                             ("12:00-13:00", "Every day  12:00-13:00")):
            self.press("schedule", "n", "Days and times")
            screen.type(typed)
            screen.wait_to_see(typed)
            self.press("prompt", "Enter", shown)
        screen.is_as_in("schedule")
        self.wait_for_policy("two periods", lambda policy: len(policy["do_not_disturb"]["schedule"]) == 2)
        self.press("schedule", "n", "Days and times")
        screen.type("25:00-26:00")
        self.press("prompt", "Enter", "a period is FROM-TO")
        self.press("schedule", "x")
        screen.wait_not_to_see("Mon Tue")
        self.press("schedule", "Del", "no schedule")
        self.wait_for_policy("no period", lambda policy: policy["do_not_disturb"]["schedule"] == [])
        self.press("schedule", "Esc", "no calls")

    @presses("settings", "Enter", "Space", "Esc")
    def test_settings(self):
        screen = self.open("no calls")
        screen.keys("6")
        screen.wait_to_see("> Busy while in a call")
        self.press("settings", "Enter")
        self.wait_for_policy("on", lambda policy: policy["busy_in_call"])
        screen.wait_to_see("on        rule 2")
        self.press("settings", "Space")
        self.wait_for_policy("off", lambda policy: not policy["busy_in_call"])
        self.press("settings", "Esc", "no calls")

    @presses("plugins", "r", "Esc")
    def test_plugins(self):
        screen = self.open("no calls")
        screen.keys("7")
        screen.wait_to_see("> Bell", "ready")
        starts = self.request("plugin.list", {}, "plugins")[0]["starts"]
        self.press("plugins", "r")
        wait_that(lambda: self.request("plugin.list", {}, "plugins")[0]["starts"] > starts, "a restart")
        self.press("plugins", "Esc", "no calls")

    @presses("page", "Up", "k", "Down", "j", "PageUp", "PageDown", "Space", "Esc")
    def test_pages(self):
        screen = self.open("no calls")
        screen.type("?")
        screen.wait_to_see("Keys (calls go on", "[Esc] Close")      # the last is drawn after the lines
        first = self.first_line()
        for key, back in (("Down", "Up"), ("j", "k"), ("PageDown", "PageUp"), ("Space", "PageUp")):
            self.press("page", key)
            wait_that(lambda: self.first_line() != first, screen.complaint(key))
            self.press("page", back)
            wait_that(lambda: self.first_line() == first, screen.complaint(back))
        self.press("page", "Esc", "no calls")

    def first_line(self):
        return self.shown.lines()[3]
