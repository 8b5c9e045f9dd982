"""For everybody: no violation that axe-core finds, in each view, light and dark, on a phone, and
from right to left; and all of it by keyboard."""
import os
import subprocess
import sys
import unittest

from selenium.webdriver.common.keys import Keys

import browser
from browser import CEILING, DESKTOP, PHONE, PLUGIN, Page, World, phone
from test_details import LINES
from test_views import plugin_folder

PLACE = os.path.join(PLUGIN, ".build", "axe")
AXE = os.path.join(PLACE, "axe_core_python", "axe.min.js")
VIEWS = {"calls": ".panel", "dial": ".dial", "history": ".view .row", "timeline": ".view .picture [role=img]", "contacts": ".view .row",
         "block": ".card", "settings": "[data-switch]", "plugins": ".plugin"}
LOOK = """const done = arguments[0];
axe.run(document, {resultTypes: ["violations"]}).then(result => done(result.violations.map(each =>
    `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map(node => node.html).join(" ")}`)), done);"""

# What is too small for a finger.
SMALL = """return [...document.querySelectorAll("button, select, nav a")].filter(each => {
    const {width, height} = each.getBoundingClientRect();
    return width > 0 && Math.min(width, height) < 44;
}).map(each => each.outerHTML.slice(0, 120));"""


def setUpModule():
    if not os.path.exists(AXE):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        "--no-deps", "--target", PLACE, "axe-core-python==0.1.0"], check=True)


class AccessTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self, "--plugin-dir", self.enterContext(plugin_folder()))
        self.user = self.world.user()
        self.app = self.world.app(supports_text=True, supports_video=True, lines=LINES)

    def look(self, page, where):
        """What axe finds, with the rules of WCAG and its own best practices."""
        with open(AXE, encoding="utf-8") as file:
            page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": file.read()})
        found = page.driver.execute_async_script(LOOK)
        self.assertEqual(found, [], where)

    def look_everywhere(self, page):
        self.user.put_contact(name="Ada", handles=[phone("+15550100")], favorite=True).result(CEILING)
        missed = self.world.rings(self.app, "+15550109")
        self.app.report_ended(missed, "unanswered").result(CEILING)
        self.look(page, "no calls")
        self.world.rings(self.app, "+15550100", display_name="Ada")
        page.element("dialog.incoming .go")
        self.look(page, "incoming")
        page.press("dialog.incoming .go")
        page.element(".panel [data-verb=hold]")
        self.world.rings(self.app, "+15550101", has_text=True, supports_set_text=True, supports_set_video=True)
        page.element("dialog.incoming .go")
        self.look(page, "incoming while talking")
        page.press("dialog.incoming .go")
        page.element(".row[data-state=held]")
        page.element(".panel[data-state=active]")
        self.has_details(page)
        for view, sign in VIEWS.items():
            page.go(view)
            page.element(sign)
            self.look(page, view)
        page.go("calls")
        for verb, sign in (("why", ".steps li"), ("whatif", ".chip"), ("play_dtmf", ".key"), ("set_video", ".choice"),
                           ("set_text", ".conversation p"), ("participants", "[data-participant]"),
                           ("timeline", ".picture .link-held")):
            page.press_verb(verb)
            page.wait(sign, "return document.querySelector('dialog[open] ' + arguments[0]) !== null", sign)
            self.look(page, verb)
            page.press("dialog[open] .dialog-head button")
        page.go("contacts")
        page.press("[data-verb=add]")
        self.look(page, "a contact")
        page.press("dialog[open] [data-verb=close]")
        page.go("dial")
        page.press(".lines [data-verb=settings]")
        self.look(page, "a line")
        page.press("dialog[open] [data-verb=close]")
        page.go("block")
        page.press("main .rule")
        page.element("dialog .rule-text")
        self.look(page, "a rule")

    def has_details(self, page):
        """Text, a conference, a poor connection, and a request of the other side."""
        call = page.run("return document.querySelector('.panel').dataset.call")
        self.app.report_text(call, "hello").result(CEILING)
        self.app.report_participants(call, [{"participant": "1", "name": "Ada", "changeable": ["muted"]}]).result(CEILING)
        self.app.report_video_request(call, "both").result(CEILING)
        self.app.report_quality(call, loss_permille=90).result(CEILING)
        page.element(".request")
        page.element(".panel [data-verb=participants]")
        self.look(page, "a request")

    def test_light(self):
        self.look_everywhere(Page(self.world))

    def test_dark_on_a_wide_screen(self):
        self.look_everywhere(Page(self.world, browser.WIDE, scheme="dark"))

    def test_light_on_a_phone(self):
        self.look_everywhere(Page(self.world, PHONE, "fr"))

    def test_dark_on_a_phone(self):
        self.look_everywhere(Page(self.world, PHONE, scheme="dark"))

    def test_from_right_to_left(self):
        page = Page(self.world, PHONE, "ar")
        self.assertEqual(page.run("return [document.documentElement.lang, document.documentElement.dir]"),
                         ["ar", "rtl"])
        self.look_everywhere(page)

    def test_a_call_is_answered_and_ended_by_keyboard(self):
        page = Page(self.world)
        call = self.world.rings(self.app)
        page.wait("Answer has the focus", "return document.activeElement.dataset.verb === 'answer'")
        self.keys(page, Keys.ENTER)
        self.world.wait_for_action("answer", call)
        page.element(".panel [data-verb=end]")
        for _ in range(40):
            if page.run("return document.activeElement.dataset.verb") == "end":
                break
            self.keys(page, Keys.TAB)
        self.keys(page, Keys.SPACE)
        self.world.wait_for_action("end", call)

    def test_escape_lets_a_call_ring_on(self):
        page = Page(self.world)
        call = self.world.rings(self.app)
        page.element("dialog.incoming")
        self.keys(page, Keys.ESCAPE)
        page.wait_to_lose("dialog.incoming")
        page.element(f".calls [data-call='{call}']")
        self.assertEqual(self.world.performed, [])

    def keys(self, page, key):
        page.driver.switch_to.active_element.send_keys(key)

    def test_nothing_is_wider_than_the_page_and_buttons_are_large_enough(self):
        for size in (PHONE, (320, 640), DESKTOP, browser.WIDE):
            page = Page(self.world, size, "de")
            self.world.address = self.world.fresh_address()
            for view in VIEWS:
                page.go(view)
                page.element("main h1")
                self.assertLessEqual(page.run("return document.documentElement.scrollWidth"), size[0], (size, view))
                self.assertEqual(page.run(SMALL), [], (size, view))
            page.quit()


if __name__ == "__main__":
    unittest.main()
