"""The example telephone, with the broker itself (CALLBROKER, or .build/debug/callbroker). `make check`
builds it."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD") or os.path.join(HERE, "..", "..", "..", "..", ".build", "go")
sys.path.insert(0, os.path.join(HERE, "..", "..", "python", "tests"))
from telephone import Telephone  # noqa: E402


class TelephoneTests(Telephone, unittest.TestCase):
    program = os.path.join(BUILD, "telephone")


if __name__ == "__main__":
    unittest.main()
