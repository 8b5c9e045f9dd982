"""The commands of the README, as they are there."""
import os
import unittest

import lab
from readme_commands import ReadmeTests


class BaresipReadmeTests(ReadmeTests):
    PLUGIN, IDENTITY, REGISTERED = lab.PLUGIN, "org.callbroker.baresip", "registered, default"
    CEILING = 4 * lab.CEILING

    def commands(self):
        """All five are in one block; the last one looks."""
        *commands, look = self.blocks()[0]
        self.assertEqual(len(commands), 4, commands)
        return commands, look

    def left(self):
        return lab.processes("baresip", os.path.join(
            self.home, "state", "callbroker-baresip", self.IDENTITY))


del ReadmeTests                                 # the test of it is that of its subclass


if __name__ == "__main__":
    unittest.main()
