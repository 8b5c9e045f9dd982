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
CALLER = os.path.join(lab.SUPPORT, "caller.xml")
# It has no modem, no choice of devices without a sound server, reaches nobody at example.org, and
# sipp neither types nor is a conference.
NOT_APPLICABLE = {"answers_endpoint", "answers_line_setting", "answers_participant",
                  "answers_send_text", "reset_frees_its_line"}


class ConformanceTests(unittest.TestCase):
    def test_it_keeps_every_promise(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        port = lab.free_ports(64)
        ring = shlex.join([
            "setsid", "timeout", "-s", "KILL", "20", "sipp", "-sf", CALLER, "-i", "127.0.0.1",
            "-mi", "127.0.0.1", "-m", "1", "-nostdin", "-s", "linda", "-key", "caller", "carol",
            f"127.0.0.1:{port}"])
        checked = subprocess.run(
            [CALLBROKER, "plugin", "check", lab.PROGRAM, "--transport", "connect", "--identity",
             "org.callbroker.liblinphone", "--ring", f"{ring} >/dev/null 2>&1 &", "--",
             "--address", f"127.0.0.1:{port}", "--rtp", f"{port + 4}-{port + 63}", "--sound",
             "none", "--folder", folder],
            capture_output=True, text=True, timeout=600, check=False,
            env={**os.environ, **lab.ENVIRONMENT})
        self.assertEqual(checked.returncode, 0, checked.stdout[-5000:])
        self.assertEqual({line.split()[2].strip(":") for line in checked.stdout.splitlines()
                          if line.startswith("not applicable ")}, NOT_APPLICABLE)


if __name__ == "__main__":
    unittest.main()
