"""Who does not want to stop is stopped, in the time that the protocol says. The clock is virtual."""
import json
import os
import time
import unittest

from stage import CEILING, Stage
from test_check import HERE

IDENTITY = "org.gallery.ignores-sigterm"


class StopTests(Stage):
    def options(self):
        with open(os.path.join(self.folder, IDENTITY + ".plugin.json"), "w",
                  encoding="utf-8") as file:
            json.dump({
                "manifest": 1, "identity": IDENTITY, "roles": ["provider"],
                "exec": [os.path.join(HERE, "ignores_sigterm.py")], "transport": "connect",
                "start": "boot", "stop_timeout_ms": 700,
                "env": {"GALLERY_IDENTITY": IDENTITY, "XDG_RUNTIME_DIR": self.folder}}, file)
        return "--test-mode", "--plugin-dir", self.folder

    def row(self):
        return self.user.plugin("list", plugin=IDENTITY).result()["plugins"][0]

    def wait_for(self, state):
        end = time.monotonic() + CEILING
        while (row := self.row())["state"] != state:
            self.assertLess(time.monotonic(), end, f"it is never {state}: {row}")
        return row

    def pass_by(self, milliseconds):
        self.user.request("test.advance", {"ms": milliseconds}).result()

    def wait_until_it_says(self, *lines):
        """What was done to it has reached it: the virtual clock would not wait for that."""
        end = time.monotonic() + CEILING
        while (said := [line["text"] for line in self.user.plugin(
                "logs", plugin=IDENTITY).result()["lines"]]) != list(lines):
            self.assertLess(time.monotonic(), end, f"it says {said}, and {self.row()}")

    def expect_that_it_stays(self, pid):
        row = self.row()
        self.assertEqual((row["state"], row["stopping"], row["pid"]), ("ready", True, pid))

    def test_goodbye_then_sigterm_then_sigkill(self):
        pid = self.wait_for("ready")["pid"]
        self.user.plugin("stop", plugin=IDENTITY).result()
        self.wait_until_it_says("goodbye is no reason")
        self.pass_by(699)
        self.expect_that_it_stays(pid)
        self.pass_by(1)
        self.wait_until_it_says("goodbye is no reason", "SIGTERM is no reason")
        self.pass_by(4_999)
        self.expect_that_it_stays(pid)
        self.pass_by(1)
        row = self.wait_for("stopped")
        self.assertEqual((row["exit"], row.get("pid")), ({"signal": 9}, None))
        self.wait_until_it_says("goodbye is no reason", "SIGTERM is no reason")
        self.expect_that_all_is_well()


if __name__ == "__main__":
    unittest.main()
