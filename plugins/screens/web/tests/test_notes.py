"""Notes of the browser for a page that is not looked at, on a real notification server, and the page as an app."""
import json
import unittest

import browser
from browser import CEILING, Page, World
from notifications import Desktop


class NoteTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.desktop = Desktop(self, self.world.folder)
        self.page = Page(self.world, environment={"DBUS_SESSION_BUS_ADDRESS": self.desktop.address})
        self.page.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": "http://" + self.world.host, "permissions": ["notifications"]})
        self.app = self.world.app()

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def hide(self):
        """Opens another tab in front of the page, and waits until it claims calls from the background."""
        self.page.driver.execute_cdp_cmd("Target.createTarget", {"url": "about:blank", "background": False})
        self.page.wait("it is hidden", "return document.hidden")

    def test_a_call_raises_a_note_which_brings_the_page_to_the_front(self):
        self.page.go("settings")
        self.hide()
        call = self.world.rings(self.app, display_name="Ada Lovelace")
        number = self.desktop.wait_for("Ada Lovelace", "Incoming call", "+15550100")
        self.desktop.press(number)
        self.page.wait("it is looked at", "return !document.hidden")
        self.page.wait("its view is that of the calls", "return location.hash === '#calls'")
        self.page.wait_to_see("Ada Lovelace", within="dialog.incoming")
        self.desktop.wait_until_empty()
        self.page.press_verb("answer", within="dialog.incoming")
        self.world.wait_for_action("answer", call)

    def test_the_note_goes_when_the_call_is_answered_elsewhere(self):
        self.hide()
        call = self.world.rings(self.app, display_name="Ada")
        self.desktop.wait_for("Ada")
        self.world.user().answer(call, wait="completed").result(CEILING)
        self.desktop.wait_until_empty()

    def test_the_note_goes_when_the_caller_gives_up_and_the_missed_call_is_told(self):
        self.hide()
        call = self.world.rings(self.app, display_name="Ada")
        self.desktop.wait_for("Ada")
        self.app.report_ended(call, "unanswered").result(CEILING)
        number = self.desktop.wait_for("Missed call")
        self.desktop.press(number)
        self.page.wait_to_see("Ada", within=".view .rows")

    def test_a_request_for_video_raises_a_note(self):
        app = self.world.app("org.example.video", "Video", supports_video=True)
        call = self.world.rings(app, supports_set_video=True, display_name="Ada")
        self.page.press("dialog.incoming .go")
        self.page.element(".panel[data-state=active]")
        self.hide()
        app.report_video_request(call, "both").result(CEILING)
        self.desktop.wait_for("Ada", "Would like to see you")
        app.report_video_request(call, None).result(CEILING)
        self.desktop.wait_until_empty()

    def test_tones_that_wait_for_the_user_raise_a_note(self):
        call = self.world.rings(self.app, display_name="Ada")
        self.page.press("dialog.incoming .go")
        self.page.element(".panel[data-state=active]")
        self.hide()
        user = self.world.user()
        user.play_dtmf(call, "1;42", wait="completed").result(CEILING)
        self.desktop.wait_for("Ada", "Send these tones now? 42")
        user.continue_tones(call, send=False).result(CEILING)
        self.desktop.wait_until_empty()

    def test_the_note_of_a_call_that_another_screen_presents_goes_with_the_broker(self):
        other = self.world.entered(
            browser.Screen("other", identity="org.example.other", socket=self.world.broker.path))
        other.on("ui.present")(lambda _: {"presented": True})
        other.claim(priority=100).result(CEILING)
        app = self.world.app("org.example.video", "Video", supports_video=True)
        call = self.world.rings(app, supports_set_video=True, display_name="Ada")
        self.world.user().answer(call, wait="completed").result(CEILING)
        self.page.element(".panel[data-state=active]")
        self.hide()
        app.report_video_request(call, "both").result(CEILING)
        self.desktop.wait_for("Ada", "Would like to see you")
        self.world.broker.kill()
        self.desktop.wait_until_empty()

    def test_a_page_that_is_looked_at_raises_none(self):
        self.world.rings(self.app)
        self.page.element("dialog.incoming")
        self.assertEqual(self.desktop.all, [])

    def test_the_user_is_asked_by_a_button(self):
        self.page.driver.execute_cdp_cmd("Browser.resetPermissions", {})
        self.page.open("http://" + self.world.host + "/#settings")
        self.assertEqual(self.page.run("return Notification.permission"), "default")
        self.page.element("[data-verb=notes]")


class AppTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.page = Page(self.world)

    def tearDown(self):
        self.assertEqual([each for each in self.page.complaints() if "ERR_" not in each], [])

    def command(self, name, **members):
        return self.page.driver.execute_cdp_cmd(name, members)

    def test_the_page_can_be_installed_as_an_app(self):
        self.page.wait("a worker", "return navigator.serviceWorker.controller !== null")
        self.assertEqual(self.command("Page.getInstallabilityErrors")["installabilityErrors"], [])
        manifest = self.command("Page.getAppManifest")
        self.assertEqual(manifest["errors"], [])
        self.assertEqual(json.loads(manifest["data"])["display"], "standalone")

    def test_without_its_server_the_page_opens_and_says_so_and_has_no_calls(self):
        self.page.wait("a worker", "return navigator.serviceWorker.controller !== null")
        app = self.world.app()
        call = self.world.rings(app, display_name="Ada Lovelace")
        self.world.user().answer(call, wait="completed").result(CEILING)
        self.page.driver.get("http://" + self.world.host + "/")
        self.page.wait_until_ready()
        self.page.wait_to_see("Ada Lovelace", within=".panel")
        self.world.server.stop()
        self.page.driver.get("http://" + self.world.host + "/")
        self.page.wait_to_see("The screen's server does not run.", "No calls at the moment")
        self.assertNotIn("Ada", self.page.text())
        kept = self.page.driver.execute_async_script("""const done = arguments[0];
            const kept = await_all(); async function await_all() {
                const place = await caches.open("page");
                const replies = await Promise.all((await place.keys()).map(key => place.match(key)));
                done((await Promise.all(replies.map(reply => reply.text()))).join(" "));
            }""")
        self.assertIn("CallBroker", kept)
        self.assertNotIn("Lovelace", kept)
        self.assertNotIn("token", "".join(self.page.driver.execute_async_script(
            "caches.open('page').then(place => place.keys()).then(keys => arguments[0](keys.map(key => key.url)))")))


if __name__ == "__main__":
    unittest.main()
