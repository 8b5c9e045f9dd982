"""The small SIP world of Tests/System/Phones, and the program under test in it."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones", "support"))

from phonelab import (  # noqa: E402,F401
    ACCOUNT, CEILING, Baresip, Callee, Caller, Daemon, Program, Registrar,
    baresip_provider as provider,
    free_ports, processes, wait_until)
from wire import Capture, held_before  # noqa: E402,F401
