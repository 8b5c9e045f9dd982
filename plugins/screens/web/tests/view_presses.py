"""What is pressed in the views, for the test that presses every button."""
from browser import CEILING, Provider, new_id, phone, wait_until

OPENED = "dialog[open]:not(.incoming):last-of-type"
KINDS = ("forward_always", "forward_busy", "forward_no_reply", "forward_unreachable", "call_waiting", "caller_id_hidden")


class ViewPresses:
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
        self.page.element(".panel[data-state=dialing]")
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
        self.page.wait("they are counted", "return !document.querySelector('.badge').hidden")
        self.page.go("history")
        self.page.wait("all are seen", "return document.querySelector('.badge').hidden")
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
        policy = lambda: self.user.get_policy().result(CEILING)["policy"]
        disturb = lambda: policy()["do_not_disturb"]
        for name, member in (("repeated", "repeated_calls_pass"), ("priority", "priority_callers_pass"), ("dnd", "on")):
            before = disturb()[member]
            self.page.press(f"[data-switch={name}]")
            wait_until(name, lambda: disturb()[member] != before)
        self.press("hour", "main")
        wait_until("an hour", lambda: disturb()["until_at_ms"])
        self.page.wait_for_policy(policy)
        self.page.press("[data-switch=dnd]")
        wait_until("off", lambda: not disturb()["on"])
        for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun"):
            self.page.press(f"[data-day={day}]")
        self.press("add-period", "main")
        wait_until("a period", lambda: [len(each["days"]) for each in disturb()["schedule"]] == [7])
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
                self.page.wait_for_policy(policy)
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
        self.page.wait("it is looked at", "return !document.hidden")
        self.desktop.wait_until_empty()

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
        wait_until("all are back", lambda: self.app.connected and self.user.connected)
