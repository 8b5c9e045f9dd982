"""`callbroker plugin new LANGUAGE NAME && callbroker plugin check NAME`, in eight languages."""
import glob
import itertools
import json
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

from checking import ROOT, TOOL, Checking, check
from supervised import live

# A doorbell cannot wait, and nobody calls with it.
DOORBELL = {"answers_hold", "answers_resume", "answers_transfer", "answers_endpoint", "answers_video",
            "answers_text", "answers_send_text", "answers_participant", "answers_attended_transfer",
            "answers_deflect", "answers_push",
            "answers_line_setting", "reset_frees_its_line", "reports_external", "answers_pull",
            "asks_first", "makes_way", "reports_quality", "claims_priority",
            "makes_way_for_a_start", "takes_busy", "waits_in_background", "starts_background"}
# One that the broker holds by standard input and output is as old as its connection.
STDIO = {"has_its_identity", "answers_while_waiting", "reconnects", "resumes", "lists_its_calls",
         "lists_no_reset_calls", "gives_up_dropped", "action_again", "broker_away"}


# Other kinds have no calls, and register nothing.
WITHOUT_CALLS = {
    "answers_endpoint", "answers_line_setting", "answers_send_text", "answers_participant",
    "answers_deflect", "answers_push",
    "answers_while_waiting", "answers_start",
    "reset_frees_its_line", "resumes",
    "lists_its_calls", "lists_no_reset_calls", "gives_up_dropped", "action_again", "broker_restarts",
    "rings",
    "answers_answer", "answered_call_is_active", "declines", "rings_again",
    "takes_no_for_an_answer", "rings_until_its_time", "reports_external", "answers_pull",
    "asks_first"}
IMPLICIT = {"has_its_identity", "reconnects", "broker_away"}
KINDS = ("screener", "directory", "screen")


def new(folder, *arguments):
    return subprocess.run([TOOL, "plugin", "new", *arguments], cwd=folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def made_and_checked(language):
    """What the check says; then what its life under a broker was, with what the check has built."""
    def work():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            done = new(folder, language, "door-bell")
            if done.returncode != 0:
                raise AssertionError(done.stderr)
            made = os.path.join(folder, "door-bell")
            return check(made), live(made)
    return work


def checked(language, kind):
    """What the check says about another kind of plugin."""
    def work():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            done = new(folder, "--kind", kind, language, "sample")
            if done.returncode != 0:
                raise AssertionError(done.stderr)
            return check(os.path.join(folder, "sample"))
    return work


class KindTests(Checking):
    checks = {f"{language} {kind}": checked(language, kind)
              for language in ("python", "node", "c", "csharp", "go", "rust", "shell", "swift") for kind in KINDS}

    def test_each_kind_in_each_language(self):
        for name in self.checks:
            with self.subTest(name):
                is_implicit = name.split()[0] in ("shell", "swift")
                unasked = {"asks_users"} if name.endswith("screen") else set()
                self.expect(
                    name, WITHOUT_CALLS | unasked | (IMPLICIT if is_implicit else set()))


class LanguageTests(Checking):
    checks = {language: made_and_checked(language)
              for language in ("python", "node", "c", "csharp", "go", "rust", "shell", "swift")}

    def expect(self, name, not_applicable):
        checked, lived = self.running[name].result()
        self.assertEqual(checked, ([], 0, not_applicable))
        self.assertEqual(lived, (["front", "back"], 2, {"signal": 9}, True))

    def test_python(self):
        self.expect("python", DOORBELL)

    def test_node(self):
        self.expect("node", DOORBELL)

    def test_c(self):
        self.expect("c", DOORBELL)

    def test_go(self):
        self.expect("go", DOORBELL)

    def test_rust(self):
        self.expect("rust", DOORBELL)
    def test_csharp(self):
        self.expect("csharp", DOORBELL)

    def test_shell(self):
        self.expect("shell", DOORBELL | STDIO)

    def test_swift(self):
        self.expect("swift", DOORBELL)


class NewTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def new(self, *arguments):
        return new(self.folder, *arguments)

    def test_no_placeholder_is_left(self):
        for language, kind in itertools.product(LanguageTests.checks, ("provider", *KINDS)):
            name = f"{kind}-{language}"
            self.assertEqual(self.new("--kind", kind, language, name).stderr, "")
            made = os.path.join(self.folder, name)
            self.assertTrue(os.stat(os.path.join(made, "check.sh")).st_mode & stat.S_IXUSR)
            for folder, _, files in os.walk(made):
                for file in files:
                    with open(os.path.join(folder, file), encoding="utf-8") as text:
                        self.assertNotRegex(file + text.read(), "@[A-Z]+@")

    def test_its_own_test_runs_the_check(self):
        self.new("shell", "bell")
        done = subprocess.run([os.path.join(self.folder, "bell", "check.sh"), "--only", "rings"],
                              env={**os.environ, "CALLBROKER": TOOL}, text=True,
                              stdout=subprocess.PIPE, check=False)
        self.assertEqual(done.stdout,
                         "passed          rings\n1 passed, 0 failed, 0 not applicable\n")

    def test_what_is_installed_finds_its_templates(self):
        place = os.path.join(self.folder, "usr")
        os.makedirs(os.path.join(place, "bin"))
        shutil.copy(TOOL, os.path.join(place, "bin", "callbroker"))
        subprocess.run([os.path.join(ROOT, "Scripts", "install-plugins"), self.folder, "/usr"], check=True)
        tool = os.path.join(place, "bin", "callbroker")
        done = subprocess.run([tool, "plugin", "new", "c", "bell"], cwd=self.folder, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(os.path.exists(os.path.join(self.folder, "bell", "callbroker", "wire.c")))
        listed = subprocess.run([tool, "plugin", "list", "--available", "--json"], text=True, check=True,
                                stdout=subprocess.PIPE, env={"HOME": self.folder}).stdout
        manifests = glob.glob(os.path.join(ROOT, "plugins", "*", "*", "*.plugin.json"))
        self.assertGreater(len(manifests), 10)
        self.assertEqual({json.loads(line)["plugin"] for line in listed.splitlines()},
                         {os.path.basename(path).removesuffix(".plugin.json") for path in manifests})
        done = subprocess.run([tool, "plugin", "new", "swift", "gong"], cwd=self.folder, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("use --package FOLDER", done.stderr)

    def test_what_is_there_stays(self):
        os.mkdir(os.path.join(self.folder, "bell"))
        done = self.new("python", "bell")
        self.assertEqual(done.returncode, 1)
        self.assertIn("bell already exists", done.stderr)
        self.assertEqual(os.listdir(os.path.join(self.folder, "bell")), [])

    def test_names_that_cannot_be(self):
        for arguments in (("python", "../bell"), ("python", "Bell"), ("python", "a--b"),
                          ("cobol", "bell"), ("python", "bell", "--identity", "bell"),
                          ("python", "bell", "--identity", "a.b c")):
            self.assertEqual(self.new(*arguments).returncode, 2, arguments)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
