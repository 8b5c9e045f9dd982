"""The other views: the keypad, history, contacts, blocked callers, settings and plugins."""
import contextlib
import json
import os
import tempfile
import unittest

import browser
from browser import CEILING, Page, World, phone, wait_until


class ViewTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self, "--plugin-dir", self.enterContext(plugin_folder()))
        self.page = Page(self.world)
        self.user = self.world.user()

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def contacts(self):
        return self.user.list_contacts().result(CEILING)["contacts"]

    def policy(self):
        return self.user.get_policy().result(CEILING)["policy"]

    # ---- The keypad

    def test_a_typed_number_is_called(self):
        app = self.world.app()
        self.page.go("dial")
        for key in "15550":
            self.page.press(f".dial [data-key='{key}']")
        self.page.press_verb("erase", within=".dial")
        self.page.press(".dial [data-key='7']")
        self.page.press_verb("call", within=".dial")
        asked = self.world.wait_for_action("start")
        self.assertEqual(asked["remote"], {"type": "phone", "value": "15557"})
        self.page.wait_to_see("15557", "dialing", within=".panel")
        call = next(call for kind, call, _ in self.world.performed if kind == "start")
        app.report_connected(call).result(CEILING)
        self.page.wait_to_see("active", within=".panel")

    def test_a_contact_is_found_and_called_with_the_chosen_app(self):
        self.world.app()
        self.user.put_contact(name="Ada Lovelace", handles=[phone("+15550100")]).result(CEILING)
        self.page.go("dial")
        self.page.wait("the app is offered", "return document.querySelectorAll('#dial-app option').length === 3")
        self.page.type("[name=number]", "ada")
        self.page.press(".found .open")
        self.assertEqual(self.world.wait_for_action("start")["remote"]["value"], "+15550100")

    def test_a_call_that_nobody_can_place_is_explained(self):
        self.page.go("dial")
        self.page.type("[name=number]", "+15550100")
        self.page.press_verb("call", within=".dial")
        self.page.wait_to_see("Call: not done", within="#notes")

    # ---- The history

    def past(self):
        """A missed call, and one that was talked."""
        app = self.world.app()
        call = self.world.rings(app, "+15550101", display_name="Grace")
        app.report_ended(call, "unanswered").result(CEILING)
        call = self.world.rings(app, "+15550102", display_name="Ada")
        self.user.answer(call, wait="completed").result(CEILING)
        app.report_ended(call, "remote_ended").result(CEILING)
        return app

    def test_missed_calls_are_counted_until_they_are_seen(self):
        self.past()
        self.page.wait("the badge", "return document.querySelector('.badge').textContent === '1'")
        self.page.go("history")
        self.page.wait_to_see("Grace", "Ada", within=".view .rows")
        self.page.wait("no badge", "return document.querySelector('.badge').hidden")
        self.page.press("[data-filter=missed]")
        self.page.wait("only the missed", "return document.querySelectorAll('.view .row').length === 1")
        self.page.press("[data-filter=all]")
        self.page.wait("all", "return document.querySelectorAll('.view .row').length === 2")
        self.page.press("[data-kind=missed] .round")
        self.assertEqual(self.world.wait_for_action("start")["remote"]["value"], "+15550101")

    def test_what_can_be_done_about_a_past_call(self):
        self.past()
        self.page.go("history")
        opened = "dialog[open]:not(.incoming)"
        self.page.press("[data-kind=missed] .open")
        self.page.wait_to_see("Grace", "+15550101", "Desk phone", within=opened)
        self.page.press_verb("block", within=opened)
        wait_until("it is blocked", lambda: self.user.list_blocks().result(CEILING)["blocks"])
        self.page.press("[data-kind=missed] .open")
        self.page.press_verb("why", within=opened)
        self.page.wait_to_see("it rings", within=opened)
        self.page.press(opened + " .dialog-head button")
        self.page.press("[data-kind=missed] .open")
        self.page.press_verb("add_contact", within=opened)
        self.page.type("[name=name]", "Grace Hopper")
        self.page.press_verb("save", within=opened)
        wait_until("it is a contact", self.contacts)
        self.page.press("[data-kind=missed] .open")
        self.page.press_verb("remove", within=opened)
        self.page.wait_to_lose("[data-kind=missed]")
        self.page.press("[data-kind=incoming] .open")
        self.page.press_verb("call_back", within=opened)
        self.world.wait_for_action("start")

    # ---- Contacts

    def test_a_contact_is_added_changed_called_and_removed(self):
        self.world.app()
        self.page.go("contacts")
        self.page.press("[data-verb=add]")
        self.page.type("[name=name]", "Ada Lovelace")
        self.page.type("[name=handles]", "+1 555 0100\nada@example.org")
        self.page.press("[name=favorite]")
        self.page.press("[data-verb=save]")
        self.page.wait_to_see("Ada Lovelace", "+15550100 · ada@example.org", within=".rows")
        contact = self.contacts()[0]
        self.assertEqual((contact["favorite"], contact["handles"][1]["type"]), (True, "generic"))
        self.page.press(".row .open")
        self.page.press("[name=breakthrough]")
        self.page.press("[data-verb=save]")
        wait_until("it is changed", lambda: self.contacts()[0].get("breakthrough"))
        self.page.wait_to_lose("dialog")
        self.page.type("[name=search]", "nobody")
        self.page.wait_to_see("No contacts")
        self.page.type("[name=search]", "ada")
        self.page.press(".row .round")
        self.world.wait_for_action("start")
        self.page.go("contacts")
        self.page.press(".row .open")
        self.page.press("dialog [data-verb=remove]")
        wait_until("it is gone", lambda: self.contacts() == [])

    # ---- Blocked callers, and do-not-disturb

    def test_numbers_are_blocked_and_unblocked(self):
        self.page.go("block")
        self.page.type("[name=blocked]", "+1 900")
        self.page.press("[name=prefix]")
        self.page.press("[data-verb=block]")
        self.page.wait_to_see("+1900…", within=".view")
        self.assertEqual(self.user.list_blocks().result(CEILING)["blocks"][0]["prefix"]["value"], "+1900")
        self.page.press("[aria-label^=Unblock]")
        self.page.wait_to_see("No number is blocked.")

    def test_do_not_disturb_is_switched_and_scheduled(self):
        self.page.go("block")
        disturb = lambda: self.policy()["do_not_disturb"]
        for name, member in (("dnd", "on"), ("repeated", "repeated_calls_pass"),
                             ("priority", "priority_callers_pass")):
            before = disturb()[member]
            self.page.press(f"[data-switch={name}]")
            wait_until(name, lambda: disturb()[member] != before)
        self.page.press("[data-verb=hour]")
        wait_until("an hour", lambda: disturb()["until_at_ms"])
        self.page.wait_to_see("on until", within=".view")
        self.page.press("[data-day=sat]")
        self.page.press("[data-verb=add-period]")
        wait_until("a period", lambda: disturb()["schedule"] == [
            {"days": ["sat"], "from": "22:00", "to": "07:00"}])
        self.page.press("[aria-label='Remove: 22:00']")
        wait_until("no period", lambda: disturb()["schedule"] == [])

    # ---- Settings

    def test_each_switch_changes_its_policy_and_names_its_rule(self):
        self.page.go("settings")
        names = self.page.run("return [...document.querySelectorAll('[data-switch]')].map("
                              "each => each.dataset.switch)")
        self.assertEqual(len(names), 10)
        for name in names:
            before = self.policy()[name]
            self.assertRegex(self.page.run("return document.querySelector(`[data-switch=${arguments[0]}]`)"
                                           ".closest('.setting').innerText", name), r"rule \d")
            for _ in range(2):
                value = self.policy()[name]
                self.page.press(f"[data-switch={name}]")
                wait_until(name, lambda: self.policy()[name] != value)
                self.page.wait_for_policy(self.policy)
            self.assertEqual(self.policy()[name], before)
        self.page.type("[name=region]", "de\t")
        wait_until("the country", lambda: self.policy()["region"] == "DE")

    def test_what_another_client_sets_is_shown(self):
        self.page.go("settings")
        self.user.set_policy(busy_in_call=True).result(CEILING)
        self.page.wait("it is on", "return document.querySelector('[data-switch=busy_in_call]').checked")

    # ---- Plugins

    def test_plugins_are_listed_restarted_and_disabled(self):
        self.page.go("plugins")
        self.page.wait_to_see("Doorbell", "Rings when somebody is at the door.", "running", within=".rows")
        self.page.press_verb("logs", within=".plugin")
        self.page.wait_to_see("at your service", within="dialog[open]:not(.incoming)")
        self.page.press("dialog[open] .dialog-head button")
        self.page.press_verb("restart", within=".plugin")
        self.page.press_verb("disable", within=".plugin")
        self.page.wait_to_see("disabled", within=".rows")
        self.page.press_verb("enable", within=".plugin")
        self.page.wait_to_see("running", within=".rows")

    def test_a_view_that_loads_slowly_does_not_take_the_place_of_the_next_one(self):
        self.page.wait("views are there", "return document.querySelector('main h1') !== null")
        self.page.driver.set_script_timeout(CEILING)
        self.page.driver.execute_async_script("""const done = arguments[0];
            const moved = () => {
                location.hash = "calls";
                import("/view_plugins.js").then(() => setTimeout(done, 100));
            };
            addEventListener("hashchange", () => setTimeout(moved), {once: true});
            location.hash = "plugins";""")
        self.assertEqual(self.page.text("main h1"), "Calls")

    def test_the_back_button_goes_to_the_view_before(self):
        self.page.go("settings")
        self.page.go("contacts")
        self.page.driver.back()
        self.page.wait_to_see("Settings", "Country", within="main")


PROGRAM = """#!/usr/bin/env python3
import signal, sys
sys.path.insert(0, {sdk!r})
from callbroker import Provider
print("at your service", file=sys.stderr, flush=True)
with Provider("org.example.doorbell", "Doorbell", handle_types=["generic"]) as bell:
    signal.pause()
"""


@contextlib.contextmanager
def plugin_folder():
    """A folder with one plugin."""
    manifest = {
        "manifest": 1, "identity": "org.example.doorbell", "name": "Doorbell", "version": "0.1.0",
        "description": "Rings when somebody is at the door.", "protocol": {"min": 1, "max": 1},
        "roles": ["provider"], "exec": ["./doorbell.py"], "transport": "connect", "start": "boot",
        "provider": {"display_name": "Doorbell", "handle_types": ["generic"]}}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        program = os.path.join(folder, "doorbell.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(PROGRAM.format(sdk=os.path.abspath(browser.SDK)))
        os.chmod(program, 0o700)
        with open(os.path.join(folder, "org.example.doorbell.plugin.json"), "w",
                  encoding="utf-8") as file:
            json.dump(manifest, file)
        yield folder


if __name__ == "__main__":
    unittest.main()
