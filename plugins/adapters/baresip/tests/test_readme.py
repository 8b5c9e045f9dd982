"""The commands of the README, as they are there: from nothing to a registered telephone."""
import os
import re
import signal
import subprocess
import unittest

import lab
from test_registration import PASSWORD, AccountWorld

NAME = "sip:me@example.org"                     # stands for the reader's own account
HEADING = "## From nothing to a registered telephone"


def commands():
    """The first commands of that section."""
    with open(os.path.join(lab.PLUGIN, "README.md"), encoding="utf-8") as file:
        section = file.read().split(HEADING)[1].split("\n## ")[0]
    return re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1].splitlines()


class ReadmeTests(AccountWorld):
    def setUp(self):
        super().setUp()
        self.daemon.kill()                      # the commands start their own
        self.home, tools = (os.path.join(self.folder, name) for name in ("home", "tools"))
        for path in (self.home, tools):
            os.mkdir(path, 0o700)
        os.symlink(self.daemon.program, os.path.join(tools, "callbroker"))
        with open(os.path.join(tools, "sudo"), "w", encoding="utf-8",
                  opener=lambda path, flags: os.open(path, flags, 0o700)) as file:
            file.write('#!/bin/sh\nexec "$@" -o DPkg::Lock::Timeout=120 </dev/null\n')
        self.environment = {
            **os.environ, "HOME": self.home, "PATH": tools + ":" + os.environ["PATH"],
            "XDG_RUNTIME_DIR": self.home, "XDG_STATE_HOME": self.home + "/state",
            "XDG_CONFIG_HOME": self.home + "/config", "BROKER_SOCKET": self.home + "/broker.sock"}

    def shell(self, command):
        """What it prints; what it starts in the background goes on until the test ends."""
        log = os.path.join(self.folder, "shell.log")
        with open(log, "wb") as output:
            shell = subprocess.Popen(["bash", "-c", command], stdin=subprocess.PIPE, stdout=output,
                                     stderr=output, env=self.environment, start_new_session=True,
                                     cwd=os.path.join(lab.PLUGIN, "..", "..", ".."))
        self.addCleanup(self.end, shell.pid)
        shell.communicate(PASSWORD.encode() + b"\n", timeout=4 * lab.CEILING)
        self.assertEqual(shell.returncode, 0, command)
        with open(log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self, group):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass
        for process in lab.processes("baresip", os.path.join(
                self.home, "state", "callbroker-baresip", "org.callbroker.baresip")):
            os.kill(process, signal.SIGKILL)

    def test_five_commands_lead_to_a_registered_telephone(self):
        registrar = lab.Kamailio(self, self.folder, passwords={"me": PASSWORD})
        first, second, third, fourth, look = commands()
        for command in (first, second, third, fourth):
            self.assertEqual(command.count("\n"), 0)
            self.shell(command.replace(NAME, f"sip:me@127.0.0.1:{registrar.sip}"))
        lab.wait_until("it is not registered", lambda: re.search(
            r"org\.callbroker\.baresip .*registered, default", self.shell(look)))
        self.assertEqual(len(registrar.contacts("me")), 1)


if __name__ == "__main__":
    unittest.main()
