"""The small SIP world of Tests/Phones, with the program under test as `make check` builds it."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(PLUGIN, "..", "..", "Tests", "Phones", "support"))
os.environ.setdefault("LINPHONE_PROVIDER", os.path.join(
    os.environ.get("OUT", os.path.join(PLUGIN, "build")), "checked"))

from phonelab import (  # noqa: E402,F401
    CEILING, Baresip, Caller, Linphone, Program, Sound, ceiling, free_ports, has_udp_port,
    linphone_provider as provider)
