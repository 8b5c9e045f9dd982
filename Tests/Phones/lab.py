"""Finds what the tests of this folder share with those of the plugins."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))

from phonelab import CEILING, Baresip, Caller, Daemon, Linphone, ceiling  # noqa: E402,F401
from world import User, WithoutHolds, World  # noqa: E402,F401
