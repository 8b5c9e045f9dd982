"""The commands of an adapter's README, as they are there: from nothing to what works."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import phonelab
from registered_account import PASSWORD, Kamailio

NAME = "sip:me@example.org"                     # stands for the reader's own account


class CommandCase(unittest.TestCase):
    """A subclass says which plugin it is, and the heading above its commands."""

    PLUGIN = HEADING = None
    COUNT = 5                                   # of the commands that lead there
    CEILING = 8 * phonelab.CEILING              # of one command

    def blocks(self):
        """The commands of that section, one list for each block."""
        with open(os.path.join(self.PLUGIN, "README.md"), encoding="utf-8") as file:
            section = file.read().split(self.HEADING)[1].split("\n## ")[0]
        return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)]

    def commands(self):
        """Those that lead there, and the one that looks what became of them."""
        commands, (look,) = self.blocks()[:2]
        self.assertEqual(len(commands), self.COUNT, commands)
        return commands, look

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.home, tools = (os.path.join(self.folder, name) for name in ("home", "tools"))
        for path in (self.home, tools):
            os.mkdir(path, 0o700)
        program = os.environ.get("CALLBROKER") or os.path.join(phonelab.ROOT, ".build/debug/callbroker")
        os.symlink(os.path.abspath(program), os.path.join(tools, "callbroker"))
        with open(os.path.join(tools, "sudo"), "w", encoding="utf-8",
                  opener=lambda path, flags: os.open(path, flags, 0o700)) as file:
            file.write('#!/bin/sh\nexec "$@" -o DPkg::Lock::Timeout=120 </dev/null\n')
        self.environment = {
            **os.environ, "HOME": self.home, "PATH": tools + ":" + os.environ["PATH"],
            "XDG_RUNTIME_DIR": self.home, "XDG_STATE_HOME": self.home + "/state",
            "XDG_CONFIG_HOME": self.home + "/config", "BROKER_SOCKET": self.home + "/broker.sock"}
        for name in ("LINPHONE_PIPE", "BROKER_OPTIONS"):
            self.environment.pop(name, None)

    def shell(self, command, may_fail=False):
        """What it prints; what it starts in the background goes on until the test ends."""
        log = os.path.join(self.folder, "shell.log")
        with open(log, "wb") as output:
            shell = subprocess.Popen(["bash", "-c", command], stdin=subprocess.PIPE, stdout=output,
                                     stderr=output, env=self.environment, start_new_session=True,
                                     cwd=phonelab.ROOT)
        self.addCleanup(self.end, shell.pid)
        shell.communicate(PASSWORD.encode() + b"\n", timeout=self.CEILING)
        with open(log, encoding="utf-8", errors="replace") as file:
            said = file.read()
        self.assertTrue(may_fail or shell.returncode == 0, command + said)
        return said

    def end(self, group):
        """Ends what a command has left."""
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass


class ReadmeTests(CommandCase):
    """A subclass says which plugin it is, the name of its identity, and what shows that it is registered."""

    HEADING = "## From nothing to a registered telephone"
    IDENTITY = None
    REGISTERED = "registered"

    def left(self):
        """The processes of the telephone that outlives its program."""
        return phonelab.processes("linphone-daemon", os.path.join(
            self.home, "state", "callbroker-linphone", self.IDENTITY, "linphonerc"))

    def end(self, group):
        """The same, and the telephone that outlives its program."""
        super().end(group)
        phonelab.kill_all(self.left())

    def test_five_commands_lead_to_a_registered_telephone(self):
        registrar = Kamailio(self, self.folder, passwords={"me": PASSWORD})
        commands, look = self.commands()
        for command in commands:
            self.shell(command.replace(NAME, f"sip:me@127.0.0.1:{registrar.sip}"))
        # A broker that was started in the background may not listen yet.
        phonelab.wait_until("it is not registered", lambda: re.search(
            re.escape(self.IDENTITY) + " .*" + self.REGISTERED, self.shell(look, may_fail=True)))
        self.assertEqual(len(registrar.contacts("me")), 1)
