"""Finds what the tests of this folder share with those of the plugins."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "support"),
                os.path.join(HERE, "..", "..", "..", "examples", "demo-phones")]

from phonelab import CEILING, Baresip, Callee, Caller, Daemon, Linphone, wait_until  # noqa: E402,F401
from wire import Capture  # noqa: E402,F401
from world import User, WithoutHolds, World  # noqa: E402,F401
from demo_phones import Surprise, prove  # noqa: E402,F401
from modem import ACTIVE, HELD, SIM, WAITING, Modem, Ofono, ofono_provider  # noqa: E402,F401
