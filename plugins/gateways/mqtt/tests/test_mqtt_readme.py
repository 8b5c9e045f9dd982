"""The commands of the README, as they are there, under the broker and the mosquitto that they
start. Only the port is another one."""
import os
import signal
import sys
import unittest

from push_bench import ROOT, wait_until
from mosquitto_stand import free_port

sys.path.insert(0, os.path.join(ROOT, "Tests", "System", "Phones", "support"))

from readme_commands import CommandCase  # noqa: E402


class MqttReadmeTests(CommandCase):
    PLUGIN, HEADING = os.path.join(ROOT, "plugins", "gateways", "mqtt"), "## From nothing to"
    COUNT = 9                                   # the tenth shows the call

    def test_ten_commands_lead_to_a_ringing_app(self):
        port = str(free_port())
        self.addCleanup(self.end_mosquitto, port)
        commands, look = self.commands()
        for command in commands:
            self.shell(command.replace("1883", port))
        wait_until("the call rings", lambda: "Ann" in self.shell(look))

    def end_mosquitto(self, port):
        """It has left the shell that started it."""
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if words[:4] == [b"mosquitto", b"-d", b"-p", port.encode()]:
                os.kill(int(number), signal.SIGTERM)


del CommandCase                                 # it has no test of its own


if __name__ == "__main__":
    unittest.main()
