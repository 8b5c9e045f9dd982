"""The small SIP world of Tests/System/Phones, and the program under test in it."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PHONES = os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones")
sys.path[:0] = [os.path.join(PHONES, "support"), PHONES]

from phonelab import (  # noqa: E402,F401
    ACCOUNT, CEILING, Baresip, Callee, Caller, Daemon, Program, Registrar,
    baresip_provider as provider,
    free_ports, has_name, is_listening, kill_all, processes, wait_until)
from registrar import Kamailio, StunServer  # noqa: E402,F401
from wire import Capture, held_before  # noqa: E402,F401
