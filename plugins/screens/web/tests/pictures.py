#!/usr/bin/env python3
"""Takes pictures of the page. pictures.py takes those of the README, into its folder; pictures.py FOLDER those of
every view, in every form or in those that are named after it.

    sudo apt-get install chromium chromium-driver python3-selenium pngquant imagemagick
"""
import os
import subprocess
import sys
import tempfile
import unittest

import browser
from test_views import plugin_folder
from browser import CEILING, DESKTOP, PHONE, PLUGIN, WIDE, Page, World, phone

FORMS = {"light": (DESKTOP, "en", "light"), "dark": (DESKTOP, "en", "dark"),
         "phone": (PHONE, "en", "light"), "phone-dark": (PHONE, "en", "dark"),
         "wide": (WIDE, "en", "light"), "arabic": (PHONE, "ar", "light"),
         "arabic-wide": (DESKTOP, "ar", "light"), "german": (DESKTOP, "de", "light"),
         "french": (PHONE, "fr", "dark")}
# The views of the README, by the names of their files, all in the first form. Each is small enough for a page.
README = {"incoming": "incoming", "in-call": "call", "several": "calls", "dial": "dial", "why": "why",
          "timeline": "timeline", "what-if": "what-if", "settings": "settings"}
BYTES_MAX = 60_000
PHONES = ("second-phone", "in-call-phone", "history-phone", "several-arabic")
LINES = [{"line": "home", "label": "Home", "handle": phone("+442079460001"), "default": True, "messages_waiting": 2,
          "voicemail": phone("+442079460099")},
         {"line": "office", "label": "Office", "handle": phone("+442079460002")}]


class Pictures(unittest.TestCase):
    folder, forms, names = ".", FORMS, None

    def test_take(self):
        for name, form in self.forms.items():
            with self.subTest(form=name):
                self.take(name, *form)

    def take(self, form, size, language, scheme):
        world = World(self, "--plugin-dir", self.enterContext(plugin_folder()))
        desk, mobile = world.app(lines=LINES), world.app("org.example.mobile", "Mobile", kind="modem")
        page = Page(world, size, language, scheme)
        shoot = lambda view: self.shoot(page, view, form)
        shoot("empty")
        world.rings(desk, "+442079460123", display_name="Ada Lovelace")
        page.element("dialog.incoming .go")
        shoot("incoming")
        page.press("dialog.incoming .go")
        page.element(".panel [data-verb=hold]")
        page.wait_to_see("0:03", within=".panel")
        shoot("in-call")
        second = world.rings(mobile, "+15550101", display_name="Grace Hopper")
        page.element("dialog.incoming [data-verb=hold_and_answer]")
        shoot("second")
        page.press("dialog.incoming [data-verb=hold_and_answer]")
        page.element(".row[data-state=held]")
        page.element(".panel [data-verb=hold]")
        page.wait_to_see("0:04", within=".panel")
        third = world.rings(desk, "+15550188")
        page.press("dialog.incoming [data-verb=aside]")
        page.element(".panel[data-state=active]")
        shoot("several")
        page.press(".panel [data-verb=why]")
        page.element(".steps li")
        shoot("why")
        page.press("dialog[open] .dialog-head button")
        page.press(".panel [data-verb=whatif]")
        page.press("dialog .chip[data-verb=swap]")
        page.element(".verdict")
        shoot("what-if")
        page.press("dialog[open] .dialog-head button")
        page.press(".panel [data-verb=play_dtmf]")
        page.press("dialog [data-key='5']")
        shoot("tones")
        page.press("dialog[open] .dialog-head button")
        world.user().play_dtmf(second, "1;4711#", wait="completed").result(CEILING)
        page.element(".request [data-verb=continue_tones]")
        shoot("tones-that-wait")
        page.press(".request [data-verb=drop_tones]")
        page.wait_to_lose(".request")
        self.over_time(page, shoot)
        self.other_views(world, page, shoot, third)

    def over_time(self, page, shoot):
        page.press(".panel [data-verb=swap]")
        page.wait("it is drawn", "return document.querySelector('.panel [data-verb=mute]') !== null")
        page.press(".panel [data-verb=mute]")
        page.press(".panel [data-verb=timeline]")
        page.wait("who holds whom", "return document.querySelectorAll('.picture .link-held').length > 1")
        shoot("timeline-of-a-call")
        page.press("dialog[open] .dialog-head button")
        page.go("timeline")
        page.wait("all", "return document.querySelectorAll('.picture [role=img]').length === 3")
        shoot("timeline")

    def shoot(self, page, view, form):
        """Takes a picture, of all or of the README's."""
        if self.names is None:
            return page.picture(os.path.join(self.folder, f"{view}-{form}.png"))
        if view not in self.names:
            return None
        path = os.path.join(self.folder, self.names[view] + ".png")
        page.picture(path)
        return self.shrink(path)

    def shrink(self, path):
        subprocess.run(["pngquant", "--force", "--strip", "--speed", "1", "--output", path, "64", path], check=True)
        self.assertLess(os.path.getsize(path), BYTES_MAX, path)

    def other_views(self, world, page, shoot, call):
        world.user().end(call).result(CEILING)
        user = world.user()
        for name, number, favorite in (("Ada Lovelace", "+442079460123", True), ("Alan Turing", "+441614960999", False),
                                       ("Grace Hopper", "+15550101", True), ("Hedy Lamarr", "+4315550177", False)):
            user.put_contact(name=name, handles=[phone(number)], favorite=favorite).result(CEILING)
        user.block(prefix=phone("+1900"), reason="premium").result(CEILING)
        page.go("dial")
        page.type("[name=number]", "a")
        page.element(".found .open")
        shoot("dial")
        page.type("[name=number]", "x")
        for view, sign in (("history", ".view .row"), ("contacts", ".view .row"), ("block", ".card .row"),
                           ("settings", "[data-switch]"), ("plugins", ".plugin")):
            page.go(view)
            page.element(sign)
            shoot(view)


class PhonePicture(Pictures):
    """The views of phones beside each other, in one picture."""

    def test_take(self):
        target = os.path.join(PLUGIN, "pictures", "phone.png")
        with tempfile.TemporaryDirectory() as folder:
            self.folder, self.names, self.forms = folder, None, {each: FORMS[each] for each in ("phone", "arabic")}
            super().test_take()
            views = [os.path.join(folder, view + ".png") for view in PHONES]
            subprocess.run(["montage", *views, "-tile", "4x1", "-geometry", "293x634+9+0", target], check=True)
        self.shrink(target)


if __name__ == "__main__":
    tests = ["Pictures"]
    if len(sys.argv) == 1:
        tests = ["Pictures", "PhonePicture"]
        Pictures.folder, Pictures.names = os.path.join(PLUGIN, "pictures"), README
        Pictures.forms = {"light": FORMS["light"]}
    else:
        Pictures.folder = os.path.abspath(sys.argv[1])
        Pictures.forms = {name: FORMS[name] for name in sys.argv[2:] or FORMS}
    unittest.main(argv=[sys.argv[0], *tests])
