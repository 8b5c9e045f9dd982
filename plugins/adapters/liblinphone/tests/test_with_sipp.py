"""The telephone with sipp and baresip as the far ends, and a scripted broker."""
import os
import socket
import unittest

import lab
import telephones

HERE = os.path.dirname(os.path.abspath(__file__))
IDENTITY = "org.example.linda"
BUSY = {"reason": "remote_ended", "end_detail": {"code": "SIP 486", "text": "Busy Here"}}


class LiblinphoneTests(telephones.UndoneTests):
    IDENTITY, NAME = IDENTITY, "linphone"

    def telephone(self, **options):
        return None                             # it is the program itself

    def attached(self, *options, **members):
        self.sound = lab.Sound(self, self.folder)
        self.phone = lab.Phone(self, self.folder, "linda", self.broker.path, *options,
                               sound=self.sound, **members)
        self.peer = self.broker.accept()
        registered = self.peer.greet_provider()["params"]
        self.phone.wait_for_port()
        return registered

    # The calls end with the program.
    test_calls_live_on_when_the_program_starts_again = None
    test_a_call_made_here_keeps_its_id_when_the_program_starts_again = None

    def test_it_registers_with_what_it_can(self):
        self.assertEqual(self.attached(), {
            "display_name": "liblinphone", "handle_types": ["generic"],
            "url_schemes": ["sip", "sips"], "supports_video": True, "supports_text": True,
            "max_call_groups": 4, "max_calls_per_group": 1, "calls": []})

    def test_a_decline_is_one_and_busy_is_busy(self):
        self.attached()
        call, erin = self.incoming("erin")
        self.done(self.asked("end", call))
        self.assertEqual(erin.wait(), 1)
        self.assertIn("SIP/2.0 603", erin.said())
        first, carol = self.answered("carol")
        second, dave = self.incoming("dave")
        self.done(self.asked("end", second))
        self.assertEqual(dave.wait(), 1)
        self.assertIn("SIP/2.0 486", dave.said())
        self.ended(first, carol)

    def test_a_start_and_tones_fail_in_time(self):
        self.attached()
        number = self.asked("start", "c1", deadline_ms=1500, remote={
            "type": "generic", "value": f"sip:x@127.0.0.1:{lab.free_ports(1)};transport=udp"})
        self.assertEqual(self.peer.read("broker.progress")["params"]["phase"], "dialing")
        frame = self.peer.read()
        self.assertEqual(frame["id"], number)
        self.assertIn(frame["error"]["data"]["reason"], ("no_answer", "network_error"))
        call, caller = self.answered()
        number = self.asked("play_dtmf", call, digits="1234567890", deadline_ms=1100)
        self.assertGreater(self.peer.read("broker.progress")["params"]["extend_ms"], 500)
        self.failed(number, "cancelled")
        self.ended(call, caller)

    def test_a_transfer_that_fails_is_a_refusal_of_the_far_end_and_the_call_goes_on(self):
        self.attached()
        call, caller, number = self.referred("486 Busy Here")
        self.failed(number, "remote_refused")
        self.done(self.asked("set_muted", call, muted=True))
        self.ended(call, caller)

    def test_a_ringing_call_is_deflected(self):
        self.attached()
        call, caller = self.incoming()
        self.done(self.asked("deflect", call, to={"type": "generic", "value": "sip:bob@127.0.0.1"}))
        self.assertEqual(caller.wait(), 1)
        self.assertIn("302", caller.said())

    def test_who_rings_and_refuses_and_with_which_code(self):
        self.attached()
        rejected = {"reason": "remote_ended",
                    "end_detail": {"code": "SIP 603", "text": "Decline"}}
        for number, (status, scenario, end) in enumerate((
                ("486 Busy Here", "ringing_callee.xml", BUSY),
                ("603 Decline", "early_callee.xml", rejected))):
            with self.subTest(status=status):
                self.assertEqual(self.refused(f"c{number}", status, scenario), end)

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
        error = self.peer.read()["error"]
        self.assertEqual(error["data"], {"reason": "network_error"})

    def test_what_liblinphone_holds_by_itself_is_reported(self):
        self.attached()
        first, carol = self.answered("carol")
        second, dave = self.second_answered(first)
        self.ended(second, dave)
        self.done(self.asked("set_held", first, held=False))
        self.ended(first, carol)

    def test_a_call_has_the_number_that_sip_has_for_it(self):
        self.attached()
        lab.Caller(self, self.folder, "carol", self.phone)
        self.assertRegex(self.taken("call.report_incoming")["external_id"], "^carol-1-")

    def test_the_quality_of_the_sound_is_reported(self):
        self.attached()
        ann = lab.Baresip(self, self.folder, "ann")
        ann.command("dial", f"sip:linda@127.0.0.1:{self.phone.sip}")
        call = self.taken("call.report_incoming")["call"]
        self.done(self.asked("answer", call))
        quality = self.taken("call.report_quality", call=call)
        self.assertLess(quality["loss_permille"], 500)
        self.done(self.asked("end", call))

    def test_a_caller_that_another_device_has_answered_or_declined_says_so(self):
        self.attached()
        for cause, reason in (("200", "answered_elsewhere"), ("600", "declined_elsewhere")):
            caller = lab.Caller(self, self.folder, "carol" + cause, self.phone,
                                os.path.join(HERE, "elsewhere_caller.xml"), outcome=cause)
            call = self.taken("call.report_incoming")["call"]
            self.taken("call.report_ended", call=call, reason=reason)
            self.assertEqual(caller.wait(), 0, caller.said())

    def test_when_the_program_ends_the_far_end_is_hung_up(self):
        self.attached()
        _, caller = self.answered()
        self.phone.process.terminate()
        self.peer.reply(self.peer.read("provider.unregister"))
        self.assertEqual((self.phone.wait(), caller.wait()), (0, 0), caller.said())

    def test_a_port_in_use_is_reported(self):
        self.attached()
        other = lab.Phone(self, self.folder, "eve", self.broker.path, ports=self.phone.ports)
        self.assertEqual(other.wait(), 1)
        self.assertIn("is the port in use?", other.said())

    def test_a_port_that_another_program_opens_meanwhile_is_left_to_it(self):
        """The program waits for its configuration after it has chosen its port."""
        config = os.path.join(self.folder, "linphonerc")
        os.mkfifo(config)
        program = lab.checked(self, lab.Program(self, self.folder, "eve", [
            lab.PROGRAM, "--socket", self.broker.path, "--sound", "none", "--verbose",
            "--folder", self.folder + "/eve", "--config", config],
            {**os.environ, **lab.ENVIRONMENT}))
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as faster:
            faster.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            waiting = lab.reader_of(config)
            port = self.opening(program)
            faster.bind(("127.0.0.1", port))
            os.close(waiting)
            lab.wait_until("it tries no other port", lambda: self.opening(program) != port)
            os.close(lab.reader_of(config))
            program.wait_for("it takes calls at")
            other = self.opening(program)
            self.assertEqual((lab.udp_sockets(port), lab.udp_sockets(other)), (1, 1))

    @staticmethod
    def opening(program):
        """The port that it has chosen last."""
        program.wait_for("opening 127.0.0.1:")
        return int(program.said().rpartition("opening 127.0.0.1:")[2].split()[0])

    def test_numbers_and_names_are_in_the_log_of_sip_only(self):
        self.attached()
        call, caller = self.answered()
        self.ended(call, caller)
        self.assertNotIn("carol", self.phone.said())

    def test_without_sound_calls_are_made_all_the_same(self):
        self.attached("--sound", "none")
        call, caller = self.answered()
        self.done(self.asked("set_held", call, held=True))
        self.done(self.asked("set_held", call, held=False))
        self.done(self.asked("play_dtmf", call, digits="12#", style="single"))
        self.ended(call, caller)
        self.assertEqual(caller.logged(), ["answered", "a=sendonly", "a=sendrecv"])


if __name__ == "__main__":
    unittest.main()
