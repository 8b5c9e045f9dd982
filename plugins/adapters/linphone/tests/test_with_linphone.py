"""The program with a real linphone-daemon, sipp as the caller, and a scripted broker."""
import contextlib
import os
import re
import signal
import socket
import unittest

import lab
import telephones
from asking import AskingTests

IDENTITY = "org.example.linphone"


class LinphoneTests(telephones.UndoneTests):
    IDENTITY, NAME = IDENTITY, "linphone"
    HANDLE_TYPES = ["generic"]
    provider = staticmethod(lab.provider)

    def telephone(self, **options):
        self.sound = lab.Sound(self, self.folder)
        return lab.Linphone(self, self.folder, "linda", self.sound, **options)

    def test_a_transfer_that_fails_is_not_seen_and_the_call_goes_on(self):
        self.attached()
        call, caller, number = self.referred("486 Busy Here")
        lab.wait_until("the far end reports nothing", caller.has_reported)
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)
        self.done(self.asked("set_muted", call, muted=True))
        self.ended(call, caller)

    def test_a_ring_that_linphone_gives_up_is_told_from_a_caller_who_does(self):
        self.attached(accounts="[sip]\ninc_timeout=2\n")
        call, caller = self.incoming()
        self.taken("call.report_ended", call=call, reason="unanswered")
        self.assertEqual(caller.wait(), 1)

    def test_what_linphone_holds_by_itself_is_reported(self):
        self.attached()
        first, carol = self.answered("carol")
        second, dave = self.second_answered(first)
        self.ended(second, dave)
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)

    def test_who_rings_and_refuses_and_with_which_code(self):
        self.attached()
        for number, (status, scenario, reason) in enumerate((
                ("486 Busy Here", "ringing_callee.xml", "remote_ended"),
                ("500 Server Internal Error", "ringing_callee.xml", "failed"),
                ("603 Decline", "early_callee.xml", "remote_ended"))):
            code, text = status.split(" ", 1)
            with self.subTest(status=status):
                self.assertEqual(self.refused(f"c{number}", status, scenario), {
                    "reason": reason, "end_detail": {"code": f"SIP {code}", "text": text}})

    def test_a_start_fails_with_the_code_with_which_somebody_refuses_at_once(self):
        self.attached()
        for number, status in enumerate(("486 Busy Here", "404 Not Found", "603 Decline")):
            code, text = status.split(" ", 1)
            with self.subTest(status=status):
                self.assertEqual(self.not_placed(f"c{number}", status), {
                    "code": -32000, "message": text, "data": {"app_code": f"SIP {code}"}})

    def test_a_start_fails_without_a_code_when_nobody_is_there(self):
        self.attached()
        self.dialled("c1", "sip:ann@nowhere.invalid")
        self.assertEqual(self.peer.read()["error"]["data"], {"reason": "call_ended"})

    def test_without_a_log_only_a_decline_is_told_apart(self):
        self.attached(has_log=False)
        detail = {"reason": "rejected", "text": "the far end declined"}
        for number, (status, scenario, end) in enumerate((
                ("486 Busy Here", "ringing_callee.xml", {"reason": "failed"}),
                ("603 Decline", "early_callee.xml",
                 {"reason": "remote_ended", "end_detail": detail}))):
            with self.subTest(status=status):
                self.assertEqual(self.refused(f"c{number}", status, scenario), end)
        silence = "linphone could not place the call, and does not say why"
        for number, (status, reason, message) in enumerate((
                ("404 Not Found", "call_ended", silence),
                ("603 Decline", "rejected", "the far end declined"))):
            with self.subTest(status=status):
                self.assertEqual(self.not_placed(f"d{number}", status), {
                    "code": -32000, "message": message, "data": {"reason": reason}})

    def test_when_linphone_ends_the_provider_goes_and_comes_back_with_it(self):
        self.attached()
        self.answered()
        self.phone.kill()
        self.taken("call.report_ended", reason="failed")
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.phone = lab.Linphone(self, self.folder, "linda", self.sound, ports=self.phone.ports,
                                  pipe=self.phone.pipe)
        self.assertEqual(self.register()["calls"], [])
        call, caller = self.answered("dave")
        self.ended(call, caller)


