"""A page that forges, floods and lies, in real browsers under the real broker (CALLBROKER, or
.build/debug/callbroker of this repository). It has no more than its own call, if the user has allowed it
the microphone, and none if not."""
import unittest

import lab

REPORT = "window.dispatchEvent(new CustomEvent('callbroker-report', {detail: %s}))"


class ForgerCases:
    """A page without a microphone."""

    ALLOWS = False

    def setUp(self):
        super().setUp()
        self.page = self.browser.open(self.address("plain.html"))

    def forge(self, detail):
        self.browser.run(self.page, REPORT % detail)

    def assert_nothing(self):
        """Once the program has answered, it has taken all that came before: there is no call."""
        other = self.browser.open(self.address("plain.html", "127.0.0.1"))
        self.browser.run(other, "new RTCPeerConnection()")
        lab.wait_until("the program is a provider", self.user_sees_provider)
        self.assertEqual(self.calls(), [])
        history = self.user.request("history.list", {"limit": 10}).result(lab.CEILING)
        self.assertEqual(history["entries"], [])

    def user_sees_provider(self):
        return self.user.list_providers().result(lab.CEILING)["providers"]

    def test_a_forged_report_of_a_call_is_none_without_the_users_microphone(self):
        self.forge("3")
        self.assert_nothing()

    def test_reports_that_are_no_numbers_are_ignored(self):
        for detail in ("'x'.repeat(50_000_000)", "{toString() { return '3'; }}", "null", "NaN", "1e308",
                       "[3]", "{valueOf: () => 3}"):
            self.forge(detail)
        self.assert_nothing()

    def test_a_flood_of_reports_leaves_the_browser_and_the_broker_alone(self):
        self.browser.run(self.page, "for (let n = 0; n < 200_000; n++) " + REPORT % "n & 15")
        self.assert_nothing()

    def test_a_page_with_very_many_frames_has_no_more_than_its_own(self):
        self.browser.run(self.page, """
            for (let n = 0; n < 100; n++) {
              const frame = document.createElement("iframe");
              frame.srcdoc = "<script>new RTCPeerConnection()</script>";
              document.body.append(frame);
            }""")
        self.assert_nothing()

    def test_a_page_cannot_reach_the_extension(self):
        reached = self.browser.run(self.page, f"""
            const runtime = (globalThis.chrome ?? globalThis.browser)?.runtime;
            if (!runtime?.connect) return "no runtime";
            return await new Promise((done) => {{
              const port = runtime.connect("{lab.CHROMIUM_ID}", {{name: "frame"}});
              port.onDisconnect.addListener(() => done("disconnected"));
              port.postMessage({{live: true, site: "meet.google.com"}});
            }});""")
        self.assertIn(reached, ("no runtime", "disconnected"))
        self.assertEqual(self.browser.run(self.page, f"""
            try {{
              return (await fetch("chrome-extension://{lab.CHROMIUM_ID}/sites/teams.json")).status;
            }} catch {{
              return "nothing";
            }}"""), "nothing")
        self.assert_nothing()


class LiarCases:
    """A page that the user has allowed the microphone."""

    def test_a_call_that_flickers_is_a_few_calls(self):
        near, _, call = self.joined()
        self.browser.run(near, """
            for (let n = 0; n < 60; n++) {
              window.dispatchEvent(new CustomEvent("callbroker-report", {detail: n % 2 ? 3 : 1}));
              await new Promise((done) => setTimeout(done, 120));
            }""")
        self.user.end(call).exception(lab.CEILING)
        entries = self.user.request("history.list", {"limit": 100}).result(lab.CEILING)["entries"]
        self.assertLessEqual(len(entries) + len(self.calls()), 10)
        self.assertTrue(all(entry["remote"]["value"] == f"localhost:{self.port}" for entry in entries))

    def test_a_page_that_says_it_is_held_and_talks_on_is_ended_by_the_user(self):
        near, _, call = self.joined()
        self.browser.run(near, """
            window.addEventListener("callbroker-order", (event) => event.stopImmediatePropagation(), true);
            room.connection.close = () => undefined;""")
        self.user.set_held(call, True).exception(lab.CEILING)
        self.user.end(call, wait="completed").exception(lab.CEILING)
        self.until_gone(call)
        self.assertEqual(self.calls(), [])


globals().update(lab.both(ForgerCases))
globals().update(lab.both(LiarCases))

if __name__ == "__main__":
    unittest.main()
