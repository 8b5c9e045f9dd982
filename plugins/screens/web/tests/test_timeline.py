"""Calls over time: the picture of a call and of the last hour, live, and its rules."""
import json
import os
import re
import runpy
import subprocess
import unittest

from browser import CEILING, PLUGIN, Page, World, phone, wait_until

ROOT = os.path.join(PLUGIN, "..", "..", "..")
OPENED = "dialog[open]:not(.incoming)"
SCENE = """const done = arguments[arguments.length - 1];
const { request } = await import("/store.js");
const { callOf, sceneOf } = await import("/timeline_scene.js");
const calls = await Promise.all(arguments[0].map(async id => {
    const page = await request("call.timeline", { call: id });
    return callOf(page, 0);
}));
done(sceneOf(calls));"""


class TimelineTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.page = Page(self.world)
        self.app = self.world.app()
        self.user = self.world.user()

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def active(self, number, **update):
        call = self.world.rings(self.app, number, **update)
        self.user.answer(call, wait="completed").result(CEILING)
        self.page.element(f".calls [data-call='{call}'][data-state=active]")
        return call

    def two_calls(self):
        """A call that is held for another one."""
        return self.active("+15550100", display_name="Ada"), self.active("+15550101", display_name="Grace")

    def wait_for_picture(self, *words):
        def has():
            shown = self.page.run("return document.querySelector('main').textContent")
            return all(word in shown for word in words)
        wait_until(lambda: f"{words} in the picture", has)

    def test_the_picture_of_a_call_has_its_states_rules_actions_and_who_holds_it(self):
        first, _ = self.two_calls()
        self.page.press(f".row[data-call='{first}'] .open")
        self.page.press_verb("timeline")
        self.page.wait_to_see("Timeline: Ada", within=OPENED)
        for part in (".s-ringing", ".s-active", ".s-held", ".audio", ".action", ".mark", ".link-held[marker-end]"):
            self.page.wait(part, "return document.querySelector(`.picture ${arguments[0]}`) !== null", part)
        words = self.page.run("return document.querySelector('.picture').textContent")
        for word in ("Ada", "Grace", "Desk phone", "Ada is held for Grace"):
            self.assertIn(word, words)
        self.assertRegex(self.page.run("return document.querySelector('.picture .note-text').textContent"), r"Answer \d+ ms")
        self.assertRegex(self.page.run("return document.querySelector('.picture [role=img]').getAttribute('aria-label')"),
                         r"^Ada; ringing, .*; active, .*; ")

    def test_the_picture_grows_while_the_call_lasts(self):
        call = self.active("+15550100", display_name="Ada")
        self.page.press_verb("timeline")
        self.page.element(".picture .s-active")
        self.user.set_held(call, True, wait="completed").result(CEILING)
        self.page.element(".picture .s-held")
        self.app.report_ended(call, "remote_ended").result(CEILING)
        self.page.wait("its end", "return document.querySelector('.picture .end') !== null")

    def test_the_last_hour_has_the_calls_of_all_apps_and_new_ones(self):
        first, second = self.two_calls()
        self.app.report_ended(first, "remote_ended").result(CEILING)
        self.page.go("timeline")
        self.wait_for_picture("2 calls", "Ada", "Grace")
        other = self.world.app("org.example.mobile", "Mobile")
        self.world.rings(other, "+15550102", display_name="Alan")
        self.page.press("dialog.incoming [data-verb=aside]")
        self.wait_for_picture("3 calls", "Alan", "Mobile")
        self.assertIsNotNone(second)

    def test_a_call_that_never_rang_is_in_the_last_hour(self):
        self.page.go("timeline")
        self.page.wait_to_see("No calls in the last hour", within="main")
        self.user.block(handle=phone("+15550109")).result(CEILING)
        self.app.report_incoming("4c1d3b0e-0000-4000-8000-00000000000a", phone("+15550109")).exception(CEILING)
        self.page.wait_to_see("1 call", within="main")

    def test_a_number_of_a_rule_leads_to_its_text(self):
        self.two_calls()
        self.page.press_verb("timeline")
        self.page.element(".picture a[href$='#rule-2'] text")
        self.page.run("document.querySelector(\".picture a[href$='#rule-2']\").dispatchEvent("
                      "new MouseEvent('click', {bubbles: true, cancelable: true}))")
        self.page.wait_to_see("rule 2", "an incoming call while another is live", within="dialog:last-of-type")
        self.page.press("dialog:last-of-type [data-verb=close]")
        self.page.press(OPENED + " [data-verb=close]")
        self.page.run("location.hash = 'rule-5a'")
        self.page.wait_to_see("rule 5a", "hold_failed", within=OPENED)

    def test_the_page_draws_the_scene_that_the_tool_draws(self):
        first, second = self.two_calls()
        self.user.play_dtmf(second, "12", wait="completed").result(CEILING)
        self.user.set_muted(second, True, wait="completed").result(CEILING)
        self.user.merge(first, second, wait="completed").result(CEILING)
        for call in (first, second):
            self.app.report_ended(call, "remote_ended").result(CEILING)
        tool = subprocess.run([self.world.broker.program, "timeline", first, "--json", "--socket", self.world.broker.path],
                              check=True, capture_output=True, text=True, timeout=CEILING,
                              env={"PATH": os.environ["PATH"], "LANG": "C"})
        self.assertTrue(json.loads(tool.stdout))
        scene = json.loads(subprocess.run(
            [self.world.broker.program, "timeline", "--all", "--json", "--socket", self.world.broker.path],
            check=True, capture_output=True, text=True, timeout=CEILING).stdout)
        self.page.driver.set_script_timeout(CEILING)
        own = self.page.driver.execute_async_script("(async () => {" + SCENE + "})(...arguments)",
                                                    [first, second])
        self.assertEqual(own, scene)
        self.assertEqual(len(own["calls"]), 2)

    def test_focus_stays_while_the_picture_is_drawn_again(self):
        call = self.active("+15550100")
        self.page.press_verb("timeline")
        self.page.wait("a rule has the focus", "const link = document.querySelector('.picture a'); link?.focus();"
                       "return link !== null && document.activeElement === link")
        self.user.set_held(call, True, wait="completed").result(CEILING)
        self.page.element(".picture .s-held")
        self.assertTrue(self.page.run("return document.activeElement.matches('.picture a')"))

    def test_the_page_has_the_rules_as_the_documentation_has_them(self):
        script = runpy.run_path(os.path.join(ROOT, "Scripts", "rules-text"))
        with open(os.path.join(ROOT, script["PAGE"]), encoding="utf-8") as file:
            page = file.read()
        section = page[page.index(script["FIRST"]):page.index(script["NEXT"])]
        rules = script["rules"](section)
        numbers = re.findall(r"^\| (\d+[a-z]?) \|", section, re.MULTILINE)
        self.assertEqual(sorted(rules), sorted(numbers))
        with open(os.path.join(ROOT, script["SCREEN"]), encoding="utf-8") as file:
            self.assertEqual(json.load(file), rules, "run Scripts/rules-text")


if __name__ == "__main__":
    unittest.main()
