"""The commands of the README, as they are there."""
import unittest

import lab
from readme_commands import ReadmeTests


class LinphoneReadmeTests(ReadmeTests):
    PLUGIN, IDENTITY = lab.PLUGIN, "org.callbroker.linphone"


del ReadmeTests                                 # the test of it is that of its subclass


if __name__ == "__main__":
    unittest.main()
