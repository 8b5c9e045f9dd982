#!/usr/bin/env python3
"""Takes the pictures of the README, or of every view in every form: pictures.py FOLDER [--all]."""
import os
import sys
import unittest

import browser
from test_views import plugin_folder
from browser import CEILING, DESKTOP, PHONE, WIDE, Page, World, phone

FORMS = {"light": (DESKTOP, "en", "light"), "dark": (DESKTOP, "en", "dark"),
         "phone": (PHONE, "en", "light"), "phone-dark": (PHONE, "en", "dark"),
         "wide": (WIDE, "en", "light"), "arabic": (PHONE, "ar", "light"),
         "arabic-wide": (DESKTOP, "ar", "light"), "german": (DESKTOP, "de", "light"),
         "french": (PHONE, "fr", "dark")}


class Pictures(unittest.TestCase):
    folder, forms = ".", FORMS

    def test_take(self):
        for name, form in self.forms.items():
            with self.subTest(form=name):
                self.take(name, *form)

    def take(self, form, size, language, scheme):
        world = World(self, "--plugin-dir", self.enterContext(plugin_folder()))
        desk, mobile = world.app(), world.app("org.example.mobile", "Mobile", kind="modem")
        page = Page(world, size, language, scheme)
        shoot = lambda view: page.picture(os.path.join(self.folder, f"{view}-{form}.png"))
        shoot("empty")
        world.rings(desk, "+442079460123", display_name="Ada Lovelace")
        page.element("dialog.incoming .go")
        shoot("incoming")
        page.press("dialog.incoming .go")
        page.element(".panel [data-verb=hold]")
        shoot("in-call")
        world.rings(mobile, "+15550101", display_name="Grace Hopper")
        page.element("dialog.incoming [data-verb=hold_and_answer]")
        shoot("second")
        page.press("dialog.incoming [data-verb=hold_and_answer]")
        page.element(".row[data-state=held]")
        page.element(".panel [data-verb=hold]")
        third = world.rings(desk, "+15550188")
        page.press("dialog.incoming [data-verb=aside]")
        page.element(".panel[data-state=active]")
        shoot("several")
        page.press(".panel [data-verb=why]")
        page.element(".steps li")
        shoot("why")
        page.press("dialog[open] .dialog-head button")
        page.press(".panel [data-verb=whatif]")
        page.press("dialog .chip:nth-child(5)")
        page.element(".verdict")
        shoot("what-if")
        page.press("dialog[open] .dialog-head button")
        page.press(".panel [data-verb=play_dtmf]")
        page.press("dialog [data-key='5']")
        shoot("tones")
        page.press("dialog[open] .dialog-head button")
        self.other_views(world, page, shoot, third)

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


if __name__ == "__main__":
    Pictures.folder = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2 and sys.argv[2] != "--all":
        Pictures.forms = {name: FORMS[name] for name in sys.argv[2:]}
    elif "--all" not in sys.argv:
        Pictures.forms = {name: FORMS[name] for name in ("light", "phone-dark")}
    unittest.main(argv=sys.argv[:1])
