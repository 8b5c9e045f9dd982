"""The program starts baresip itself."""
import os
import signal
import socket
import sys
import unittest

import lab
from asking import AskingTests

IDENTITY = "org.example.baresip"


class StartTests(AskingTests):
    def setUp(self):
        super().setUp()
        self.user, self.sip = "bob", lab.free_ports(64)
        self.own = os.path.join(self.folder, "own")
        self.addCleanup(self.end_them)

    def start(self, *options):
        return lab.Program(self, self.folder, "program", [
            sys.executable, os.path.join(lab.PLUGIN, "baresip_provider.py"), "--start",
            "--control", f"127.0.0.1:{self.sip + 3}", "--identity", IDENTITY,
            "--socket", self.broker.path, "--memory", os.path.join(self.folder, "memory"),
            "--address", f"127.0.0.1:{self.sip}", "--user", self.user,
            "--rtp", f"{self.sip + 4}-{self.sip + 63}", "--sound", "tone",
            "--folder", self.own, *options])

    def registered(self):
        self.peer = self.broker.accept()
        return self.peer.greet_provider()["params"]["calls"]

    def processes(self):
        """Of the baresip that was started."""
        return lab.processes("baresip", self.own)

    def end_them(self):
        lab.kill_all(self.processes())

    def test_it_starts_takes_a_call_outlives_the_program_and_ends_with_it_when_idle(self):
        program = self.start()
        self.assertEqual(self.registered(), [])
        carol = lab.Caller(self, self.folder, "carol", self)
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        first = self.processes()
        self.assertEqual(len(first), 1)
        program.kill(signal.SIGTERM)
        self.assertEqual(self.processes(), first)       # it is in a call
        program = self.start()
        self.assertEqual([known["call"] for known in self.registered()], [call])
        self.done(self.asked("end", call))
        self.assertEqual(carol.wait(), 0)
        os.kill(first[0], signal.SIGKILL)               # and one is started anew
        self.peer.reply(self.peer.read("provider.unregister"))
        self.assertEqual(self.registered(), [])
        second = self.processes()
        self.assertEqual((len(second), second != first), (1, True))
        os.kill(second[0], signal.SIGKILL)              # again, and by the same program
        self.peer.reply(self.peer.read("provider.unregister"))
        self.assertEqual(self.registered(), [])
        program.kill(signal.SIGTERM)
        lab.wait_until("it goes on without a call and without us", lambda: not self.processes())

    def test_it_takes_calls_with_a_device_of_alsa(self):
        self.start("--sound", "alsa,null")
        self.registered()
        carol = lab.Caller(self, self.folder, "carol", self)
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        self.done(self.asked("end", call))
        self.assertEqual(carol.wait(), 0)

    def test_it_ends_when_the_broker_wants_no_more_of_it_and_so_does_an_idle_baresip(self):
        """A session of the same identity has superseded it: it would be its turn again for ever."""
        for reason in ("superseded", "stop"):
            with self.subTest(reason):
                program = self.start()
                self.registered()
                self.assertEqual(len(self.processes()), 1)
                self.peer.send({"method": "broker.goodbye", "params": {
                    "reason": reason, "resumable": False}})
                self.peer.socket.close()
                self.assertEqual(program.wait(), 0)
                lab.wait_until("it goes on without us", lambda: not self.processes())

    def test_what_stands_in_the_way_is_said(self):
        for options, status, said in (
                (("--address", "here:x"), 2, "--address: expected HOST or HOST:PORT"),
                (("--folder", "/dev/null/x"), 1, "choose another --folder"),
                (("--sound", "nothing,x"), 1, "--sound: there is no nothing.so")):
            with self.subTest(said=said):
                program = self.start(*options)
                self.assertEqual(program.wait(), status)
                self.assertIn(said, program.said())
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind(("127.0.0.1", self.sip))
            program = self.start()
            self.assertEqual(program.wait(), 1)
            self.assertIn("a port is in use already", program.said())


if __name__ == "__main__":
    unittest.main()
