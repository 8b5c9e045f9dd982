"""The program with a real linphone-daemon, sipp as the caller, and a scripted broker."""
import os
import signal
import socket
import unittest

import lab
from asking import AskingTests

IDENTITY = "org.example.linphone"


class LinphoneTests(AskingTests):
    def attached(self, **options):
        """A linphone, the program attached to it, and the broker's end of the connection."""
        self.sound = lab.Sound(self, self.folder)
        self.linda = lab.Linphone(self, self.folder, "linda", self.sound, **options)
        self.attach()
        self.assertEqual(self.register(), {
            "display_name": "linphone", "handle_types": ["generic", "phone"],
            "url_schemes": ["sip", "sips"], "app_process": "separate", "max_call_groups": 4,
            "max_calls_per_group": 1, "calls": []})

    def attach(self):
        self.program = lab.provider(self, self.folder, self.linda, self.broker.path, IDENTITY)

    def register(self):
        self.peer = self.broker.accept()
        return self.peer.greet_provider()["params"]

    def incoming(self, name="carol", scenario="caller.xml"):
        """Somebody calls; the call's id and the caller."""
        caller = lab.Caller(self, self.folder, name, self.linda, scenario)
        report = self.taken("call.report_incoming")
        self.assertEqual(report["remote"],
                         {"type": "generic", "value": f"sip:{name}@127.0.0.1:{caller.sip}"})
        self.assertEqual((report["display_name"], report["supports_grouping"],
                          report["supports_ungrouping"]), (name, False, False))
        return report["call"], caller

    def answered(self, name="carol", scenario="caller.xml"):
        call, caller = self.incoming(name, scenario)
        self.done(self.asked("answer", call))
        return call, caller

    def ended(self, call, caller):
        self.done(self.asked("end", call))
        self.assertEqual(caller.wait(), 0, caller.said())

    def test_answer_hold_resume_mute_tones_and_end(self):
        self.attached()
        call, caller = self.answered()
        for kind, arguments in (("set_held", {"held": True}), ("set_held", {"held": False}),
                                ("set_muted", {"muted": True}), ("set_muted", {"muted": True}),
                                ("set_muted", {"muted": False}),
                                ("play_dtmf", {"digits": "12#", "style": "single"})):
            self.done(self.asked(kind, call, **arguments))
        self.ended(call, caller)
        self.assertEqual(caller.logged(), ["answered", "a=sendonly", "a=sendrecv"])

    def test_the_caller_gives_up_before_and_hangs_up_after_the_answer(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        ann.command("dial", f"sip:linda@127.0.0.1:{self.linda.sip}")
        call = self.taken("call.report_incoming")["call"]
        ann.command("hangup")
        self.taken("call.report_ended", call=call, reason="remote_ended")
        ann.command("dial", f"sip:linda@127.0.0.1:{self.linda.sip}")
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        ann.command("hangup")
        self.taken("call.report_ended", call=call, reason="remote_ended")

    def test_declined(self):
        self.attached()
        call, caller = self.incoming()
        self.done(self.asked("end", call))
        self.assertEqual(caller.wait(), 1)

    def test_a_call_that_must_not_ring_is_declined(self):
        self.attached()
        caller = lab.Caller(self, self.folder, "carol", self.linda)
        self.peer.refuse(self.peer.read("call.report_incoming"), -32008, reason="block_list")
        self.assertEqual(caller.wait(), 1)

    def test_a_hold_that_the_far_end_refuses_fails(self):
        self.attached()
        call, caller = self.answered(scenario="refusing_caller.xml")
        self.failed(self.asked("set_held", call, held=True), "remote_refused")
        self.ended(call, caller)

    def test_a_hold_that_the_far_end_does_not_answer_is_taken_back(self):
        self.attached()
        call, caller = self.answered(scenario="silent_caller.xml")
        number = self.asked("set_held", call, held=True)
        self.peer.send({"method": "broker.cancel", "params": {"request": number}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)
        self.ended(call, caller)

    def test_what_linphone_holds_by_itself_is_reported(self):
        self.attached()
        first, carol = self.answered("carol")
        second, dave = self.incoming("dave")
        number = self.asked("answer", second)
        frames = [self.peer.read(), self.peer.read()]
        report = next(frame for frame in frames if "method" in frame)
        self.assertEqual((report["method"], report["params"]),
                         ("call.report_held", {"call": first, "held": True}))
        self.peer.reply(report)
        self.assertIn({"jsonrpc": "2.0", "id": number, "result": {}}, frames)
        self.ended(second, dave)
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)

    def test_a_remote_hold_is_told_apart(self):
        self.attached()
        call, caller = self.answered(scenario="holding_caller.xml")
        self.assertEqual(self.taken("call.report_update"), {"call": call, "remote_held": True})
        self.assertEqual(self.taken("call.report_update"), {"call": call, "remote_held": False})
        self.ended(call, caller)

    def test_calls_live_on_when_the_program_starts_again(self):
        self.attached()
        first, carol = self.answered("carol")
        self.done(self.asked("set_held", first, held=True))
        second, dave = self.incoming("dave")
        self.program.kill()
        self.attach()
        calls = self.register()["calls"]
        self.assertEqual([(c["call"], c["direction"], c["state"], c["display_name"])
                          for c in calls], [(first, "incoming", "held", "carol"),
                                            (second, "incoming", "ringing", "dave")])
        self.done(self.asked("end", second))
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)
        self.assertEqual(dave.wait(), 1)

    def test_a_call_made_here_keeps_its_id_when_the_program_starts_again(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        call = "99999999-9999-4999-8999-999999999999"
        number = self.asked("start", call, remote={"type": "generic",
                                                   "value": f"sip:ann@127.0.0.1:{ann.sip}"})
        self.assertEqual(self.peer.read("broker.progress")["params"],
                         {"request": number, "phase": "dialing"})
        self.done(number)
        self.program.kill(signal.SIGTERM)
        self.assertIs(self.peer.read("broker.goodbye")["params"]["resumable"], True)
        self.attach()
        self.assertEqual([(c["call"], c["direction"], c["state"], c["remote"]["value"])
                          for c in self.register()["calls"]],
                         [(call, "outgoing", "dialing", f"sip:ann@127.0.0.1:{ann.sip}")])
        ann.command("accept")
        self.taken("call.report_connected", call=call)
        self.done(self.asked("end", call))

    def test_a_call_to_nobody_is_ended_and_one_that_is_declined_fails(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        number = self.asked("start", "c1", remote={
            "type": "generic", "value": f"sip:ann@127.0.0.1:{ann.sip}"})
        self.peer.read("broker.progress")
        self.done(number)
        ann.command("hangup")
        self.taken("call.report_ended", call="c1", reason="failed")
        number = self.asked("start", "c2", remote={"type": "generic", "value": "sip:x@127.0.0.1:9"})
        self.peer.read("broker.progress")
        ending = self.asked("end", "c2")
        self.failed(number, "call_ended")
        self.done(ending)

    def test_when_linphone_ends_the_provider_goes_and_comes_back_with_it(self):
        self.attached()
        self.answered()
        self.linda.kill()
        self.taken("call.report_ended", reason="failed")
        self.peer.reply(self.peer.read("provider.unregister"))
        self.peer.read("broker.goodbye")
        self.linda = lab.Linphone(self, self.folder, "linda", self.sound, ports=self.linda.ports,
                                  pipe=self.linda.pipe)
        self.assertEqual(self.register()["calls"], [])
        call, caller = self.answered("dave")
        self.ended(call, caller)


class StartTests(AskingTests):
    """The program starts linphone-daemon itself."""

    def start(self, *options):
        self.port = lab.free_ports(64)
        self.pipe = f"callbroker-start-{self.port}"
        self.addCleanup(lab.remove_socket, self.pipe)
        self.options = options
        return self.again()

    def again(self):
        return lab.checked(self, lab.Program(self, self.folder, "program", [
            os.environ["LINPHONE_PROVIDER"], "--pipe", self.pipe, "--identity", IDENTITY,
            "--socket", self.broker.path, "--memory", self.folder + "/memory", "--verbose",
            "--start", "--address", f"127.0.0.1:{self.port}", "--user", "linda", "--rtp",
            f"{self.port + 4}-{self.port + 63}", "--folder", self.folder + "/linphone",
            *self.options]))

    def processes(self):
        """Of the linphone-daemon that was started."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline", encoding="utf-8") as file:
                    words = file.read().split("\0")
            except (OSError, UnicodeDecodeError):
                continue
            if words[0] == "linphone-daemon" and self.pipe in words:
                found.append(int(process))
        return found

    def end_them(self):
        for process in self.processes():
            os.kill(process, signal.SIGKILL)

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
        lab.ceiling("it goes on without a call and without us")(lambda: not self.processes())

    def test_what_stands_in_the_way_is_said(self):
        program = self.start("--address", "here")
        self.assertEqual(program.wait(), 1)
        self.assertIn("--address: expected an IPv4 address and a port", program.said())
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
            lab.ceiling("it stays without a port")(lambda: not self.processes())


if __name__ == "__main__":
    unittest.main()
