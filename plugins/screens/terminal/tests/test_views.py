"""The other views in a real terminal: dialer, lists, settings and plugins."""
import json
import os
import unittest

from terminal import wait_that
from test_calls import Screens

from callbroker import Admin, Controller


class ViewTests(Screens, unittest.TestCase):
    def user(self):
        user = Controller("test", socket=self.broker.path)
        user.__enter__()
        self.addCleanup(user.__exit__, None, None, None)
        return user

    def ask(self, method, params, name):
        with Admin("test", socket=self.broker.path) as admin:
            return admin.request(method, params).result()[name]

    def missed(self, app, number, name):
        call = app.incoming(number, name)
        app.provider.report_ended(call, "unanswered").result()

    def test_a_typed_number_is_dialed_and_ended(self):
        app, screen = self.app(url_schemes=["tel"]), self.screen()
        screen.wait_to_see("no calls")
        screen.keys("c")
        screen.wait_to_see("Name, number or address:")
        screen.type("+1 555 0142")
        screen.keys("F7")
        screen.wait_to_see("would be done")
        screen.keys("Escape")
        screen.wait_to_see("+1 555 0142")
        screen.keys("Enter")
        screen.wait_to_see("dialing", "+15550142")
        self.wait_for(app, "start")
        screen.keys("e")
        screen.wait_to_see("no calls")

    def test_the_app_is_chosen_where_several_can_call(self):
        apps = [self.app("org.example.desk", "Desk phone", url_schemes=["tel"]),
                self.app("org.example.web", "Web calls", url_schemes=["tel"])]
        screen = self.screen()
        screen.keys("c")
        screen.wait_to_see("Name, number or address:")
        screen.type("+15550142")
        screen.keys("Enter")
        screen.wait_to_see("Call with", "2 Desk phone", "3 Web calls")
        screen.keys("3")
        screen.wait_to_see("dialing", "+15550142")
        self.wait_for(apps[1], "start")
        self.assertEqual(apps[0].kinds(), [])

    def test_a_contact_is_found_by_a_part_of_its_name(self):
        app, screen = self.app(), self.screen()
        screen.keys("4")
        screen.wait_to_see("no contacts")
        screen.keys("n")
        screen.wait_to_see("Name:")
        screen.type("Carla Nuñez")
        screen.keys("Enter")
        screen.wait_to_see("Number or address of Carla Nuñez:")
        screen.type("+15550142")
        screen.keys("Enter")
        screen.wait_to_see("> ", "+15550142")
        screen.keys("f")
        screen.wait_to_see("★ Carla")
        screen.keys("t")
        screen.wait_to_see("rings always")
        screen.is_as_in("contacts")
        screen.keys("2")
        screen.type("nuñ")
        screen.wait_to_see("Carla Nuñez")
        screen.is_as_in("dialer")
        screen.keys("Down", "Enter")
        screen.wait_to_see("dialing", "Carla Nuñez")
        self.wait_for(app, "start")
        screen.keys("e")
        screen.wait_to_see("no calls")
        screen.keys("4")
        screen.wait_to_see("★ Carla")
        screen.keys("x")
        screen.wait_to_see("no contacts")

    def test_missed_calls_are_seen_blocked_called_back_and_removed(self):
        app, screen = self.app(), self.screen()
        self.missed(app, "+15550101", "Bob")
        self.missed(app, "+15550102", "Cleo")
        screen.wait_to_see("Missed (2)")
        screen.keys("3")
        screen.wait_to_see("> * Cleo", "Bob", "not answered")
        screen.is_as_in("missed")
        screen.keys("s")
        screen.wait_not_to_see("Missed (2)")
        screen.keys("b")
        screen.wait_to_see("Blocked")
        wait_that(lambda: len(self.ask("block.list", {}, "blocks")) == 1, "a block")
        screen.keys("x")
        screen.wait_not_to_see("Cleo")
        screen.keys("Enter")
        screen.wait_to_see("dialing", "+15550101")
        self.wait_for(app, "start")

    def test_blocks_and_do_not_disturb(self):
        app, screen = self.app(), self.screen()
        screen.keys("5")
        screen.wait_to_see("nobody is blocked")
        screen.keys("n")
        screen.wait_to_see("Block (")
        screen.type("+1900*")
        screen.keys("Enter")
        screen.wait_to_see("> +1900*")
        screen.keys("z")
        wait_that(lambda: self.ask("policy.get", {}, "policy")["do_not_disturb"]["on"], "do-not-disturb is on")
        screen.wait_to_see(" Do not disturb ")
        screen.is_as_in("blocked")
        screen.keys("z")
        wait_that(lambda: not self.ask("policy.get", {}, "policy")["do_not_disturb"]["on"],
                  "do-not-disturb is off")
        screen.keys("x")
        screen.wait_to_see("nobody is blocked")
        self.assertEqual(app.kinds(), [])

    def test_settings_change_what_they_say(self):
        screen = self.screen()
        screen.keys("6")
        screen.wait_to_see("Busy while in a call", "rule 2", "rule 38")
        screen.is_as_in("settings")
        names = ["busy_in_call", "dial_while_ringing", "on_hold_failure", "on_cannot_hold", "resume_after_user_end",
                 "resume_after_remote_end", "allows_emergency", "unknown_callers", "button_active"]
        before = self.ask("policy.get", {}, "policy")
        for name in names:
            screen.keys("Enter")
            wait_that(lambda: self.ask("policy.get", {}, "policy")[name] != before[name], name)
            screen.keys("Down")
        for name in ("repeated_calls_pass", "priority_callers_pass"):
            screen.keys("Enter")
            wait_that(lambda: self.ask("policy.get", {}, "policy")["do_not_disturb"][name]
                      != before["do_not_disturb"][name], name)
            screen.keys("Down")

    def test_plugins_are_listed_and_restarted(self):
        screen = self.screen()
        screen.keys("7")
        screen.wait_to_see("Bell", "ready")
        screen.is_as_in("plugins")
        starts = self.ask("plugin.list", {}, "plugins")[0]["starts"]
        screen.keys("r")
        wait_that(lambda: self.ask("plugin.list", {}, "plugins")[0]["starts"] > starts, "a restart")

    def broker_arguments(self):
        """One plugin, which waits for calls."""
        folder = os.path.join(self.folder, "bell")
        os.makedirs(folder)
        program = os.path.join(folder, "run.sh")
        with open(program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexec cat >/dev/null\n")
        os.chmod(program, 0o755)
        with open(os.path.join(folder, "org.example.bell.plugin.json"), "w", encoding="utf-8") as file:
            json.dump({"manifest": 1, "identity": "org.example.bell", "name": "Bell", "exec": ["./run.sh"],
                       "roles": ["provider"], "description": "Rings at the door.", "transport": "stdio",
                       "handshake": "implicit", "start": "boot",
                       "provider": {"handle_types": ["generic"]}}, file)
        return ("--plugin-dir", folder)

    def test_the_mouse_changes_views_and_selects(self):
        screen = self.screen(term="xterm-256color")
        screen.click("6 Settings")
        screen.wait_to_see("> Busy while in a call")
        screen.click("The headset's button")
        screen.wait_to_see("> The headset's button")
        screen.slow_click("[?] Help")
        screen.wait_to_see("Keys")
        screen.click("[Esc] Close")
        screen.wait_to_see("> The headset's button")
        screen.click("1 Calls")
        screen.wait_to_see("no calls")


if __name__ == "__main__":
    unittest.main()
