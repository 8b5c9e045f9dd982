"""An ofonod with a simulated modem, and the program under test at it."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PHONES = os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones", "support")
sys.path[:0] = [PLUGIN, PHONES]

from modem import (  # noqa: E402,F401
    ACTIVE, ALERTING, DIALING, ERASED, HELD, INCOMING, SIM, WAITING, Modem, Ofono,
    ofono_provider as provider)
from phonelab import CEILING, Program, wait_until  # noqa: E402,F401
