"""The site in a browser: from a web server below some folder, and as files."""

import os
import tempfile
import unittest
from urllib.parse import urlsplit

from selenium.webdriver.common.keys import Keys
from site_pages import PLACE, Browser, built, page, served

SEARCHES = {
    "rule 13": ("rules.html#rule-13", "Rule 13: a provider reports"),
    "MANIFEST": ("plugins/manifest.html", "manifest"),
    "kill -9": ("", "kill -9"),
    "report_incoming": ("plugins/reference.html", "report_incoming"),
    "--state-dir": ("packaging/callbroker.1.html", "state-dir"),
}
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1400, 1000), "wide": (2560, 1440)}
SWIFT = "swift/documentation/callclient/index.html"
WIDER = """const inside = "pre, .md-typeset__scrollwrap, [hidden]", wider = element =>
    element.getBoundingClientRect().right > arguments[0] + 1 && !element.closest(inside);
return document.documentElement.scrollWidth <= arguments[0] ? null :
    [...document.body.querySelectorAll("*")].filter(wider).map(element => element.outerHTML.slice(0, 99));"""
# Each with all that is found in its page.
RESULTS = """const items = [...document.querySelectorAll(".md-search-result__item")];

return items.length ? items.slice(0, 3).flatMap(item => [...item.querySelectorAll("a")].map(
    link => [link.href.replace(/[?]h=[^#]*/, ""), item.textContent])) : null;"""


class BrowserTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        built()
        # The site is in a folder of the server, as it is of most.
        top = cls.enterClassContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        os.makedirs(os.path.join(top, "some"))
        os.symlink(PLACE, os.path.join(top, "some/where"))
        cls.server = cls.enterClassContext(served(top))
        cls.site = cls.server + "/some/where/"
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def assert_quiet(self):
        """Nothing was loaded from anywhere else, and nothing has failed."""
        allowed = (self.server, "data:", "blob:", "about:", "chrome", PLACE.as_uri())
        self.assertEqual([address for address in self.browser.loaded() if not address.startswith(allowed)], [])
        self.assertEqual(self.browser.errors(), [])

    def search(self, words):
        self.browser.press("/")
        self.browser.wait("return document.activeElement.matches('.md-search__input')")
        # At once, or the results of its first letters would be read.
        self.browser.run("document.activeElement.value = arguments[0]", words)
        self.browser.press(Keys.END)
        return self.browser.wait(RESULTS)

    def test_search_finds_words_rules_and_options(self):
        for place in (self.site, PLACE.as_uri() + "/"):
            for words, (name, text) in SEARCHES.items():
                with self.subTest(words, place=urlsplit(place).scheme):
                    self.browser.show(place + "security.html")
                    first = self.search(words)
                    found = [shown for address, shown in first if address.startswith(place + name)]
                    self.assertTrue(found, first)
                    self.assertIn(text, " ".join(found))
        self.assert_quiet()

    def test_a_search_can_be_followed_from_the_keyboard(self):
        self.browser.show(self.site + "index.html")
        expected = self.search("MANIFEST")[0][0]
        self.browser.press(Keys.ARROW_DOWN)
        self.browser.press(Keys.ENTER)
        self.browser.wait("return location.href.split('?')[0] == arguments[0].split('?')[0]", expected)

    def test_every_page_fits_a_telephone(self):
        for path in sorted(PLACE.rglob("*.html")):
            name = str(path.relative_to(PLACE))
            if not name.startswith(("swift/", "source/")):
                self.browser.show(self.site + name, *SIZES["phone"])
                self.assertIsNone(self.browser.run(WIDER, SIZES["phone"][0]), name)
        self.assert_quiet()

    def test_the_front_page_fits_every_screen_light_and_dark(self):
        backgrounds = set()
        for size in SIZES.values():
            for is_dark in (False, True):
                self.browser.show(self.site + "index.html", *size, is_dark)
                self.assertIsNone(self.browser.run(WIDER, size[0]), size)
                backgrounds.add((is_dark, self.browser.run("return getComputedStyle(document.body).backgroundColor")))
        self.assertEqual(len(backgrounds), 2)

    def test_a_wide_block_is_detected(self):
        self.browser.show(self.site + "index.html", *SIZES["phone"])
        self.browser.run("document.querySelector('h1').style.width = '900px'")
        self.assertTrue(self.browser.run(WIDER, SIZES["phone"][0]))

    def test_the_swift_libraries_work_below_a_folder(self):
        for name, heading in ((SWIFT, "CallClient"), ("swift/documentation/callmodel/callid/index.html", "CallID")):
            self.browser.show(self.site + name)
            shown = self.browser.wait("return document.querySelector('h1')?.innerText")
            self.assertEqual(shown.replace("\u200b", ""), heading)
            self.browser.show(self.site + name, *SIZES["phone"])
            self.browser.wait("return document.querySelector('h1')")
            self.assertIsNone(self.browser.run(WIDER, SIZES["phone"][0]), name)
        self.browser.show(self.site + SWIFT)
        self.browser.wait("return document.querySelector('.navigator-card') !== null")
        self.browser.wait("""const link = document.querySelector(".content a[href*='/callclient/callprovider']");
            link?.click(); return link !== null""")
        self.browser.wait("return location.pathname.startsWith(arguments[0])",
                          "/some/where/swift/documentation/callclient/callprovider")
        self.browser.run("document.querySelector('a.guide').click()")
        self.browser.wait("return document.title.startsWith('CallBroker')")
        self.assert_quiet()

    def test_examples_are_coloured_when_the_site_is_built(self):
        text = (PLACE / "plugins/sdk/python/index.html").read_text(encoding="utf-8")
        self.assertIn('<span class="kn">from</span>', text)
        self.assertNotIn("highlight", "".join(page(PLACE / "index.html").loads))


if __name__ == "__main__":
    unittest.main()
