"""The telephone keeps every promise that `callbroker plugin check` knows; sipp calls it."""
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest

import lab

CALLBROKER = os.environ.get("CALLBROKER") or os.path.join(
    lab.PLUGIN, "..", "..", "..", ".build", "debug", "callbroker")
# It has no modem, no choice of devices without a sound server, reaches nobody at example.org, and
# sipp neither types nor is a conference.
NOT_APPLICABLE = {"answers_endpoint", "answers_line_setting", "answers_participant",
                  "answers_push", "answers_send_text", "asks_first", "makes_way", "reports_quality",
                  "reset_frees_its_line", "starts_background"}


class ConformanceTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def background(self, seconds, *words):
        """A command that goes on when its shell has ended."""
        started = shlex.join(["setsid", "timeout", "-s", "KILL", str(seconds), *words])
        return started + " >/dev/null 2>&1 &"

    def ring(self, port, priority="normal"):
        caller = lab.caller_scenario(self.folder, priority, f"Priority: {priority}")
        return self.background(20, "sipp", "-sf", caller, "-i", "127.0.0.1", "-mi", "127.0.0.1",
                               "-m", "1", "-nostdin", "-s", "linda", "-key", "caller", "carol",
                               f"127.0.0.1:{port}")

    def external(self, port):
        """The device that is watched gets a call. The one of the scenario before is ended, and the
        subscription is sent until somebody replies."""
        device = lab.watched_device(port, lab.Desk(self, self.folder).dialog)
        former = shlex.quote(os.path.join(self.folder, "device"))
        return (f"test ! -e {former} || kill -s KILL -- -$(cat {former}); "
                f"{self.background(30, *device)} echo $! >{former}")

    def test_it_keeps_every_promise(self):
        port, desk = lab.free_ports(64), lab.free_ports(1)
        checked = subprocess.run(
            [CALLBROKER, "plugin", "check", lab.PROGRAM, "--transport", "connect", "--identity",
             "org.callbroker.liblinphone", "--ring", self.ring(port), "--external",
             self.external(desk), "--priority", self.ring(port, "urgent"), "--background",
             self.ring(port, "non-urgent"), "--patience", "10s", "--", "--address", f"127.0.0.1:{port}",
             "--rtp", f"{port + 4}-{port + 63}", "--sound", "none", "--folder",
             os.path.join(self.folder, "checked"), "--watch", f"sip:desk@127.0.0.1:{desk}"],
            capture_output=True, text=True, timeout=900, check=False,
            env={**os.environ, **lab.ENVIRONMENT})
        self.assertEqual(checked.returncode, 0, checked.stdout[-5000:])
        self.assertEqual({line.split()[2].strip(":") for line in checked.stdout.splitlines()
                          if line.startswith("not applicable ")}, NOT_APPLICABLE)


if __name__ == "__main__":
    unittest.main()
