"""Services with a simulated modem, and the program under test at them."""
import os
import shutil
import sys
import tempfile

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.join(PLUGIN, "..", "..", "..")
PHONES = os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones", "support")
sys.path[:0] = [PLUGIN, PHONES]

from modem import (  # noqa: E402,F401
    ACTIVE, ALERTING, DIALING, ERASED, HELD, INCOMING, SIM, WAITING, Bus, Modem, Ofono,
    ofono_provider as provider)
from phonelab import CEILING, Program, wait_until  # noqa: E402,F401
from callbroker import Controller, Provider, new_id, phone  # noqa: E402,F401
from real_broker import RealBroker  # noqa: E402,F401


def folder(test):
    """A folder that goes with the test."""
    path = tempfile.mkdtemp()
    test.addCleanup(shutil.rmtree, path, ignore_errors=True)
    return path
