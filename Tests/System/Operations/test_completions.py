"""What bash, zsh and fish complete, each in a terminal of its own, from a running broker."""
import json
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "plugins", "sdk", "python", "tests"))

from programs import CEILING, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402
from test_prometheus import Telephone  # noqa: E402

# Ctrl-T writes the line that is being edited to a file.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], r"""
        source "$SCRIPT"
        show() { printf '%s' "$READLINE_LINE" >"$LINE.new"; mv "$LINE.new" "$LINE"; }
        bind -x '"\C-t": show' 2>/dev/null
        """),
    "zsh": (["zsh", "-f", "-i"], r"""
        fpath=("${SCRIPT:h}" $fpath)
        autoload -Uz compinit
        compinit -u -d "$LINE.dump"
        show() { print -rn -- "$BUFFER" >"$LINE.new"; mv "$LINE.new" "$LINE" }
        zle -N show
        bindkey '^T' show
        """),
    "fish": (["fish", "-N", "-i"], r"""
        source "$SCRIPT"
        function show; commandline >"$LINE.new"; mv "$LINE.new" "$LINE"; end
        bind \ct show
        """),
}


class Shell:
    """An interactive shell in a terminal."""

    def __init__(self, name, folder, environment):
        self.line = os.path.join(folder, "line")
        self.output = b""
        command, script = SHELLS[name]
        start = os.path.join(folder, "start")
        with open(start, "w", encoding="ascii") as file:
            file.write(script)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, {
                **environment, "LINE": self.line, "TERM": "xterm", "PS1": "$ ", "HISTFILE": "",
                "SCRIPT": os.path.join(folder, {"zsh": "_callbroker"}.get(name, "script"))})
        threading.Thread(target=self.read, daemon=True).start()
        # The first line that it shows proves that it is ready, and knows the key.
        self.type(f"source {start}\r")
        self.type(":")
        wait_until(lambda: f"{name}: {self.output[-500:]}", self.shown)
        self.type("\x15")

    def read(self):
        try:
            while data := os.read(self.terminal, 4096):
                self.output += data
        except OSError:
            pass

    def type(self, text):
        os.write(self.terminal, text.encode())

    def shown(self):
        """The line that is being edited, or None while it is not known."""
        if os.path.exists(self.line):
            os.remove(self.line)
        self.type("\x14")
        time.sleep(0.05)
        try:
            with open(self.line, encoding="utf-8") as file:
                return file.read().rstrip() or None
        except FileNotFoundError:
            return None

    def complete(self, line, expected):
        """Types a line and completes it, until it is as expected. A shell may give up completing
        when the next key comes meanwhile: each time that comes later."""
        found, pause, end = None, 0.2, time.monotonic() + CEILING
        while found != expected:
            if time.monotonic() > end:
                raise AssertionError(
                    f"{line} became {found!r}, not {expected!r}: {self.output[-300:]}")
            self.type("\x15" + line + "\t")
            time.sleep(pause)
            found, pause = wait_until("the line", self.shown), 2 * pause
            self.type("\x15")

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


class CompletionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        cls.addClassCleanup(cls.folder.cleanup)
        name = cls.folder.name
        plugins = os.path.join(name, "config", "callbroker", "plugins")
        os.makedirs(plugins)
        with open(os.path.join(plugins, "org.example.door.plugin.json"), "w",
                  encoding="ascii") as file:
            json.dump({"manifest": 1, "identity": "org.example.door", "name": "Door",
                       "version": "1", "protocol": {"min": 1, "max": 1}, "roles": ["provider"],
                       "exec": ["/bin/true"], "transport": "connect", "start": "manual",
                       "provider": {"display_name": "Door", "handle_types": ["generic"]}}, file)
        os.environ["XDG_CONFIG_HOME"] = os.path.join(name, "config")
        cls.broker = RealBroker()
        cls.addClassCleanup(cls.broker.close)
        cls.environment = {
            **os.environ, "BROKER_SOCKET": cls.broker.path, "HOME": name,
            "PATH": os.path.dirname(cls.broker.program) + ":" + os.environ["PATH"]}
        telephone = Telephone(cls.broker.path)
        cls.addClassCleanup(telephone.close)
        telephone.ring()
        cls.tool("answer")
        cls.call = json.loads(cls.tool("calls", "--json").splitlines()[0])["call"][:8]
        cls.tool("contact", "put", "Ada Lovelace", "+15550123")
        cls.tool("contact", "put", "Eve $(touch pwned) `touch pwned`", "+15550124")

    @classmethod
    def tool(cls, *arguments):
        return subprocess.run([cls.broker.program, *arguments], env=cls.environment, check=True,
                              timeout=10 * CEILING, stdout=subprocess.PIPE, text=True).stdout

    def shell(self, name):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, "_callbroker" if name == "zsh" else "script")
        with open(file, "w", encoding="utf-8") as script:
            script.write(self.tool("--generate-completion-script", name))
        shell = Shell(name, folder.name, self.environment)
        self.addCleanup(shell.close)
        return shell, folder.name

    def complete(self, name):
        shell, folder = self.shell(name)
        shell.complete("callbroker end ", f"callbroker end {self.call}")
        shell.complete("callbroker calls --provider org.",
                       "callbroker calls --provider org.example.phone")
        shell.complete("callbroker plugin logs org", "callbroker plugin logs org.example.door")
        shell.complete("callbroker contact remove Ad",
                       r"callbroker contact remove Ada\ Lovelace")
        shell.complete("callbroker watch call.allo", "callbroker watch call.allowed_changed")
        shell.complete("callbroker describe broker.met", "callbroker describe broker.metrics")
        # bash quotes the character, which ends a word for its completion only.
        equals = r"\=" if name == "bash" else "="
        shell.complete("callbroker policy set on_cannot",
                       "callbroker policy set on_cannot_hold" + equals)
        # A name that a shell would evaluate is not offered.
        shell.complete("callbroker contact remove Ev", "callbroker contact remove Ev")
        self.assertNotIn("pwned", os.listdir(folder))

    def test_bash(self):
        self.complete("bash")

    def test_zsh(self):
        self.complete("zsh")

    def test_fish(self):
        self.complete("fish")


if __name__ == "__main__":
    unittest.main()
