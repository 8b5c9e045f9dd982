"""Debian hosts of a test's own: a copy of a small root, in which programs run, or a whole systemd."""
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from programs import wait_until  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.environ.get("CALLBROKER_STATIC") or os.path.join(ROOT, ".build-static/release/callbroker")
# The screens, as `make screens` builds them.
SCREENS = os.environ.get("CALLBROKER_SCREENS") or " ".join(os.path.join(ROOT, path) for path in (
    "plugins/screens/web/.build-static/release/callbroker-screen", ".build-phone/release/callbroker-phone"))
# What the packages need, and a systemd with sessions of users.
BOOTABLE = ["dbus", "dbus-user-session", "libjansson-dev", "libncursesw6", "libpam-systemd", "libsqlite3-0",
            "libstdc++6", "nodejs", "python3", "systemd"]
SERVICE, SOCKET, PAGE = "callbroker.service", "callbroker.socket", "callbroker-screen.service"
# Reads the page as a browser would: the address lets it in once, and gives it a cookie.
BROWSER = """import sys, urllib.request as web
print(web.build_opener(web.HTTPCookieProcessor()).open(sys.argv[1]).read().decode())"""
# Starts the screen in a terminal, waits for its first picture, quits, and prints what it has shown and its status.
TERMINAL = """import os, pty, select, sys
child, terminal = pty.fork()
if child == 0:
    os.environ["TERM"] = "vt100"
    os.execvp("callbroker", ["callbroker", "phone"])
shown = b""
while b"Calls" not in shown and select.select([terminal], [], [], 60)[0]:
    shown += os.read(terminal, 65536)
os.write(terminal, b"q")
try:
    while True: shown += os.read(terminal, 65536)
except OSError: pass
print(shown, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
# What a user who has had calls keeps: path, type, target of a link.
STATE = {f"home/ada/.local/state/callbroker{name} " for name in (
    " d", "/journal f", "/lock f", "/store.sqlite f")}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
SECONDS_MAX = 1800.0

needs_root = unittest.skipUnless(os.geteuid() == 0, "only root can set up a Debian in a folder")


def output(*command, status=0, **options):
    """What a command prints, both ways; an error that shows it if the exit status is another one."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=SECONDS_MAX, check=False, **options)
    if done.returncode != status:
        raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def make_root(*packages):
    """The folder of a Debian with these packages, made once on this host. Not to be changed."""
    done = subprocess.run([os.path.join(ROOT, "Scripts/debian-root"), *packages], check=True,
                          stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def run_in(root, *command, status=0, **environment):
    """A command, as root, where no systemd runs, and without a network."""
    places = {"PATH": PATH, "HOME": "/root", "LC_ALL": "C.UTF-8", **environment}
    return output("unshare", "--mount", "--pid", "--ipc", "--net", "--fork", "--kill-child", f"--root={root}", "--wd=/",
                  "--mount-proc", "env", "-i", *(f"{k}={v}" for k, v in places.items()), *command, status=status)


class Host:
    """A Debian that begins like the root, and may be changed; gone when its test is over."""

    def __init__(self, lower):
        self.closing = contextlib.ExitStack()
        folder = tempfile.mkdtemp()
        self.closing.callback(shutil.rmtree, folder)
        self.root = os.path.join(folder, "root")
        for name in ("root", "changes", "work"):
            os.mkdir(os.path.join(folder, name))
        output("mount", "-t", "overlay", "overlay", self.root, "-o",
               f"lowerdir={lower},upperdir={folder}/changes,workdir={folder}/work")
        self.closing.callback(output, "umount", "--recursive", self.root)

    def close(self):
        self.closing.close()

    def path(self, name):
        return self.root + name

    def run(self, *command, status=0, **environment):
        return run_in(self.root, *command, status=status, **environment)

    def files(self):
        """Everything that there is, with the type and the target of a link: to be compared."""
        found = output("find", self.root, "-xdev", "-printf", "%P %y %l\n").splitlines()
        return set(found)

    def left(self, before):
        """What has been added since then, of CallBroker or below /usr."""
        return {name for name in self.files() - before if "callbroker" in name or name.startswith("usr/")}

    def add_user(self, name):
        """Somebody whose systemd runs without a session."""
        self.run("useradd", "--create-home", "--shell", "/bin/bash", name)
        os.makedirs(self.path("/var/lib/systemd/linger"), exist_ok=True)
        with open(self.path(f"/var/lib/systemd/linger/{name}"), "wb"):
            pass
        return int(self.run("id", "-u", name))


class Machine(Host):
    """A host whose first process is systemd, with one user, and without a network."""

    def __init__(self, lower, user="ada"):
        super().__init__(lower)
        self.user, self.leader = user, None
        with contextlib.ExitStack() as failing:
            failing.callback(self.close)
            self.uid = self.add_user(user)
            failing.pop_all()

    def boot(self):
        # nspawn gives each machine the same cgroup without a scope for it: one at a time on this host.
        lock = open(os.path.join(tempfile.gettempdir(), "callbroker-machine.lock"), "wb")
        self.closing.callback(lock.close)
        fcntl.flock(lock, fcntl.LOCK_EX)
        log = open(os.path.join(os.path.dirname(self.root), "console"), "wb")
        self.closing.callback(log.close)
        nspawn = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network",
             "--console=pipe", "--boot", "--directory", self.root], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.closing.callback(self.stop, nspawn)
        children = f"/proc/{nspawn.pid}/task/{nspawn.pid}/children"
        self.leader = wait_until("a systemd in its own namespaces", lambda: self.first_process(children))
        wait_until("the manager of the user", lambda: os.path.exists(self.inside(f"/run/user/{self.uid}/systemd/private")))
        self.execute("systemctl", "--user", "--wait", "is-system-running")

    @staticmethod
    def first_process(children):
        with open(children, encoding="ascii") as file:
            found = file.read().split()
        # A short-lived child comes first; systemd is the one that has replaced it.
        with contextlib.suppress(OSError):
            for child in found:
                with open(f"/proc/{child}/comm", encoding="utf-8") as file:
                    if file.read().strip() == "systemd":
                        return child
        return None

    def stop(self, nspawn):
        """The way a killed machine ends: whatever runs in it cannot delay the end of the test."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(self.leader or nspawn.pid), signal.SIGKILL)
        nspawn.wait(SECONDS_MAX)

    def inside(self, path):
        """Of the running machine, whose /run is not that of the folder."""
        return f"/proc/{self.leader}/root{path}"

    def words(self, *command, user=None, **environment):
        """The command that runs a command in the machine, as its user unless another one is named."""
        who = ["setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--init-groups"] if user is None else []
        home, runtime = ("/root", "/run") if user else (f"/home/{self.user}", f"/run/user/{self.uid}")
        places = {"PATH": f"{home}/.local/bin:{PATH}", "HOME": home, "XDG_RUNTIME_DIR": runtime,
                  "LC_ALL": "C.UTF-8", **environment}
        return ["nsenter", f"--target={self.leader}", "--mount", "--pid", "--ipc", "--uts", "--net",
                "--root", "--wd", *who, "env", "-i", *(f"{k}={v}" for k, v in places.items()), *command]

    def execute(self, *command, status=0, user=None, **environment):
        return output(*self.words(*command, user=user, **environment), status=status)

    def start(self, *command, **environment):
        """A program of the user, with pipes; it ends with the machine."""
        return subprocess.Popen(self.words(*command, **environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True, bufsize=1)

    def systemctl(self, *words, status=0):
        return self.execute("systemctl", "--user", *words, status=status)

    def show(self, member, unit):
        return self.systemctl("show", "--value", "-p", member, unit).strip()

    def start_screens(self):
        """Starts both as their user does. Returns the page, and what the terminal has shown with its status."""
        self.systemctl("start", PAGE)
        asked = self.inside(f"/run/user/{self.uid}/callbroker/screen.sock")
        wait_until("the page", lambda: os.path.exists(asked))
        address = self.execute("callbroker", "screen", "--print").split()[-1]
        return (self.execute("python3", "-c", BROWSER, address), self.execute("python3", "-c", TERMINAL))

    def start_phone(self, sdk=""):
        phone = Phone(self, sdk)
        self.closing.callback(phone.close)
        phone.expect("ringing")
        return phone


class MachineTests(unittest.TestCase):
    """Tests that each have a machine, which they boot when they have prepared it."""

    @classmethod
    def setUpClass(cls):
        cls.lower = make_root(*BOOTABLE)

    def setUp(self):
        self.machine = Machine(self.lower)
        self.addCleanup(self.machine.close)

    def install(self, prefix):
        output(os.path.join(ROOT, "Scripts/install"), PROGRAM, self.machine.root, prefix,
               env={**os.environ, "SCREENS": SCREENS})


class Phone:
    """A provider on a machine, with a call that rings."""

    def __init__(self, machine, sdk):
        self.machine = machine
        with open(os.path.join(HERE, "phone.py"), encoding="utf-8") as file:
            self.process = machine.start("python3", "-c", file.read(), PYTHONPATH=sdk)

    def expect(self, line):
        found = self.process.stdout.readline().strip()
        if found != line:
            raise AssertionError(f"the phone prints {found!r}, not {line!r}")

    def calls(self):
        lines = self.machine.execute("callbroker", "calls", "--json").splitlines()
        return [json.loads(line) for line in lines]

    def answer(self):
        self.machine.execute("callbroker", "answer")
        self.expect("answer")
        return self.only_call()

    def only_call(self):
        """The id of the one call, which is active, once its provider is connected."""
        call, = wait_until("a call with a provider", lambda: [
            call for call in self.calls() if call["provider_connected"]])
        if call["state"] != "active":
            raise AssertionError(call)
        return call["call"]

    def end(self):
        """Reaches the provider, which performs it: so its session is alive."""
        self.machine.execute("callbroker", "end")
        self.expect("end")
        wait_until("no calls", lambda: not self.calls())

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(SECONDS_MAX)
