"""The plugins in Python read, when they start, nothing heavy that they may never need."""
import json
import os
import subprocess
import unittest
from pathlib import Path

from checking import ROOT

PLUGINS = Path(ROOT) / "plugins"
HEAVY = {"_hashlib", "_ssl", "cryptography", "dbus_fast", "email", "gi", "html", "http", "paho"}
# dbus_fast reads GLib, where it is installed.
READ_AT_START = {name: {"dbus_fast", "gi"} for name in ("dialers", "gnome-calls", "ofono")}
READING = """\
import importlib.util, sys
spec = importlib.util.spec_from_file_location("program", sys.argv[1])
spec.loader.exec_module(importlib.util.module_from_spec(spec))
print(*sys.modules)
"""


def read_by(*arguments):
    # The Python that has the libraries.
    return set(subprocess.run(["/usr/bin/python3", "-c", *arguments], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.split())


class ImportsTests(unittest.TestCase):
    def test_a_start_reads_nothing_heavy(self):
        always = read_by("import sys; print(*sys.modules)")
        programs = dict(python_programs())
        self.assertLess(set(READ_AT_START), set(programs))
        for name, program in programs.items():
            with self.subTest(name):
                read = read_by(READING, os.fspath(program)) - always
                self.assertLessEqual({"asyncio", "callbroker"}, read)
                self.assertEqual((read & HEAVY) - READ_AT_START.get(name, set()), set())


def python_programs():
    for path in PLUGINS.glob("*/*/*.plugin.json"):
        program = path.parent / json.loads(path.read_text(encoding="utf-8"))["exec"][0]
        if program.suffix == ".py" and "templates" not in path.parts:
            yield path.parent.name, program


if __name__ == "__main__":
    unittest.main()
