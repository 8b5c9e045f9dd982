"""The small SIP world of Tests/System/Phones, with the program under test as `make check` builds it."""
import os
import sys

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones", "support"))
os.environ.setdefault("LINPHONE_PROVIDER", os.path.join(
    os.environ.get("OUT", os.path.join(PLUGIN, "build")), "checked"))

from phonelab import (  # noqa: E402,F401
    CEILING, LINPHONE_ACCOUNT, Baresip, Callee, Caller, Daemon, Linphone, Program, Registrar, Sound,
    free_ports, kill_all, linphone_provider, processes, reader_of, remove_socket, udp_sockets, wait_until)
from wire import Capture  # noqa: E402,F401


def checked(test, program):
    """The program under test, about which the sanitizers must have no complaint in the end."""
    def look():
        program.stop()
        test.assertNotRegex(program.said(), "Sanitizer|runtime error")
        test.assertIn(program.process.returncode, (0, 1, 2, -9))
    test.addCleanup(look)
    return program


def provider(test, *arguments):
    """It, attached to a linphone-daemon."""
    return checked(test, linphone_provider(test, *arguments))
