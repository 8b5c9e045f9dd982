"""Every button of the page, pressed as a user does in a real browser with real calls. What the page shows and
nobody presses is an error, and so is a function of the page that never runs: a new button needs its press here."""
import json
import os
import re
import unittest

import browser
from browser import CEILING, PLUGIN, Admin, Page, World, new_id, phone, wait_until
from notifications import Desktop
from selenium.webdriver.common.keys import Keys
from test_details import LINES
from test_views import plugin_folder
from view_presses import KINDS, OPENED, ViewPresses

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(PLUGIN, "page")
ALL = dict(supports_holding=True, supports_grouping=True, supports_ungrouping=True, supports_dtmf=True,
           supports_transfer=True, supports_attended_transfer=True, supports_set_video=True, supports_set_text=True,
           endpoints=[{"endpoint": "a", "kind": "earpiece", "state": "in_use"}, {"endpoint": "b", "kind": "speaker"}])
# What a request that fails gives instead.
FALLBACK = re.compile(r"\(\) => (\{\}|undefined|\(\{.*\}\)|\{ isDue = true; \})$")
# A call starts an app that does not run: that takes an installed app, and is tried with the broker.
ELSEWHERE = {'app => text("outcome.would_start", { app })'}


class ButtonTests(ViewPresses, unittest.TestCase):
    def setUp(self):
        self.world = World(self, "--plugin-dir", self.enterContext(plugin_folder()))
        self.user = self.world.user()
        self.admin = self.world.entered(Admin("admin", socket=self.world.broker.path))
        settings = [{"setting": kind, "on": kind == "call_waiting"} for kind in KINDS]
        self.app = self.world.app(supports_text=True, supports_video=True, max_call_groups=4,
                                  lines=[{**LINES[0], "settings": settings}, LINES[1]])
        self.desktop = Desktop(self, self.world.folder)
        self.page = Page(self.world, environment={"DBUS_SESSION_BUS_ADDRESS": self.desktop.address},
                         prepare=self.prepare)
        self.number = 0

    def prepare(self, page):
        with open(os.path.join(HERE, "presses.js"), encoding="utf-8") as file:
            page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": file.read()})
        page.driver.execute_cdp_cmd("Profiler.enable", {})
        page.driver.execute_cdp_cmd("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})

    def test_every_button_is_pressed_and_does_something(self):
        for part in (self.navigate, self.incoming_calls, self.calls_in_the_list, self.rows, self.one_call,
                     self.two_calls, self.details, self.questions, self.timeline, self.dial, self.line_settings,
                     self.contacts, self.block, self.settings, self.plugins, self.history, self.notes, self.lost_broker):
            with self.subTest(part=part.__name__):
                part()
            self.clear()
        self.assertEqual(self.page.complaints(), [])
        recorded = self.page.run("return window.recorded")
        missing = sorted(set(recorded["shown"]) - set(recorded["pressed"]))
        self.nothing("shown and not pressed", missing)
        self.nothing("words of the protocol without a press", sorted(self.verbs_of_protocol() - self.verbs(recorded)))
        self.nothing("functions that never ran", self.idle_functions())

    def nothing(self, what, found):
        with self.subTest(what):
            self.assertFalse(found, "\n".join([what + ":", *found]))

    # ---- What is missing

    def verbs_of_protocol(self):
        """The actions that the broker may allow for a call."""
        document = self.user.describe("call.allowed_changed").result(CEILING)
        found = re.search(r'"allowed".*?"(?:enum|x-words|examples)":\s*\[(.*?)\]', json.dumps(document))
        words = set(re.findall(r'"(\w+)"', found[1]))
        self.assertGreater(len(words), 20)
        return words

    @staticmethod
    def verbs(recorded):
        return {key.rsplit("verb ", 1)[1] for key in recorded["pressed"] if "verb " in key}

    def idle_functions(self):
        """Functions of the page's modules that never ran."""
        found = []
        coverage = self.page.driver.execute_cdp_cmd("Profiler.takePreciseCoverage", {})["result"]
        for script in coverage:
            name = script["url"].rsplit("/", 1)[-1]
            if not script["url"].startswith("http://" + self.world.host) or not name.endswith(".js"):
                continue
            with open(os.path.join(PAGE, name), encoding="utf-8") as file:
                source = file.read().encode("utf-16-le")
            for function in script["functions"]:
                at = function["ranges"][0]
                text = source[2 * at["startOffset"]:2 * at["endOffset"]].decode("utf-16-le")
                if at["count"] == 0 and text not in ELSEWHERE and not FALLBACK.match(text):
                    found.append(f"{name}: {function['functionName']}: {text[:90]}")
        return sorted(found)

    # ---- What is done again and again

    def rings(self, **update):
        self.number += 1
        return self.world.rings(self.app, f"+1555{self.number:07}", **{**ALL, "supports_deflect": True, **update})

    def talking(self, **update):
        call = self.rings(**update)
        self.user.answer(call, wait="completed").result(CEILING)
        self.page.element(f".calls [data-call='{call}'][data-state=active]")
        return call

    def clear(self):
        """Ends all calls, and shows the calls."""
        for call in self.user.list_calls().result(CEILING)["calls"]:
            self.app.report_ended(call["call"], "remote_ended")
        self.page.run("document.querySelectorAll('dialog[open]:not(.incoming)').forEach(each => each.close())")
        self.page.go("calls")
        self.page.wait("no calls", "return document.querySelector('.panel').hidden && "
                       "document.querySelector('dialog.incoming[open]') === null")

    def press(self, verb, within=OPENED):
        self.page.press(f"{within} [data-verb='{verb}']")

    def close(self):
        self.press("close")

    # ---- Parts

    def navigate(self):
        for view in ("dial", "history", "timeline", "contacts", "block", "settings", "plugins", "calls"):
            self.page.press(f"#navigation [href='#{view}']")
            self.page.wait(view, "return document.querySelector('#navigation [aria-current]').hash === '#' + arguments[0]", view)
        self.page.press(".none [href='#dial']")
        self.page.element(".dial")
        self.page.run("document.querySelector('.skip').focus()")
        self.page.press(".skip")
        self.page.go("calls")

    def choose_each(self, verb):
        """Asks what each action would do."""
        self.press("whatif", verb)
        count = self.page.run("return document.querySelectorAll('dialog .chip').length")
        for number in range(count):
            self.page.run("document.querySelector('dialog .plan').replaceChildren()")
            self.page.press(f"{OPENED} .chip:nth-child({number + 1})")
            self.page.element(f"{OPENED} .verdict")
        self.close()

    def incoming_calls(self):
        place = "dialog.incoming"
        first = self.rings(has_video=True)
        self.press("why", place)
        self.page.press(f"{OPENED} .rule")
        self.page.element("dialog .rule-text")
        self.close()
        self.close()
        self.choose_each(place)
        self.press("deflect", place)
        self.close()
        self.press("silence", place)
        self.page.wait_to_lose(f"{place} [data-verb=silence]")
        self.press("answer_without_video", place)
        self.world.wait_for_action("answer", first)
        self.choose_each(self.ring(place))
        self.press("hold_and_answer", place)
        self.press("end_and_answer", self.ring(place))
        self.press("end_held_and_answer", self.ring(place))
        self.press("decline", self.ring(place))
        self.clear()
        self.press("answer", self.ring(place))
        self.page.element(".panel[data-state=active]")
        self.press("aside", self.ring(place))
        self.page.wait_to_lose(place)
        self.ring(place)
        self.page.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.page.wait_to_lose(place)
        self.clear()

    def ring(self, place, **update):
        """Lets one more call ring, and puts it aside where it is to be pressed elsewhere. Returns where."""
        self.page.wait_to_lose("dialog.incoming")
        call = self.rings(**update)
        self.page.element("dialog.incoming")
        if place == "dialog.incoming":
            return place
        self.press("aside", "dialog.incoming")
        self.page.wait_to_lose("dialog.incoming")
        if place == ".panel" and not self.page.shown(f".panel[data-call='{call}']"):
            self.page.press(f".row[data-call='{call}'] .open")
        place = f"{place}[data-call='{call}']"
        self.page.element(place)
        return place

    def calls_in_the_list(self):
        place = self.ring(".panel", has_video=True)
        self.press("silence", place)
        self.press("deflect", place)
        self.page.type("#target", "+15550199")
        self.press("deflect", OPENED)
        self.world.wait_for_action("deflect")
        self.clear()
        self.press("answer_without_video", self.ring(".panel", has_video=True))
        self.page.element(".panel[data-state=active]")
        self.press("hold_and_answer", self.ring(".panel"))
        self.press("end_and_answer", self.ring(".panel"))
        self.press("end_held_and_answer", self.ring(".panel"))
        self.press("decline", self.ring(".panel"))
        self.clear()
        self.press("answer", self.ring(".panel"))
        self.page.element(".panel[data-state=active]")

    def rows(self):
        first = self.talking()
        self.press("hold_and_answer", self.ring(".row"))
        self.page.element(f".row[data-call='{first}'][data-state=held]")
        self.press("decline", self.ring(".row"))
        self.press("resume", f".row[data-call='{first}']")
        self.page.element(f".row[data-state=active], .panel[data-call='{first}'][data-state=active]")
        self.page.press(".row[data-state=held] .open, .row[data-state=active] .open")
        self.press("hold", ".row[data-state=active]")
        self.press("end", ".row")
        self.clear()
        other = new_id()
        self.talking()
        self.app.report_external(other, phone("+15550100"), elsewhere="Pocket", supports_pull=True).result(CEILING)
        self.press("pull", f".row[data-call='{other}']")
        self.is_here(other)
        self.clear()
        self.app.report_external(other := new_id(), phone("+15550100"), elsewhere="Pocket", supports_pull=True).result(CEILING)
        self.press("pull", ".panel")
        self.is_here(other)
        self.clear()
        first = self.rings()
        self.press("aside", "dialog.incoming")
        second = self.rings()
        self.press("aside", "dialog.incoming")
        self.page.element(f".panel[data-call='{first}']")
        self.press("answer", f".row[data-call='{second}']")
        self.world.wait_for_action("answer", second)

    def is_here(self, call):
        """Waits until a call is pulled: `clear` ends what the user's session lists, which has no calls elsewhere."""
        self.world.wait_for_action("answer", call)
        self.page.element(f"[data-call='{call}'][data-state=active]")

    def one_call(self):
        call = self.talking()
        for verb, undo, kind in (("mute", "unmute", "set_muted"), ("hold", "resume", "set_held")):
            self.press(verb, ".panel")
            self.world.wait_for_action(kind, call)
            self.press(undo, ".panel")
            self.page.element(f".panel [data-verb={verb}]")
        self.press("play_dtmf", ".panel")
        for key in "123456789*0#":
            self.page.press(f"{OPENED} [data-key='{key}']")
            self.world.wait_for_action("play_dtmf", call, digits=key)
        self.close()
        self.press("set_endpoint", ".panel")
        self.page.press(f"{OPENED} .choice:nth-child(2)")
        self.world.wait_for_action("set_endpoint", call, endpoint="b")
        self.press("set_video", ".panel")
        self.page.press(f"{OPENED} .choice:nth-child(4)")
        self.world.wait_for_action("set_video", call, video="both")
        self.press("why", ".panel")
        self.page.element(f"{OPENED} .steps li")
        self.close()
        self.choose_each(".panel")
        self.press("transfer", ".panel")
        self.page.type("#target", "+15550199")
        self.press("transfer", OPENED)
        self.world.wait_for_action("transfer", call)

    def two_calls(self):
        first, second = self.talking(), self.talking()
        self.press("timeline", ".panel")
        self.page.wait("an arrow", "return document.querySelector('.picture .link-held') !== null")
        self.close()
        self.page.press(f".row[data-call='{first}'] .open")
        self.press("swap", ".panel")
        self.page.element(f".panel[data-call='{first}'][data-state=active]")
        self.press("merge", ".panel")
        self.world.wait_for_action("set_group")
        self.press("split", ".panel")
        self.page.element(".panel [data-verb=merge]")
        self.press("attended_transfer", ".panel")
        self.world.wait_for_action("attended_transfer")
        self.clear()
        self.talking(), self.talking(), self.talking()
        groups = lambda: sum(each[0] == "set_group" for each in self.world.performed)
        before = groups()
        self.press("merge", ".panel")
        self.page.press(f"{OPENED} .choice")
        wait_until("a second group", lambda: groups() > before)
        self.press("end", ".panel")
        self.page.wait("less calls", "return document.querySelectorAll('.calls [data-call]').length < 3")

    def text_of(self, call):
        self.press("set_text", ".panel")
        self.page.element("[name=typed]").send_keys("hi")
        wait_until("typed", lambda: self.world.typed(call) == "hi")
        self.page.driver.execute_cdp_cmd("Input.imeSetComposition", {"text": "e", "selectionStart": 1, "selectionEnd": 1})
        self.page.driver.execute_cdp_cmd("Input.insertText", {"text": "\u00e9"})
        wait_until("composed", lambda: self.world.typed(call) == "hi\u00e9")
        self.press("new_line")
        wait_until("ended", lambda: self.world.typed(call) == "hi\u00e9\u2028")
        self.app.report_text(call, "hello\b").result(CEILING)
        self.page.wait_to_see("hell", within=".conversation")
        self.press("end_text")
        self.world.wait_for_action("set_text", call, text=False)
        self.close()

    def details(self):
        call = self.talking(has_text=True)
        self.text_of(call)
        self.app.report_quality(call, loss_permille=5, jitter_ms=5).result(CEILING)
        people = [{"participant": "1", "self": True, "changeable": ["hand_raised", "muted"]},
                  {"participant": "2", "hand_raised": True, "muted": True, "changeable": ["hand_raised", "muted"]}]
        self.app.report_participants(call, people).result(CEILING)
        self.press("participants", ".panel")
        for one, verb in (("1", "mute"), ("1", "raise_hand"), ("2", "unmute"), ("2", "lower_hand")):
            self.press(verb, f"[data-participant='{one}']")
        wait_until("all are asked for", lambda: sum(each[0] == "change_participant" for each in self.world.performed) == 4)
        self.close()
        self.app.on_action("set_held")(lambda action: (_ for _ in ()).throw(browser.Failed("busy", "Not now")))
        self.press("hold", ".panel")
        self.page.press("#notes button")
        place = self.ring(".panel")
        self.press("hold_and_answer", place)
        self.page.wait_to_see("not done", within="#notes")
        self.press("why", place)
        self.page.wait_to_see("in the way", within=OPENED)
        self.close()
        self.press("decline", place)
        self.app.on_action("set_held")(lambda action: self.world.performed.append((action.kind, action.call, action.arguments)))
        for kind, report in (("video", lambda: self.app.report_video_request(call, "both")),
                             ("text", lambda: self.app.report_text_request(call))):
            for verb in ("decline", "accept"):
                report().result(CEILING)
                self.press(f"{verb}_{kind}", "#questions")
                self.page.wait_to_lose(".request")
                self.world.wait_until_done(call)
        for verb in ("drop_tones", "continue_tones"):
            self.user.play_dtmf(call, "1;2", wait="completed").result(CEILING)
            self.press(verb, "#questions")
            self.page.wait_to_lose(".request")
        self.world.wait_for_action("play_dtmf", call, digits="2")


if __name__ == "__main__":
    unittest.main()
