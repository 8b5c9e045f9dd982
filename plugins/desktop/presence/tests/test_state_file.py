"""The presence of a real broker in a file."""
import json
import os
import signal
import unittest

from presence_bench import CEILING, ONE, PLUGIN, TWO, Admin, Bench, wait_until

from presence import DEFAULTS  # noqa: E402


class StateFileTests(unittest.TestCase):
    def setUp(self):
        self.bench = Bench(self)

    def test_the_file_has_the_presence_at_each_turn(self):
        self.bench.start()
        self.assertEqual(self.bench.wait_for_shown("free")["in_use"], False)
        one, two = self.bench.app(ONE), self.bench.app(TWO)
        call = self.bench.incoming(one)
        self.assertEqual(self.bench.wait_for_shown("ringing")["in_use"], False)
        self.bench.user.answer(call, wait="completed")
        self.assertEqual(self.bench.wait_for_shown("in_call")["in_use"], True)
        other = self.bench.incoming(two)
        self.assertEqual(self.bench.wait_for_shown("ringing_in_call")["in_use"], True)
        self.bench.end(other)
        self.bench.hold(call)
        shown = self.bench.wait_for_shown("on_hold")
        host = self.bench.user.request("host.get").result()
        self.assertEqual(shown["since_ms"], host["presence"]["since_ms"])
        self.bench.end(call)
        self.bench.wait_for_shown("free")
        self.bench.user.request("policy.set", {"do_not_disturb": {"on": True}}).result()
        self.bench.wait_for_shown("do_not_disturb")

    def test_a_call_that_was_there_before_is_shown(self):
        self.bench.answered(self.bench.app())
        self.bench.start()
        self.bench.wait_for_shown("in_call")

    def test_the_file_is_gone_with_the_program_and_is_never_half_written(self):
        plugin = self.bench.start()
        self.bench.wait_for_shown("free")
        self.assertEqual(os.listdir(os.path.dirname(self.bench.file)), ["presence.json"])
        plugin.process.send_signal(signal.SIGTERM)
        self.assertEqual(plugin.wait(), 0, plugin.said())
        self.assertEqual(os.listdir(os.path.dirname(self.bench.file)), [])

    def test_without_a_broker_nothing_is_known_and_a_short_absence_makes_no_difference(self):
        plugin = self.bench.start("--patience", "1")
        self.bench.wait_for_shown("free")
        self.bench.broker.kill()
        wait_until("no file", lambda: self.bench.shown() is None)
        self.bench.broker.start()
        self.bench.wait_for_shown("free")
        self.assertIsNone(plugin.process.poll())

    def test_the_option_turns_it_off(self):
        plugin = self.bench.start(state_file=False)
        plugin.stop()
        self.assertFalse(os.path.exists(os.path.dirname(self.bench.file)))

    def test_the_page_and_the_manifest_have_the_options_that_there_are(self):
        with open(os.path.join(PLUGIN, "README.md"), encoding="utf-8") as file:
            page = file.read()
        with open(os.path.join(PLUGIN, "org.callbroker.presence.plugin.json"), "rb") as file:
            options = {each["option"]: each["default"] for each in json.load(file)["options"]}
        self.assertEqual(options, DEFAULTS)
        for option in options:
            self.assertRegex(page, rf"\n\|[^|]*`{option}`[^|]*\|")

    def test_as_a_plugin_it_is_started_by_the_broker_with_the_options_of_the_user(self):
        self.bench.supervise()
        self.bench.wait_for_shown("free")
        admin = self.bench.entered(Admin("admin", socket=self.bench.broker.path))
        admin.plugin("set_option", plugin="org.callbroker.presence", option="state_file",
                     value=False).result(CEILING)
        wait_until("the file is gone", lambda: self.bench.shown() is None)
        admin.plugin("set_option", plugin="org.callbroker.presence", option="state_file",
                     value=True).result(CEILING)
        self.bench.wait_for_shown("free")


if __name__ == "__main__":
    unittest.main()
