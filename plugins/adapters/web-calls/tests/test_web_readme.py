"""The commands of the README, as they are there, with a real Chromium, under the broker that they start. Only
the address is another one: a page of the test's own that joins by itself."""
import os
import re
import sys
import unittest

import lab
from browsers import PLUGIN

sys.path.insert(0, os.path.join(lab.HERE, "..", "..", "..", "..", "Tests", "System", "Phones", "support"))

from readme_commands import CommandCase  # noqa: E402

ADDRESS = "https://meet.jit.si/"                # stands for the meeting of the reader
# Without a window Chromium would have a profile elsewhere.
CHROMIUM = """#!/bin/sh
exec /usr/bin/chromium --headless=new --user-data-dir="$HOME/.config/chromium" --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \\
  --use-fake-device-for-media-stream --use-fake-ui-for-media-stream \\
  --autoplay-policy=no-user-gesture-required "$@"
"""


class WebCallsReadmeTests(CommandCase):
    PLUGIN, HEADING = PLUGIN, "## From nothing to the first call"
    COUNT = 4                                   # the fifth shows the call

    def setUp(self):
        super().setUp()
        with open(os.path.join(self.folder, "tools", "chromium"), "w", encoding="utf-8",
                  opener=lambda path, flags: os.open(path, flags, 0o700)) as file:
            file.write(CHROMIUM)
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):  # the browser's own places are below HOME
            self.environment.pop(name)

    def test_five_commands_lead_to_the_first_call(self):
        server = lab.serve_pages(self)
        commands, look = self.commands()
        for command in commands:
            self.shell(command.replace(ADDRESS, f"http://localhost:{server.server_port}/alone.html"))
        lab.wait_until("the call is live", lambda: re.search(
            r"\bactive +localhost", self.shell(look, may_fail=True)))
        self.assertIn("held", self.shell("callbroker hold && " + look))


del CommandCase                                 # it has no test of its own


if __name__ == "__main__":
    unittest.main()
