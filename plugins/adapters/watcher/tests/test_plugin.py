"""As a plugin that the broker starts, whose apps are providers beside it."""
import os
import signal
import unittest
from unittest import mock

from booth import APP, CEILING, PLUGIN, TWO, Admin, Booth, wait_until

PASSED = ("HOME", "PULSE_SERVER", "XDG_RUNTIME_DIR")


class PluginTests(unittest.TestCase):
    def setUp(self):
        self.booth = Booth(self, "pulseaudio")
        environment = {name: self.booth.environment[name] for name in PASSED}
        with mock.patch.dict(os.environ, environment):
            self.booth.broker.kill()
            self.booth.broker.arguments = ("--plugin-dir", PLUGIN)
            self.booth.broker.start()
        self.admin = self.booth.entered(Admin("admin", socket=self.booth.broker.path))
        self.process = self.ready(0)

    def ready(self, former):
        """The process of the plugin, once it is another one and ready."""
        def process():
            row, = self.admin.plugin("list").result(CEILING)["plugins"]
            is_ready = row["state"] == "ready" and row.get("pid") != former
            return row["pid"] if is_ready else None
        return wait_until("the plugin is ready", process)

    def test_it_is_killed_while_it_mutes_and_goes_on(self):
        self.booth.streams_of(APP)
        call = self.booth.wait_for_state("active")["call"]
        other = self.booth.call(self.booth.app(TWO))
        self.booth.wait_for_state("held")
        self.booth.wait_for_muted(APP)
        os.kill(self.process, signal.SIGKILL)
        self.ready(self.process)
        wait_until("the provider is back", lambda: self.booth.watched().get("provider_connected"))
        self.assertEqual((self.booth.watched()["call"], self.booth.watched()["state"]),
                         (call, "held"))
        self.booth.user.end(other, wait="completed").result(CEILING)
        self.booth.wait_for_state("active")
        self.booth.wait_for_unmuted(APP)

    def test_it_is_ready_without_calls_and_no_provider_then(self):
        self.assertEqual(self.admin.list_providers().result(CEILING)["providers"], [])


if __name__ == "__main__":
    unittest.main()
