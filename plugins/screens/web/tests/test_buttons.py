"""Every button of the page, pressed as a user does in a real browser with real calls. What the page shows and
nobody presses is an error, and so is a function of the page that never runs: a new button needs its press here."""
import json
import os
import re
import unittest

import browser
from browser import CEILING, PLUGIN, SDK, Admin, Page, Provider, World, new_id, phone, wait_until
from notifications import Desktop
from selenium.webdriver.common.keys import Keys
from test_details import LINES
from test_views import plugin_folder

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(PLUGIN, "page")
OPENED = "dialog[open]:not(.incoming):last-of-type"
ALL = dict(supports_holding=True, supports_grouping=True, supports_ungrouping=True, supports_dtmf=True,
           supports_transfer=True, supports_attended_transfer=True, supports_set_video=True, supports_set_text=True,
           endpoints=[{"endpoint": "a", "kind": "earpiece", "state": "in_use"}, {"endpoint": "b", "kind": "speaker"}])
KINDS = ("forward_always", "forward_busy", "forward_no_reply", "forward_unreachable", "call_waiting", "caller_id_hidden")
# What a request that fails gives instead.
FALLBACK = re.compile(r"\(\) => (\{\}|undefined|\(\{.*\}\)|\{ isDue = true; \})$")
# A call starts an app that does not run: that takes an installed app, and is tried with the broker.
ELSEWHERE = {'app => text("outcome.would_start", { app })'}


