"""Plugins under a real systemd: each is a service of its own, outside the broker's sandbox."""
import json
import os
import re
import shutil
import unittest

from machine import HERE, SERVICE, SOCKET, MachineTests, needs_root, wait_until

NAME = "org.example.phone"
UNITS = f"callbroker-plugin-{NAME}-*.service"
PLUGINS = "/home/ada/.config/callbroker/plugins"


@needs_root
class ServiceTests(MachineTests):
    def setUp(self):
        super().setUp()
        self.install("/usr/local")

    def boot(self, **members):
        """A machine with one plugin, whose call rings."""
        folder = self.machine.path(PLUGINS)
        os.makedirs(folder)
        for name in ("phone.py", "plugin.py"):
            shutil.copy(os.path.join(HERE, name), folder)
        manifest = {"manifest": 1, "identity": NAME, "name": "Phone", "version": "1.0.0", "roles": ["provider"],
                    "exec": ["/usr/bin/python3", "./plugin.py"], "transport": "connect", "start": "boot",
                    "env": {"PYTHONPATH": "/usr/local/share/callbroker/plugins/python"},
                    "provider": {"display_name": "Phone", "handle_types": ["phone"]}, **members}
        with open(os.path.join(folder, f"{NAME}.plugin.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        self.machine.run("chown", "-R", "ada:", "/home/ada/.config")
        self.machine.boot()
        self.machine.systemctl("enable", "--now", SOCKET)
        self.wait_for_call("ringing")

    def lines(self, command, *words):
        return self.machine.execute("callbroker", command, *words, "--json").splitlines()

    def wait_for_call(self, state):
        call, = wait_until(f"a call that is {state}", lambda: [
            call for call in map(json.loads, self.lines("calls"))
            if call["state"] == state and call["provider_connected"]])
        return call["call"]

    def log(self):
        return self.machine.execute("callbroker", "plugin", "logs", NAME)

    def main_process(self, units=UNITS):
        """Of the one service that has one; "0" without one."""
        found = set(self.machine.show("MainPID", units).split()) - {"0"}
        self.assertLessEqual(len(found), 1)
        return "".join(found) or "0"

    def telephones(self):
        """The processes that the log names. The times of its lines may have the same digits."""
        return re.findall(r"telephone (\d+)", self.log())

    def telephone(self):
        process, = self.telephones()
        return process

    def is_alive(self, process):
        return os.path.exists(self.machine.inside(f"/proc/{process}"))

    def kill_broker(self):
        killed = self.main_process(SERVICE)
        self.machine.systemctl("kill", "--signal=KILL", "--kill-whom=main", SERVICE)
        wait_until("another broker", lambda: self.main_process(SERVICE) not in (killed, "0"))

    def test_the_sandbox_is_the_brokers_alone(self):
        self.boot()
        self.assertIn("network", self.log())

    def test_a_call_survives_the_death_of_the_broker_with_its_plugin(self):
        self.boot()
        self.machine.execute("callbroker", "answer")
        call, plugin = self.wait_for_call("active"), self.main_process()
        self.kill_broker()
        self.assertEqual(self.wait_for_call("active"), call)
        self.assertEqual(self.main_process(), plugin)
        self.machine.execute("callbroker", "end")
        wait_until("the end in the log of the plugin", lambda: "end" in self.log())
        self.assertEqual(self.main_process(), plugin)

    def test_a_plugin_is_stopped_with_what_it_has_started(self):
        self.boot()
        telephone = self.telephone()
        self.machine.execute("callbroker", "plugin", "stop", NAME)
        wait_until("the end of the telephone", lambda: not self.is_alive(telephone))
        self.assertEqual(self.main_process(), "0")

    def test_a_telephone_outlives_its_plugin(self):
        self.boot(children="outlive")
        telephone = self.telephone()
        self.machine.execute("callbroker", "plugin", "restart", NAME)
        wait_until("another telephone", lambda: set(self.telephones()) - {telephone})
        self.assertTrue(self.is_alive(telephone))

    def test_plugins_end_with_the_broker(self):
        self.boot()
        self.machine.systemctl("stop", SOCKET, SERVICE)
        wait_until("the end of the plugin", lambda: self.main_process() == "0")


if __name__ == "__main__":
    unittest.main()
