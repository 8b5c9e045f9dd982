"""Calls on the page: presented, answered, held, swapped, ended, and what comes after a lost broker."""
import os
import shutil
import unittest

import browser
from browser import PLUGIN, Page, World


class CallTests(unittest.TestCase):
    def setUp(self):
        self.world = World(self)
        self.page = Page(self.world)
        self.app = self.world.app()

    def tearDown(self):
        self.assertEqual(self.page.complaints(), [])

    def answered(self, number="+15550100", **update):
        """A call that the user has answered on the page."""
        call = self.world.rings(self.app, number, **update)
        self.page.press("dialog.incoming .go")
        self.page.wait("it is active", "return document.querySelector(`[data-call='${arguments[0]}']"
                       "[data-state=active]`) !== null", call)
        return call

    def wait_for_state(self, call, state):
        self.page.wait(f"it is {state}", "return document.querySelector(`.calls [data-call='${arguments[0]}']`)"
                       "?.dataset.state === arguments[1]", call, state)

    def test_a_call_that_comes_in_fills_the_page_and_is_answered(self):
        call = self.world.rings(self.app, display_name="Ada Lovelace")
        self.page.wait_to_see("Incoming call", "Ada Lovelace", "+15550100", "Desk phone",
                              within="dialog.incoming")
        self.page.press_verb("answer", within="dialog.incoming")
        self.world.wait_for_action("answer", call)
        self.page.wait_to_lose("dialog.incoming")
        self.page.wait_to_see("Ada Lovelace", "active", "0:0", within=".panel")

    def test_the_icon_of_the_app_is_on_the_page(self):
        folder = os.path.join(self.world.folder, ".cache", "callbroker", "icons")
        os.makedirs(folder)
        icon = os.path.join(folder, "org.example.bell-0123456789abcdef.png")
        shutil.copy(os.path.join(PLUGIN, "page", "icon-192.png"), icon)
        self.world.rings(self.world.app("org.example.bell", "Bell", icon=icon))
        self.page.wait("its icon is shown", "const icon = document.querySelector('dialog.incoming .app-icon');"
                       "return icon !== null && !icon.hidden && icon.naturalWidth === 192")

    def test_a_call_is_declined(self):
        call = self.world.rings(self.app)
        self.page.press_verb("decline", within="dialog.incoming")
        self.world.wait_for_action("end", call)
        self.page.wait_to_see("No calls at the moment")

    def test_a_call_that_is_put_aside_rings_on_in_the_list(self):
        call = self.world.rings(self.app)
        self.page.press_verb("aside", within="dialog.incoming")
        self.page.wait_to_lose("dialog.incoming")
        self.page.press_verb("silence")
        self.page.press_verb("answer")
        self.world.wait_for_action("answer", call)

    def test_a_second_call_offers_to_hold_or_to_end_the_first(self):
        first = self.answered(display_name="Ada")
        second = self.world.rings(self.app, "+15550101", display_name="Grace")
        self.page.wait_to_see("Another call", "Grace", "You are talking to Ada",
                              "Hold & Answer", "End & Answer", within="dialog.incoming")
        self.page.press_verb("hold_and_answer", within="dialog.incoming")
        self.wait_for_state(first, "held")
        self.wait_for_state(second, "active")
        self.page.wait_to_see("held for Grace", within=".rows")

    def test_a_second_call_ends_the_first(self):
        first = self.answered()
        second = self.world.rings(self.app, "+15550101")
        self.page.press_verb("end_and_answer", within="dialog.incoming")
        self.world.wait_for_action("end", first)
        self.wait_for_state(second, "active")

    def test_held_resumed_muted_and_ended(self):
        call = self.answered()
        self.page.press_verb("hold")
        self.wait_for_state(call, "held")
        self.page.press_verb("resume")
        self.wait_for_state(call, "active")
        self.page.press_verb("mute")
        self.world.wait_for_action("set_muted", call, muted=True)
        self.page.press_verb("unmute")
        self.world.wait_for_action("set_muted", call, muted=False)
        self.page.press_verb("end")
        self.page.wait_to_see("No calls at the moment")

    def test_two_calls_are_swapped_merged_and_split(self):
        first = self.answered()
        second = self.answered("+15550101")
        self.page.press(f".row[data-call='{first}'] .open")
        self.page.press_verb("swap")
        self.wait_for_state(first, "active")
        self.wait_for_state(second, "held")
        self.page.press_verb("merge")
        self.world.wait_for_action("set_group")
        self.page.press_verb("split")
        self.page.wait("both are apart", "return document.querySelector('[data-verb=merge]') !== null")

    def test_tones_are_sent(self):
        call = self.answered()
        self.page.press_verb("play_dtmf")
        for key in "42#":
            self.page.press(f"dialog [data-key='{key}']")
            self.world.wait_for_action("play_dtmf", call, digits=key)
        self.assertEqual(self.page.text("dialog output"), "42#")

    def test_a_call_is_transferred(self):
        call = self.answered(supports_transfer=True)
        self.page.press_verb("transfer")
        self.page.type("#target", "+1 555 0199")
        self.page.press("dialog form button")
        asked = self.world.wait_for_action("transfer", call)
        self.assertEqual(asked["to"], {"type": "phone", "value": "+15550199"})

    def test_two_calls_are_connected_with_each_other(self):
        first = self.answered(supports_attended_transfer=True)
        second = self.answered("+15550101", supports_attended_transfer=True)
        self.page.press_verb("attended_transfer")
        self.assertEqual(self.world.wait_for_action("attended_transfer", second)["with"], first)

    def test_the_sound_goes_to_another_place(self):
        call = self.answered(endpoints=[
            {"endpoint": "a", "kind": "earpiece", "state": "in_use"},
            {"endpoint": "b", "kind": "speaker", "name": "Kitchen"}])
        self.page.press_verb("set_endpoint")
        self.page.wait_to_see("Earpiece", "Kitchen", within="dialog[open]:not(.incoming)")
        self.page.press("dialog .choice:nth-child(2)")
        self.world.wait_for_action("set_endpoint", call, endpoint="b")

    def test_a_call_is_sent_elsewhere_before_an_answer(self):
        call = self.world.rings(self.app, supports_deflect=True)
        self.page.press_verb("deflect", within="dialog.incoming")
        self.page.type("#target", "ann@example.org")
        self.page.press("dialog form button")
        asked = self.world.wait_for_action("deflect", call)
        self.assertEqual(asked["to"], {"type": "generic", "value": "ann@example.org"})

    def test_a_refusal_is_explained(self):
        self.app.on_action("set_held")(lambda action: (_ for _ in ()).throw(
            browser.Failed("busy", "The line cannot be held")))
        self.answered()
        self.page.press_verb("hold")
        self.page.wait_to_see("Hold: not done", "The line cannot be held", within="#notes")
        self.page.press("#notes button")
        self.page.wait_to_lose(".note")

    def test_why_and_what_if_are_one_press_away(self):
        self.answered(display_name="Ada")
        self.page.press_verb("why")
        self.page.wait_to_see("Why: Ada", "it rings", "rule 1", within="dialog[open]:not(.incoming)")
        self.page.press("dialog[open] .dialog-head button")
        self.page.press_verb("whatif")
        self.page.press("dialog [data-verb=end]")
        self.page.wait_to_see("would be done", "Hang up: Ada", within=".plan")
        self.page.press("dialog [data-verb=swap]")
        self.page.wait_to_see("would be refused", within=".plan")
        self.assertEqual([kind for kind, *_ in self.world.performed], ["answer"])

    def test_the_page_comes_back_when_the_broker_was_killed(self):
        call = self.answered(display_name="Ada")
        self.app.reconcile(lambda: [{"call": call, "direction": "incoming", "state": "active",
                                     "remote": browser.phone("+15550100"), "display_name": "Ada"}])
        self.world.broker.kill()
        self.page.wait_to_see("The broker does not run")
        self.world.broker.start()
        self.page.wait_until_ready()
        self.wait_for_state(call, "active")
        # Until the app is back too, an end has nobody to perform it.
        user = self.world.user()
        browser.wait_until("the app is back", lambda: [
            each["provider_connected"] for each in user.list_calls().result(browser.CEILING)["calls"]] == [True])
        self.page.wait("it knows that", "return !document.querySelector('.panel').innerText.includes("
                       "'app not connected')")
        self.page.press_verb("end")
        self.world.wait_for_action("end", call)
        self.page.wait_to_see("No calls at the moment")

    def test_two_pages_show_the_same_and_one_presents(self):
        other = Page(self.world_with_fresh_address())
        call = self.world.rings(self.app)
        self.page.wait(
            "it is listed", "return document.querySelector(`[data-call='${arguments[0]}']`) !== null", call)
        other.wait_to_see("+15550100")
        browser.wait_until("one presents", lambda: (
            self.page.shown("dialog.incoming") != other.shown("dialog.incoming")))

    def world_with_fresh_address(self):
        self.world.address = self.world.fresh_address()
        return self.world

    def test_what_an_app_would_like_is_asked(self):
        admin = self.world.entered(browser.Admin("admin", socket=self.world.broker.path))
        admin.set_policy(new_providers="ask").result(browser.CEILING)
        asking = self.world.app("org.example.other", "Other phone")
        asking.request_authorization().result(browser.CEILING)
        self.page.wait_to_see("Other phone would like to have calls")
        self.page.press("[data-provider='org.example.other'] [data-answer=allow]")
        browser.wait_until("it may", lambda: admin.get_policy().result(browser.CEILING)["policy"][
            "authorization"].get("org.example.other") == "authorized")
        self.page.wait_to_lose("[data-provider='org.example.other']")


if __name__ == "__main__":
    unittest.main()
