"""What instructions.py says of counts: which growth fails, and when nothing is compared. The counts are
made up; those of real programs are the stage before this one."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import instructions  # noqa: E402

TOOLCHAIN = {"compiler": "clang 1", "libc.so.6": "abc"}
COUNTS = {"read": 60_000, "decide": 30_000, "send": 10_000}


class InstructionsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.kept = Path(folder.name, "instructions.json")
        self.kept.write_text(json.dumps({"toolchain": {}, "counts": {}}), encoding="utf-8")
        self.run_with(COUNTS, "--accept")

    def run_with(self, counts, *arguments, **others):
        """The exit status, and what is said."""
        said = io.StringIO()
        changes = {"KEPT": self.kept, "ROWS": {"ping": lambda _: counts},
                   "toolchain": lambda _: {**TOOLCHAIN, **others},
                   "without_debug_information": lambda program, _: program}
        with mock.patch.multiple(instructions, **changes), contextlib.redirect_stdout(said), \
                mock.patch("sys.argv", ["instructions.py", "--daemon", "callbroker", *arguments]):
            return instructions.main(), said.getvalue()

    def test_what_is_kept_is_compared(self):
        status, said = self.run_with(COUNTS)
        self.assertEqual(status, 0)
        self.assertRegex(said, r"ping +100,000 +100,000 kept +1\.000\n$")

    def test_a_growth_of_over_three_percent_fails_and_names_what_grew(self):
        status, said = self.run_with({**COUNTS, "decide": 33_500, "copy": 500, "send": 9_000})
        self.assertEqual((status, said.splitlines()[1:]), (0, []))
        status, said = self.run_with({**COUNTS, "decide": 33_500, "send": 10_050})
        self.assertEqual(status, 1)
        self.assertEqual([line.split() for line in said.splitlines()[1:]], [["+3,500", "decide"]])

    def test_less_is_no_failure(self):
        self.assertEqual(self.run_with({"read": 1_000})[0], 0)

    def test_with_another_toolchain_nothing_is_compared_and_a_line_says_so(self):
        status, said = self.run_with({"read": 900_000}, **{"libc.so.6": "def", "libm.so.6": "new"})
        self.assertEqual(status, 0)
        self.assertRegex(said, r"(?m)^instructions: NOT COMPARED: .*\(libc\.so\.6, libm\.so\.6\)")
        self.assertNotIn("kept  ", said)

    def test_counts_of_another_toolchain_can_be_kept(self):
        self.run_with({"read": 900_000}, "--accept", compiler="clang 2")
        status, said = self.run_with({"read": 900_000}, compiler="clang 2")
        self.assertEqual(status, 0)
        self.assertRegex(said, r"900,000 kept +1\.000")
        self.assertIn("NOT COMPARED", self.run_with({"read": 900_000})[1])


if __name__ == "__main__":
    unittest.main()
