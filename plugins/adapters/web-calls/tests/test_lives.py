"""Pages, browsers, programs and brokers that end in the middle of a call, and come back, in real
browsers under the real broker (CALLBROKER, or .build/debug/callbroker of this repository)."""
import os
import signal
import unittest

import lab


class Cases:
    """Each runs in both browsers."""

    def host(self):
        """The process that the browser has started."""
        return lab.wait_until("the native host runs", self.host_of_browser)

    def host_of_browser(self):
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/cmdline", encoding="utf-8", errors="replace") as file:
                    words = file.read().split("\0")
                with open(f"/proc/{number}/environ", encoding="utf-8", errors="replace") as file:
                    is_ours = f"BROKER_SOCKET={self.broker.path}" in file.read().split("\0")
            except OSError:
                continue
            if is_ours and any(word.endswith("/web_calls.py") for word in words):
                return int(number)
        return None

    def providers(self):
        return [each["provider"] for each in self.user.list_providers().result(lab.CEILING)["providers"]]

    def ended(self, call):
        entry = self.until_gone(call)
        return entry["end_reason"], entry["end_cause"]["origin"], entry.get("end_detail", {}).get("text")

    def test_a_page_that_is_closed_has_ended_its_call(self):
        near, _, call = self.joined()
        self.browser.close_tab(near)
        self.assertEqual(self.ended(call), ("local_ended", "app", None))

    def test_a_page_that_goes_elsewhere_has_ended_its_call(self):
        near, _, call = self.joined()
        self.browser.run(near, "setTimeout(() => location = 'far.html?room=nobody')")
        self.assertEqual(self.ended(call), ("local_ended", "app", None))

    def test_a_page_that_crashes_has_failed(self):
        near, _, call = self.joined()
        self.browser.crash(near)
        self.assertEqual(self.ended(call), ("failed", "provider", "the page has crashed"))

    def test_a_browser_that_is_killed_has_failed(self):
        _, _, call = self.joined()
        self.browser.kill()
        self.assertEqual(self.ended(call), ("failed", "provider", "the browser has ended, or its extension"))
        lab.wait_until("the provider is gone", lambda: self.providers() == [])

    def test_an_extension_that_is_disabled_leaves_the_page_its_audio(self):
        near, far, call = self.joined()
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assert_silent(near, far)
        self.browser.disable_extension()
        self.assertEqual(self.ended(call), ("failed", "provider", "the browser has ended, or its extension"))
        self.assert_audible(near, far)

    def test_a_call_outlives_the_broker(self):
        near, far, call = self.joined()
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.broker.kill()
        self.assert_silent(near, far)
        self.start_broker()
        self.until(lambda each: each["call"] == call and each["provider_connected"])
        self.assertEqual(self.user.calls[call]["state"], "held")
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)
        self.user.end(call, wait="completed").result(lab.CEILING)

    def test_a_page_gets_its_audio_back_when_the_broker_stays_away(self):
        near, far, call = self.joined()
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assert_silent(near, far)
        self.broker.kill()
        self.assert_audible(near, far)          # after the broker's grace

    def test_a_page_joins_without_a_broker_and_is_listed_when_there_is_one(self):
        self.broker.kill()
        near, far = self.call()
        self.assert_audible(near, far)
        self.start_broker()
        call = self.until(lambda each: each["state"] == "active")
        self.assert_audible(near, far)
        self.user.set_held(call["call"], True, wait="completed").result(lab.CEILING)
        self.assert_silent(near, far)

    def test_a_program_that_is_killed_comes_back_with_the_call_as_it_was(self):
        near, far, call = self.joined()
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        first = self.host()
        os.kill(first, signal.SIGKILL)
        self.until(lambda each: each["call"] == call and not each["provider_connected"])
        self.until(lambda each: each["call"] == call and each["provider_connected"])
        self.assertEqual(self.user.calls[call]["state"], "held")
        self.assert_silent(near, far)
        self.user.set_held(call, False, wait="completed").result(lab.CEILING)
        self.assert_audible(near, far)

    def test_a_page_that_stands_still_refuses_a_hold_before_the_broker_gives_it_up(self):
        near, far, call = self.joined()
        self.browser.run(near, """setTimeout(() => {
            const request = new XMLHttpRequest(), end = Date.now() + 15000;
            request.open("POST", "/stands-still", false);
            request.send();
            while (Date.now() < end);
        }, 100)""")
        lab.wait_until("the page stands still", lambda: self.server.reports)
        with self.assertRaises(lab.ProviderFailed):
            self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assertEqual(self.user.calls[call]["state"], "active")
        self.assert_audible(near, far)          # once it goes on: nobody has held it
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assert_silent(near, far)

    def test_a_call_outlives_the_idle_time_of_the_extension(self):
        near, far, call = self.joined()
        for _ in range(4):                      # in Firefox here two seconds
            self.gained(far)
        self.user.set_held(call, True, wait="completed").result(lab.CEILING)
        self.assert_silent(near, far)

    def test_the_program_runs_only_beside_pages_that_have_used_a_microphone_or_a_connection(self):
        page = self.browser.open(self.address("plain.html"))
        self.assertIsNone(self.host_of_browser())
        self.browser.run(page, "new RTCPeerConnection()")
        host = self.host()
        lab.wait_until("it is a provider", lambda: self.providers() == [self.BROWSER.identity])
        self.browser.close_tab(page)
        lab.wait_until("it has ended", lambda: not os.path.exists(f"/proc/{host}"))


globals().update(lab.both(Cases))

if __name__ == "__main__":
    unittest.main()
