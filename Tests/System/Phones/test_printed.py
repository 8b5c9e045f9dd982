"""What the READMEs show of `make demo-phones`, `demo-desktop` and `demo-callkit` is what they print: they are
played, and compared line by line, but for what is different each time."""
import itertools
import os
import re
import subprocess
import sys
import unittest

import lab
from phonelab import ROOT

VARYING = ((r"callbroker-[0-9a-f-]{36}\b", "PIPE"), (r"^  (org\.callbroker\.[a-z-]+): .*", r"  \1: STATE"),
           (r"\b[0-9a-f]{8}\b", "CALL"), (r"127\.0\.0\.1:\d+", "HOST"),
           (r"packet +\d+ to \d+", "packet N to N"), (r"packet +\d+", "packet N"),
           (r"in \d+ s\.", "in N s."), (r" +", " "))


def shape(line):
    for pattern, word in VARYING:
        line = re.sub(pattern, word, line)
    return line.rstrip()


def shapes(lines):
    """Packets in a row are sorted, and come once: where the machine is busy, those of two calls overtake each
    other, and some are sent twice. The demo proves their order itself."""
    runs = itertools.groupby((shape(line) for line in lines if line.strip()),
                             lambda line: line.startswith(" packet"))
    found = [line for are_packets, run in runs for line in (sorted(run) if are_packets else run)]
    return [line for index, line in enumerate(found) if found[index - 1:index] != [line]]


def block(path, first):
    """The lines of the first block of a page in which there is a line that begins so."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        blocks = [part.split("\n", 1)[1].splitlines() for part in file.read().split("```")[1::2]]
    return next(lines for lines in blocks if any(line.startswith(first) for line in lines))


class PrintedTests(unittest.TestCase):
    def compare(self, demo, first):
        """Plays a demo; `first` begins a line of its recorded run."""
        program = os.environ.get("CALLBROKER") or os.path.join(
            ROOT, ".build", "debug", "callbroker")
        script = os.path.join(ROOT, "examples", demo, demo.replace("-", "_") + ".py")
        ran = subprocess.run([sys.executable, script, program],
                             text=True, capture_output=True, timeout=4 * lab.CEILING)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertEqual(shapes(block(f"examples/{demo}/README.md", first)),
                         shapes(ran.stdout.splitlines()))

    def test_the_recorded_run_is_what_is_printed_today(self):
        self.compare("demo-phones", "1. Carol")

    def test_so_is_that_of_the_desktop(self):
        self.compare("demo-desktop", "1. The plugins")

    def test_so_is_that_of_the_apps_for_iphones(self):
        self.compare("demo-callkit", "1. The server")

    def test_the_first_page_shows_a_part_of_it(self):
        whole = iter(block("examples/demo-phones/README.md", "1. Carol"))
        for line in block("README.md", "$ callbroker answer --hold"):
            if line.strip() != "...":
                self.assertIn(line, whole)      # and behind the one before

    def test_only_numbers_may_differ(self):
        for line, other, is_alike in (
                ("  packet     1     carol: INVITE", "  packet  1234   carol: INVITE", True),
                ("    answer ace5b5f0 org.example.ann fulfilled",
                 "    answer 01234567 org.example.ann fulfilled", True),
                ("    answer ace5b5f0 org.example.ann fulfilled",
                 "    answer ace5b5f0 org.example.ann failed", False),
                ("  packet  1  carol: INVITE", "  packet  1  carol: BYE", False),
                ("  org.callbroker.keys: starting", "  org.callbroker.keys: ready", True),
                ("  org.callbroker.keys: starting", "  org.callbroker.hooks: starting", False),
                ("Every scene went as it should, in 4 s.",
                 "Every scene went as it should, in 12 s.", True)):
            self.assertEqual(shape(line) == shape(other), is_alike, line)


if __name__ == "__main__":
    unittest.main()
