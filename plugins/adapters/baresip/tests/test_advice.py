"""What the program says about a baresip that it cannot reach. Needs no baresip."""
import os
import signal
import socket
import sys
import tempfile
import unittest
from argparse import ArgumentTypeError
from pathlib import Path
from unittest import mock

import lab
from advice import advice, faults
from options import arguments, endpoint

RIGHT = """\
module_app\t\tmenu.so
module_app\t\tdebug_cmd.so
module_app\t\tctrl_tcp.so\t# the control port
ctrl_tcp_listen\t\t127.0.0.1:4444
"""
CONTROL = endpoint("127.0.0.1:4444")


class AdviceTests(unittest.TestCase):
    def test_the_line_to_change_is_named(self):
        for old, new, fault in (
                ("module_app\t\tctrl", "#module_app\t\tctrl",
                 "3: take away the # before `module_app ctrl_tcp.so`"),
                ("module_app\t\tmenu.so\n", "", " add the line `module_app menu.so`"),
                ("127.0.0.1:4444", "127.0.0.1:5555",
                 "4: `ctrl_tcp_listen 127.0.0.1:5555` should be `ctrl_tcp_listen 127.0.0.1:4444`; "
                 "or --control 127.0.0.1:5555, for a plugin callbroker plugin set baresip control "
                 "127.0.0.1:5555")):
            with self.subTest(fault=fault):
                self.assertEqual(faults(RIGHT.replace(old, new), CONTROL), [fault])

    def test_what_is_right_is_not_blamed(self):
        for listens in ("127.0.0.1:4444", "127.0.0.2:4444", "[::1]:4444"):
            self.assertEqual(faults(RIGHT.replace("127.0.0.1:4444", listens), CONTROL), [])

    def test_a_control_port_that_others_reach_is_blamed(self):
        for listens in ("0.0.0.0:4444", "[::]:4444", "192.0.2.7:4444", ":4444"):
            self.assertEqual(faults(RIGHT.replace("127.0.0.1:4444", listens), CONTROL), [
                f"4: `ctrl_tcp_listen {listens}` lets whoever reaches this host control its calls; "
                "it should be `ctrl_tcp_listen 127.0.0.1:4444`"])
        unsaid = RIGHT.replace("ctrl_tcp_listen", "#ctrl_tcp_listen")
        self.assertEqual(faults(unsaid, CONTROL), [
            " add the line `ctrl_tcp_listen 127.0.0.1:4444`; without it that is 0.0.0.0:4444, and "
            "whoever reaches this host controls its calls"])

    def test_accounts_that_answer_by_themselves_are_blamed(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "config").write_text(RIGHT, encoding="utf-8")
            Path(folder, "accounts").write_text(
                "#<sip:old@h>;answermode=auto\n<sip:ann@h;transport=udp>;answermode=manual\n"
                "<sip:bob@h>\nBob <sip:bob@h;transport=tcp>;regint=0; answermode=auto;x=y\n",
                encoding="utf-8")
            self.assertEqual(advice(CONTROL, Path(folder, "config")).splitlines()[1:], [
                f"{folder}/accounts:4: sip:bob@h answers calls by itself, before others are held: "
                "it should have answermode=manual"])

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

    def test_the_control_port_of_another_host_is_refused(self):
        for control in ("192.0.2.7:4444", "0.0.0.0:4444", "example.org:4444"):
            with self.subTest(control=control), self.assertRaises(ArgumentTypeError) as caught:
                endpoint(control)
            self.assertIn("is not this host alone", str(caught.exception))


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

    def test_a_control_port_that_others_reach_is_refused_loudly(self):
        for host in ("0.0.0.0", "::"):
            with self.subTest(host=host), socket.create_server(
                    (host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as taken:
                port = taken.getsockname()[1]
                program = self.start("--control", f"127.0.0.1:{port}")
                self.assertEqual(program.wait(), 1)
                self.assertIn(f"the control port listens on {host}, so whoever reaches this host "
                              "controls its calls", program.said())
                self.assertIn(f"ctrl_tcp_listen 127.0.0.1:{port}", program.said())

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