class StartTests(AskingTests):
    """The program starts linphone-daemon itself."""

    VERBOSE = ["--verbose"]

    def start(self, *options):
        self.port = lab.free_ports(64)
        self.pipe = f"callbroker-start-{self.port}"
        self.addCleanup(lab.remove_socket, self.pipe)
        self.options = options
        return self.again()

    def again(self):
        return lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.pipe, "--identity", IDENTITY,
            "--socket", self.broker.path, "--memory", self.folder + "/memory", *self.VERBOSE,
            "--start", "--address", f"127.0.0.1:{self.port}", "--user", "linda", "--rtp",
            f"{self.port + 4}-{self.port + 63}", "--folder", self.folder + "/linphone",
            *self.options]))

    def processes(self):
        """Of the linphone-daemon that was started."""
        return lab.processes("linphone-daemon", self.pipe)

    @staticmethod
    def ignored_by(process):
        """The signals that a process ignores."""
        with open(f"/proc/{process}/status", encoding="utf-8") as file:
            ignored = int(dict(line.split(":", 1) for line in file)["SigIgn"], 16)
        return [number for number in signal.Signals if ignored >> (number - 1) & 1]

    def end_them(self):
        lab.kill_all(self.processes())

    def test_it_starts_takes_a_call_outlives_the_program_and_ends_with_it_when_idle(self):
        program = self.start()
        self.addCleanup(self.end_them)
        self.peer = self.broker.accept()
        self.assertEqual(self.peer.greet_provider()["params"]["calls"], [])
        self.user, self.sip = "linda", self.port
        carol = lab.Caller(self, self.folder, "carol", self)
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        first = self.processes()
        self.assertEqual(len(first), 1)
        self.assertNotIn(signal.SIGCHLD, self.ignored_by(first[0]))
        program.kill(signal.SIGTERM)
        self.assertEqual(self.processes(), first)       # it is in a call
        program = self.again()
        self.peer = self.broker.accept()
        self.assertEqual([c["call"] for c in self.peer.greet_provider()["params"]["calls"]], [call])
        self.done(self.asked("end", call))
        self.assertEqual(carol.wait(), 0)
        os.kill(first[0], signal.SIGKILL)           # and it is started anew
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        self.assertNotEqual(self.processes(), first)
        program.kill(signal.SIGTERM)
        lab.wait_until("it goes on without a call and without us", lambda: not self.processes())

    def test_one_that_was_started_by_a_program_that_was_killed_ends_with_the_next(self):
        program = self.start()
        self.addCleanup(self.end_them)
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        first = self.processes()
        self.assertEqual(len(first), 1)
        program.kill(signal.SIGKILL)
        program = self.again()
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        self.assertEqual(self.processes(), first)
        program.kill(signal.SIGTERM)
        lab.wait_until("it goes on without anybody", lambda: not self.processes())

    def not_placed(self, call):
        """Somebody is called who is busy; the error that the start fails with."""
        callee = lab.Callee(self, self.folder, call, "486 Busy Here")
        number = self.asked("start", call, remote={"type": "generic", "value": callee.address})
        self.assertEqual(self.peer.read("broker.progress")["params"]["request"], number)
        return self.peer.read()["error"]

    def test_its_log_is_in_memory_and_freed_once_it_was_read(self):
        self.VERBOSE = []
        program = self.start()
        self.addCleanup(self.end_them)
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        busy = {"code": -32000, "message": "Busy Here", "data": {"app_code": "SIP 486"}}
        self.assertEqual(self.not_placed("c1"), busy)
        self.assertNotIn("log", os.listdir(self.folder + "/linphone"))
        log = self.log_in_memory()
        with open(log, "ab") as file:
            file.write(b"2026-01-02 03:04:05:678 something\n" * 100_000)
        lab.wait_until(lambda: f"it is not freed: {os.stat(log)}",
                       lambda: os.stat(log).st_blocks * 512 < 1_000_000 < os.stat(log).st_size)
        program.kill(signal.SIGKILL)
        self.again()
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        self.assertEqual(self.not_placed("c2"), busy)

    def log_in_memory(self):
        """The path of the log of linphone, which is no file."""
        folder = f"/proc/{self.processes()[0]}/fd"
        return next(path for path in (os.path.join(folder, name) for name in os.listdir(folder))
                    if os.readlink(path).startswith("/memfd:linphone-log"))

    def test_one_that_somebody_else_started_stays(self):
        program = self.start()
        self.addCleanup(self.end_them)
        self.broker.accept().greet_provider()
        program.kill(signal.SIGKILL)
        self.options = ("--folder", self.folder + "/other")
        program = self.again()
        self.peer = self.broker.accept()
        self.peer.greet_provider()
        program.kill(signal.SIGTERM)
        self.assertEqual(program.wait(), 0)
        self.assertEqual(len(self.processes()), 1)

    def test_on_a_fresh_account_it_makes_its_folders_with_their_parents(self):
        self.port = lab.free_ports(64)
        self.pipe = f"callbroker-start-{self.port}"
        self.addCleanup(lab.remove_socket, self.pipe)
        self.addCleanup(self.end_them)
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        environment = {**os.environ, "HOME": home}
        environment.pop("XDG_STATE_HOME", None)
        lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.pipe, "--identity", IDENTITY,
            "--socket", self.broker.path, "--start", "--address", f"127.0.0.1:{self.port}",
            "--user", "linda", "--rtp", f"{self.port + 4}-{self.port + 63}"], environment))
        self.peer = self.broker.accept()
        self.assertEqual(self.peer.greet_provider()["params"]["calls"], [])
        state = os.path.join(home, ".local", "state", "callbroker-linphone")
        self.assertTrue(os.path.exists(os.path.join(state, IDENTITY, "linphonerc")))
        self.user, self.sip = "linda", self.port
        lab.Caller(self, self.folder, "carol", self)
        self.taken("call.report_incoming")
        lab.wait_until("it does not store which call is which",
                       lambda: os.path.exists(os.path.join(state, IDENTITY + ".json")))

    def test_a_port_that_another_program_opens_meanwhile_is_left_to_it(self):
        """A script stands before linphone-daemon, and waits after the port was chosen."""
        go_on = os.path.join(self.folder, "go_on")
        os.mkfifo(go_on)
        os.mkdir(self.folder + "/bin")
        with open(self.folder + "/bin/linphone-daemon", "w", encoding="utf-8") as script:
            script.write(f"#!/bin/bash\ncat {go_on}\n"
                         "exec -a linphone-daemon /usr/bin/linphone-daemon \"$@\"\n")
        os.chmod(script.name, 0o755)
        self.pipe = f"callbroker-start-{os.getpid()}"
        self.addCleanup(lab.remove_socket, self.pipe)
        self.addCleanup(self.end_them)
        program = lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.pipe, "--socket", self.broker.path,
            "--memory", self.folder + "/memory", "--start", "--folder", self.folder + "/linphone",
            "--verbose"], {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as faster:
            faster.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            waiting = lab.reader_of(go_on)
            port = self.configured()
            faster.bind(("127.0.0.1", port))
            os.close(waiting)
            lab.wait_until("it tries no other port", lambda: self.configured() != port)
            os.close(lab.reader_of(go_on))
            program.wait_for("linphone takes calls at")
            self.assertEqual((lab.udp_sockets(port), lab.udp_sockets(self.configured())), (1, 1))

    def configured(self):
        """The port that linphone is to have."""
        def port():
            path = self.folder + "/linphone/linphonerc"
            with contextlib.suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
                return re.findall(r"sip_port=(\d+)\n", file.read())
            return []
        return int(lab.wait_until("it is not written", port)[0])

    def test_what_stands_in_the_way_is_said(self):
        program = self.start("--address", "here")
        self.assertEqual(program.wait(), 1)
        self.assertIn("--address: expected an IPv4 address such as", program.said())
        self.options = ("--folder", "/dev/null/x")
        program = self.again()
        self.assertEqual(program.wait(), 1)
        self.assertIn("choose another --folder", program.said())
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            self.addCleanup(self.end_them)
            taken.bind(("127.0.0.1", self.port))
            self.options = ()
            program = self.again()
            self.assertEqual(program.wait(), 1)
            self.assertIn("is the port in use?", program.said())
            lab.wait_until("it stays without a port", lambda: not self.processes())


if __name__ == "__main__":
    unittest.main()
