"""The tool, and what checks of it come to: several at a time, for they mostly wait."""
import concurrent.futures
import json
import os
import subprocess
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
TOOL = os.path.abspath(
    os.environ.get("CALLBROKER") or os.path.join(ROOT, ".build", "debug", "callbroker"))
# A machine that builds meanwhile is slow; who keeps a promise does so in the end.
PATIENCE = "30000"
# Not at home.
GO_CACHE = os.path.join(ROOT, ".build", "go", "cache")


def check(*arguments, **environment):
    """What failed, the exit code, and what did not apply."""
    done = subprocess.run(
        [TOOL, "plugin", "check", "--json", "--patience", PATIENCE, *arguments],
        stdout=subprocess.PIPE, text=True, timeout=1200, check=False,
        env={"GOCACHE": GO_CACHE, **os.environ, **environment})
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [one for one in documents if one.get("outcome") == "failed"]
    return failed, done.returncode, {
        one["scenario"] for one in documents if one.get("outcome") == "not_applicable"}


class Checking(unittest.TestCase):
    """Begins all the checks of a class together."""

    maxDiff = None
    checks = {}                         # functions that return what `check` does, by their names

    @classmethod
    def setUpClass(cls):
        pool = concurrent.futures.ThreadPoolExecutor(4)
        cls.addClassCleanup(pool.shutdown)
        cls.running = {name: pool.submit(function) for name, function in cls.checks.items()}

    def expect(self, name, not_applicable):
        """Everything passes, but for what does not apply."""
        self.assertEqual(self.running[name].result(), ([], 0, not_applicable))
