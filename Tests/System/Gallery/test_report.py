"""What `callbroker plugin check` tells, to whom, and how it ends."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

from test_check import HERE, IDENTITY, TOOL

HONEST = os.path.join(HERE, "honest.py")
DEAF = os.path.join(HERE, "never_pongs.py")


def run(*arguments):
    return subprocess.run([TOOL, "plugin", "check", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120, check=False)


class ReportTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def manifest(self, **members):
        path = os.path.join(self.folder, IDENTITY + ".plugin.json")
        with open(path, "w", encoding="utf-8") as file:
            written = {"manifest": 1, "identity": IDENTITY, "roles": ["provider"],
                       "transport": "connect", "exec": [HONEST], **members}
            json.dump({name: value for name, value in written.items() if value}, file, indent=1)
        return path

    def test_a_failure_has_promise_reason_and_the_exact_frames(self):
        done = run(DEAF, "--only", "ping", "--patience", "300")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED          ping: no answer to broker.ping (request 1) within 300 ms\n"
                      "  promised: A ping is answered, once; any reply will do.\n", done.stdout)
        self.assertIn('\n    < {"jsonrpc":"2.0","id":1,"method":"broker.ping","params":{}}\n',
                      done.stdout)
        self.assertIn('\n    > {"jsonrpc": "2.0", "id": 1, "method": "broker.hello"', done.stdout)
        self.assertTrue(done.stdout.endswith("\n0 passed, 1 failed, 0 not applicable\n"))

    def test_what_does_not_apply_is_not_passed(self):
        done = run(HONEST, "--only", "rings", "--only", "ping")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, (
            "passed          ping\n"
            'not applicable  rings: nobody can call it: give --ring COMMAND, or "x_ring"\n'
            "1 passed, 0 failed, 1 not applicable\n"))

    def test_junit_for_continuous_integration(self):
        path = os.path.join(self.folder, "report.xml")
        done = run(DEAF, "--only", "ping", "--only", "rings", "--only", "registers",
                   "--patience", "300", "--junit", path)
        self.assertEqual(done.returncode, 1)
        suite = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual([suite.get(name) for name in ("tests", "failures", "skipped")],
                         ["3", "1", "1"])
        ends = {case.get("name"): [part.tag for part in case] for case in suite}
        self.assertEqual(ends, {"registers": [], "ping": ["failure"], "rings": ["skipped"]})
        self.assertIn("broker.ping", suite.find("testcase/failure").text)

    def test_a_manifest_and_its_folder_say_what_to_run(self):
        path = self.manifest(x_ring='echo 1 >"$XDG_RUNTIME_DIR/bell"')
        for program in (path, self.folder):
            done = run(program, "--only", "has_its_identity", "--only", "rings")
            self.assertEqual(done.stdout, "passed          has_its_identity\n"
                             "passed          rings\n2 passed, 0 failed, 0 not applicable\n")

    def test_a_program_that_cannot_be_started(self):
        done = run(os.path.join(self.folder, "nothing"))
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertIn("cannot start", done.stderr)
        self.assertIn("No such file", done.stderr)

    def test_wrong_usage(self):
        for arguments, words in (
                ([], "name the program to check"),
                ([HONEST, "--only", "pings"], "unknown scenario pings: did you mean ping?"),
                ([HERE], "has 0 files IDENTITY.plugin.json")):
            self.expect_refusal(arguments, words)

    def test_a_manifest_that_cannot_be_used(self):
        for members, words in (
                ({"exec": None, "transport": None}, 'the manifest has no "exec"'),
                ({"exec": None}, ":7: transport applies only to plugins that the broker starts"),
                ({"transport": "tcp"}, ":7: transport must be one of"),
                ({"handshake": "implicit"}, "be implicit only with the transport stdio")):
            self.expect_refusal([self.manifest(**members)], words)

    def expect_refusal(self, arguments, words):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
