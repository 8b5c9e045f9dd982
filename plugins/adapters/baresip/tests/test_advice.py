"""What the program says about a baresip that it cannot reach. Needs no baresip."""
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import lab
from advice import advice, faults
from options import arguments, endpoint

RIGHT = """\
module_app\t\tmenu.so
module_app\t\tdebug_cmd.so
module_app\t\tctrl_tcp.so\t# the control port
ctrl_tcp_listen\t\t0.0.0.0:4444
"""
CONTROL = endpoint("127.0.0.1:4444")


class AdviceTests(unittest.TestCase):
    def test_the_line_to_change_is_named(self):
        for old, new, fault in (
                ("module_app\t\tctrl", "#module_app\t\tctrl",
                 "3: take away the # before `module_app ctrl_tcp.so`"),
                ("module_app\t\tmenu.so\n", "", " add the line `module_app menu.so`"),
                ("0.0.0.0:4444", "127.0.0.1:5555",
                 "4: `ctrl_tcp_listen 127.0.0.1:5555` should be `ctrl_tcp_listen 127.0.0.1:4444`; "
                 "or --control 127.0.0.1:5555, for a plugin callbroker plugin set baresip control "
                 "127.0.0.1:5555")):
            with self.subTest(fault=fault):
                self.assertEqual(faults(RIGHT.replace(old, new), CONTROL), [fault])

    def test_what_is_right_is_not_blamed(self):
        for listens in ("0.0.0.0:4444", "127.0.0.1:4444", "[::]:4444"):
            self.assertEqual(faults(RIGHT.replace("0.0.0.0:4444", listens), CONTROL), [])
        unsaid = RIGHT.replace("ctrl_tcp_listen", "#ctrl_tcp_listen")
        self.assertEqual(faults(unsaid, CONTROL), [])
        self.assertEqual(faults(unsaid, endpoint("127.0.0.1:5555")), [
            " add the line `ctrl_tcp_listen 127.0.0.1:5555`; without it that is 0.0.0.0:4444"])

    def test_a_configuration_that_is_not_there_is_no_fault(self):
        nowhere = Path("/nowhere/config")
        self.assertEqual(
            advice(CONTROL, nowhere),
            "start one whose control port is 127.0.0.1:4444, or let this program do it: --start, "
            "for a plugin callbroker plugin set baresip start true "
            "(/nowhere/config cannot be read)")

    def test_what_the_user_has_set_for_the_plugin(self):
        chosen = '{"control":"127.0.0.1:5555","start":true,"identity":"org.other"}'
        with mock.patch.dict(os.environ, BROKER_OPTIONS=chosen, BARESIP_CONTROL="127.0.0.1:6666"):
            options = arguments([])
            self.assertEqual(str(arguments(["--control", "127.0.0.1:7777"]).control),
                             "127.0.0.1:7777")
        self.assertEqual((str(options.control), options.start, options.identity),
                         ("127.0.0.1:5555", True, "org.callbroker.baresip"))


class SaidTests(unittest.TestCase):
    """What it writes, which the broker shows with `plugin doctor`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, *options, **environment):
        return lab.Program(
            self, self.folder, "program",
            [sys.executable, os.path.join(lab.PLUGIN, "baresip_provider.py"), *options],
            environment={**os.environ, "XDG_STATE_HOME": self.folder, **environment})

    def test_it_says_once_what_it_waits_for(self):
        config = os.path.join(self.folder, "config")
        with open(config, "w", encoding="utf-8") as file:
            file.write(RIGHT.replace("module_app\t\tctrl", "#module_app\t\tctrl"))
        port = lab.free_ports(1)
        program = self.start("--control", f"127.0.0.1:{port}", "--config", config)
        program.wait_for(f"{config}:3: take away the # before `module_app ctrl_tcp.so`\n")
        program.kill(signal.SIGTERM)
        self.assertEqual(program.said().count("waiting for baresip"), 1)
        self.assertIn(f"waiting for baresip at 127.0.0.1:{port} (", program.said())

    def test_an_address_that_is_none_is_refused(self):
        for options, environment in ((("--control", "here"), {}), ((), {"BARESIP_CONTROL": "here"}),
                                     ((), {"BROKER_OPTIONS": '{"control":"here"}'})):
            with self.subTest(options=options, environment=environment):
                program = self.start(*options, **environment)
                self.assertEqual(program.wait(), 2)
                self.assertIn("expected HOST:PORT such as 127.0.0.1:4444, found 'here'",
                              program.said())
                self.assertIn("its option control, or BARESIP_CONTROL", program.said())


if __name__ == "__main__":
    unittest.main()
