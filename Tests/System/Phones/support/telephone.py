"""A liblinphone beside other telephones, as `make` has built it, or the program LIBLINPHONE_PROVIDER."""
import os

import phonelab
from phonelab import Program


class Telephone(Program):
    """A liblinphone, which is app and adapter in one."""

    def __init__(self, test, folder, name, broker_socket):
        first = phonelab.free_ports(64)
        self.user, self.sip = name, first
        program = os.environ.get("LIBLINPHONE_PROVIDER") or os.path.join(
            phonelab.ADAPTERS, "liblinphone", "build", "liblinphone_provider")
        super().__init__(test, folder, name, [
            os.path.abspath(program), "--identity", "org.example." + name, "--socket",
            broker_socket, "--verbose", "--address", f"127.0.0.1:{first}", "--user", name, "--rtp",
            f"{first + 4}-{first + 63}", "--sound", "none", "--folder",
            os.path.join(folder, name)])
        self.wait_for("registered")