class ButtonTests(unittest.TestCase):
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
            self.page.wait(view, "return document.querySelector('#main h1') !== null && location.hash === '#' + arguments[0]", view)
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
        self.world.wait_for_action("answer", other)
        self.clear()
        self.app.report_external(other := new_id(), phone("+15550100"), elsewhere="Pocket", supports_pull=True).result(CEILING)
        self.press("pull", ".panel")
        self.world.wait_for_action("answer", other)
        self.clear()
        first = self.rings()
        self.press("aside", "dialog.incoming")
        second = self.rings()
        self.press("aside", "dialog.incoming")
        self.page.element(f".panel[data-call='{first}']")
        self.press("answer", f".row[data-call='{second}']")
        self.world.wait_for_action("answer", second)

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
        self.page.element(".panel [data-verb=attended_transfer]")
        self.press("attended_transfer", ".panel")
        self.world.wait_for_action("attended_transfer")
        self.clear()
        self.talking(), self.talking(), self.talking()
        self.press("merge", ".panel")
        self.page.press(f"{OPENED} .choice")
        wait_until("a second group", lambda: sum(each[0] == "set_group" for each in self.world.performed) > 1)
        self.press("end", ".panel")
        self.page.wait("less calls", "return document.querySelectorAll('.calls [data-call]').length < 4")

    def details(self):
        call = self.talking(has_text=True)
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
        self.app.report_quality(call, jitter_ms=5).result(CEILING)
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

    def questions(self):
        self.admin.set_policy(new_providers="ask").result(CEILING)
        for word in ("allow", "deny", "later"):
            with Provider(f"org.example.{word}", word, handle_types=["phone"], socket=self.world.broker.path) as asker:
                answer = asker.request_authorization()
                self.page.press(f"[data-provider='org.example.{word}'] [data-answer={word}]")
                answer.result(CEILING)
        for identity in ("org.example.phone", "org.example.doorbell"):
            self.page.press(f"[data-provider='{identity}'] [data-answer=allow]")
            self.page.wait_to_lose(f"[data-provider='{identity}']")
        self.admin.set_policy(new_providers="allow").result(CEILING)

    def two_hours(self):
        """A picture of calls with a long time between them, which is left out."""
        words = self.page.driver.execute_async_script("""const done = arguments[0];
            Promise.all([import("/timeline_picture.js"), import("/timeline_scene.js")]).then(async ([drawing, scene]) => {
                const call = (id, from, to) => scene.callOf({call: id, provider: "a", entries: [
                    {at_ms: from, event: "change", change: {state: "active"}},
                    {at_ms: to, event: "change", change: {state: "ended"}}]}, 0);
                const picture = drawing.makePicture("two");
                document.querySelector("#main").append(picture);
                await picture.draw(scene.sceneOf([call("x", 0, 60000), call("y", 7200000, 7260000), call("z", 9e6, 9.1e6)]), id => id, id => id);
                const words = picture.textContent;
                picture.remove();
                done(words);
            });""")
        self.assertIn("1:59:00", words)

    def dial(self):
        self.user.put_contact(name="Ada", handles=[phone("+15550100")]).result(CEILING)
        self.page.go("dial")
        for key in "123456789*0#":
            self.page.press(f".dial [data-key='{key}']")
        self.press("erase", ".dial")
        self.page.press("[name=app]")
        self.page.press("[name=app] option[value='org.example.phone']")
        self.page.press("[name=line]")
        self.page.press("[name=line] option[value=sim]")
        self.press("call", ".dial")
        self.assertEqual(self.world.wait_for_action("start")["remote"]["value"], "123456789*0")
        self.clear()
        self.page.go("dial")
        self.page.type("[name=number]", "ad")
        self.page.press(".found .open")
        self.page.element(".panel[data-state=dialing]")
        self.clear()
        self.page.go("dial")
        self.press("voicemail", ".lines")
        self.page.element(".panel[data-state=dialing]")

    def line_settings(self):
        for view in ("dial", "settings"):
            self.page.go(view)
            self.press("settings", ".lines")
            self.page.element(f"{OPENED} [data-setting]")
            if view == "dial":
                self.close()
        for kind in KINDS:
            if kind.startswith("forward"):
                self.page.type(f"[name={kind}-to]", "+15550123")
                self.press("save", f"[data-setting={kind}]")
            else:
                self.page.press(f"{OPENED} [data-switch={kind}]")
            self.world.wait_for_action_of_line(kind)
        for kind in KINDS[:4]:
            self.page.press(f"{OPENED} [data-switch={kind}]")
        self.close()
        self.press("voicemail", ".lines")
        self.page.element(".panel[data-state=dialing]")

    def history(self):
        for number in range(60):
            self.app.report_missed(new_id(), phone(f"+1556{number:07}"), "unanswered", 1000 + number).result(CEILING)
        self.page.go("history")
        self.page.press("[data-filter=missed]")
        self.page.element("[data-filter=missed][aria-pressed=true]")
        self.page.press("[data-filter=all]")
        count = self.page.run("return document.querySelectorAll('.view .row').length")
        self.page.press("[data-verb=more]")
        self.page.wait("more", "return document.querySelectorAll('.view .row').length > arguments[0]", count)
        for verb in ("why", "timeline", "add_contact", "block", "remove"):
            self.page.press("[data-kind=missed] .open")
            self.press(verb)
            if verb in ("why", "timeline", "add_contact"):
                self.page.element(OPENED + " .dialog-head")
                self.close()
        wait_until("it is blocked", lambda: self.user.list_blocks().result(CEILING)["blocks"])
        self.page.press("[data-kind=missed] .round")
        self.page.element(".panel[data-state=dialing]")
        self.clear()
        self.page.go("history")
        self.page.press("[data-kind=missed] .open")
        self.press("call_back")
        self.page.element(".panel[data-state=dialing]")
        self.clear()
        self.page.go("history")
        self.page.press(".view header [data-verb=timeline]")
        self.page.wait("the timeline", "return location.hash === '#timeline'")

    def contacts(self):
        self.page.go("contacts")
        self.press("add", "main")
        self.page.type("[name=name]", "Grace")
        self.page.type("[name=handles]", "+15550177")
        self.page.press("[name=favorite]")
        self.page.press("[name=breakthrough]")
        self.press("save")
        self.page.wait_to_see("Grace", within=".view .rows")
        self.page.press(".view .row:last-child .open")
        self.press("save")
        self.page.wait_to_lose("dialog")
        self.page.type("[name=search]", "grace")
        self.page.wait("found", "return document.querySelectorAll('.view .row').length === 1")
        self.page.press(".view .row .round")
        self.page.element(".panel[data-state=dialing]")
        self.clear()
        self.page.go("contacts")
        self.page.press(".view .row .open")
        self.press("remove")
        self.page.wait("it is gone", "return document.querySelectorAll('.view .row').length === 0")

    def block(self):
        self.page.go("block")
        disturb = lambda: self.user.get_policy().result(CEILING)["policy"]["do_not_disturb"]
        for name, member in (("repeated", "repeated_calls_pass"), ("priority", "priority_callers_pass"), ("dnd", "on")):
            before = disturb()[member]
            self.page.press(f"[data-switch={name}]")
            wait_until(name, lambda: disturb()[member] != before)
        self.press("hour", "main")
        wait_until("an hour", lambda: disturb()["until_at_ms"])
        self.page.press("[data-switch=dnd]")
        wait_until("off", lambda: not disturb()["on"])
        for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun"):
            self.page.press(f"[data-day={day}]")
        self.press("add-period", "main")
        wait_until("a period", lambda: len(disturb()["schedule"][0]["days"]) == 7)
        self.page.press("[aria-label^='Remove:']")
        wait_until("no period", lambda: disturb()["schedule"] == [])
        self.page.press("main .rule")
        self.page.element("dialog .rule-text")
        self.close()
        self.page.type("[name=blocked]", "+1900")
        self.page.press("[name=prefix]")
        self.press("block", "main")
        self.page.wait_to_see("+1900…", within="main")
        self.page.press("[aria-label='Unblock: +1900…']")
        wait_until("it is not blocked", lambda: "+1900…" not in self.page.text("main"))

    def settings(self):
        self.page.go("settings")
        policy = lambda: self.user.get_policy().result(CEILING)["policy"]
        names = self.page.run("return [...document.querySelectorAll('[data-switch]')].map(each => each.dataset.switch)")
        for name in names:
            for _ in range(2):
                before = policy()[name]
                self.page.press(f"[data-switch={name}]")
                wait_until(name, lambda: policy()[name] != before)
        self.page.press("main .rule")
        self.page.element("dialog .rule-text")
        self.close()
        self.page.type("[name=region]", "de\t")
        wait_until("the country", lambda: policy()["region"] == "DE")
        self.page.press("[data-verb=notes]")

    def plugins(self):
        self.page.go("plugins")
        self.press("logs", ".plugin")
        self.page.element(f"{OPENED} .log")
        self.close()
        self.press("restart", ".plugin")
        self.press("disable", ".plugin")
        self.page.wait_to_see("disabled", within=".rows")
        self.press("enable", ".plugin")
        self.page.wait_to_see("running", within=".rows")

    def timeline(self):
        first, second = self.talking(), self.talking()
        self.press("timeline", ".panel")
        self.page.wait("an arrow", "return document.querySelector('.picture .link-held') !== null")
        self.close()
        self.page.press(f".row[data-call='{first}'] .open")
        self.press("timeline", ".panel")
        self.page.wait("an arrow", "return document.querySelector('.picture .link-held') !== null")
        self.user.set_muted(second, True, wait="completed").result(CEILING)
        self.page.wait("muted", "return document.querySelector('.picture .muted') !== null")
        self.page.press("dialog .picture a text")
        self.page.element("dialog .rule-text")
        self.close()
        self.close()
        self.two_hours()
        self.page.go("timeline")
        self.app.report_incoming(first[:-4] + "ffff", phone("+15550100")).exception(CEILING)
        self.page.press("dialog.incoming [data-verb=aside]")
        self.page.press("main .picture a text")
        self.page.element("dialog .rule-text")
        self.close()


    def notes(self):
        self.page.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "origin": "http://" + self.world.host, "permissions": ["notifications"]})
        self.page.driver.execute_cdp_cmd("Target.createTarget", {"url": "about:blank", "background": False})
        self.page.wait("it is hidden", "return document.hidden")
        self.rings(display_name="Ada")
        self.desktop.press(self.desktop.wait_for("Ada"))
        self.page.element("dialog.incoming")

    def lost_broker(self):
        call = self.talking()
        self.page.run("window.recorded.loses = arguments[0]", '"topic":"call.changed"')
        self.user.set_muted(call, True, wait="completed").result(CEILING)
        self.user.set_held(call, True, wait="completed").result(CEILING)
        self.page.wait_to_see("held", "muted", within=".panel")
        self.page.wait("all was read anew", "return window.recorded.loses === undefined")
        self.world.broker.kill()
        self.page.wait_to_see("The broker does not run.")
        self.world.broker.start()
        self.page.wait_until_ready()


if __name__ == "__main__":
    unittest.main()
