"""The tool, and what a check of it comes to."""
import json
import os
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.abspath(
    os.environ.get("CALLBROKER") or os.path.join(ROOT, ".build", "debug", "callbroker"))
# A machine that builds meanwhile is slow; who keeps a promise does so in the end.
PATIENCE = "30000"


class Checking(unittest.TestCase):
    maxDiff = None

    def check(self, *arguments, **environment):
        """Every scenario passes, but for these, which do not apply."""
        done = subprocess.run(
            [TOOL, "plugin", "check", "--json", "--patience", PATIENCE, *arguments],
            stdout=subprocess.PIPE, text=True, timeout=1200, check=False,
            env={**os.environ, **environment})
        documents = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([one for one in documents if one.get("outcome") == "failed"], [])
        self.assertEqual(done.returncode, 0)
        return {one["scenario"] for one in documents if one.get("outcome") == "not_applicable"}
