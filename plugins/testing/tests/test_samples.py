"""The samples of every SDK keep every promise that `callbroker plugin check` knows."""
import os
import tempfile
import unittest

from checking import ROOT, Checking, check

INCOMING = {"rings", "answers_answer", "answered_call_is_active", "declines", "rings_again",
            "takes_no_for_an_answer", "rings_until_its_time", "rings_through_dnd",
            "answers_urgent_first"}
SESSIONS = {"reconnects", "resumes", "lists_its_calls", "lists_no_reset_calls", "gives_up_dropped",
            "action_again", "broker_away"}
# Their far end is their standard input.
WITH_INPUT = 'mkfifo "$XDG_RUNTIME_DIR/line"; exec "$0" "$@" <>"$XDG_RUNTIME_DIR/line"'
RING = 'echo ring %s >"$XDG_RUNTIME_DIR/line"'


def with_input(ring, *program, **environment):
    return check("--ring", RING % ring, "sh", "--", "-c", WITH_INPUT, *program, **environment)


def soft_phone():
    return check("--identity", "org.example.softphone",
                 os.path.join(ROOT, "plugins", "sdk", "python", "examples", "softphone.py"))


def doorbell():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        fifo = os.path.join(folder, "bell")
        os.mkfifo(fifo)
        manifest = os.path.join(folder, "org.example.doorbell.plugin.json")
        program = os.path.join(ROOT, "plugins", "sdk", "python", "examples", "doorbell.sh")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write('{"manifest": 1, "identity": "org.example.doorbell", "transport": "stdio", '
                       '"roles": ["provider"], '
                       f'"exec": ["{program}"], "handshake": "implicit", '
                       '"env_pass": ["DOORBELL_FIFO"], "provider": {"handle_types": ["generic"]}}')
        return check(manifest, "--ring", 'echo door >"$DOORBELL_FIFO"', DOORBELL_FIFO=fifo)


def desk_phone():
    return with_input("$(cat /proc/sys/kernel/random/uuid) +15550123", "python3",
                      os.path.join(ROOT, "examples", "demo", "desk_phone.py"),
                      PYTHONPATH=os.path.join(ROOT, "plugins", "sdk", "python"))


def telephone():
    return with_input("+15550123", os.path.join(ROOT, "plugins", "sdk", "c", "build", "telephone"))


def speakerbox():
    return with_input("+15550123", os.path.join(ROOT, ".build", "debug", "Speakerbox"))


class SampleTests(Checking):
    checks = {function.__name__: function for function in (
        soft_phone, doorbell, desk_phone, telephone, speakerbox)}

    def expect(self, name, not_applicable):
        """None of their calls can be transferred, has endpoints, takes video or text, or is on
        another device, and none of their lines has settings."""
        super().expect(name, not_applicable | {
            "answers_transfer", "answers_endpoint", "answers_video", "answers_text",
            "answers_send_text", "answers_participant", "answers_attended_transfer",
            "answers_deflect", "answers_push",
            "answers_line_setting", "reports_external", "answers_pull", "asks_first",
            "reports_quality", "claims_priority", "makes_way_for_a_start", "takes_busy",
            "waits_in_background"})

    def test_python_in_fifteen_lines(self):
        self.expect("soft_phone", INCOMING | SESSIONS | {
            "broker_restarts", "loses_rights", "makes_way"})

    def test_shell_in_fifteen_lines(self):
        self.expect("doorbell", SESSIONS | {
            "has_its_identity", "answers_while_waiting", "answers_hold", "answers_resume",
            "reset_frees_its_line", "makes_way", "starts_background"})

    def test_python_with_its_sdk(self):
        self.expect("desk_phone", {
            "has_its_identity", "reset_frees_its_line", "makes_way", "starts_background"})

    def test_c(self):
        self.expect("telephone", {"has_its_identity", "makes_way"})

    def test_swift_as_for_callkit(self):
        self.expect("speakerbox", {"has_its_identity"})


if __name__ == "__main__":
    unittest.main()
