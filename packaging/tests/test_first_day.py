"""The first day of a user, from an empty Debian to a call, an upgrade in it, and back, with the README's commands."""
import glob
import json
import os
import re
import shutil
import tempfile
import time
import unittest

from machine import ROOT, SERVICE, SOCKET, STATE, MachineTests, make_root, needs_root, wait_until
from packages import build_packages, later_release

BARE = ["dbus", "dbus-user-session", "libpam-systemd", "systemd", "sudo"]
DOWNLOADED = ["baresip-core", "libjansson4", "libsqlite3-0", "libstdc++6", "python3", "python3-jeepney"]
HOME = "/home/ada"
SECONDS_TO_FIRST_CALL = 180
# What its user has enabled stays, and may be disabled; the telephone keeps its files.
LEFT = (".config/callbroker", ".config/systemd", ".local/state/callbroker-baresip")
# Somebody who calls ada's baresip, and hears a tone.
CALLER = """\
poll_method             epoll
sip_listen              127.0.0.1:5080
net_interface           127.0.0.1
rtp_ports               10200-10299
audio_source            ausine,440
ausrc_srate             48000
ausrc_channels          2
audio_player            aufile,/dev/null
audio_alert             aufile,/dev/null
module_path             /usr/lib/baresip/modules
module                  g711.so
module                  ausine.so
module                  aufile.so
module_tmp              uuid.so
module_tmp              account.so
module_app              menu.so
"""


def commands():
    """Those that the README shows, without their comments."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        text = file.read().split("\n## The first day\n")[1]
    block = re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1]
    return [re.split(r"\s+#", line)[0] for line in block.splitlines()]


class Caller:
    """A baresip that dials."""

    def __init__(self, machine):
        folder = f"{HOME}/caller"
        os.mkdir(machine.path(folder))
        for name, text in (("config", CALLER), ("contacts", ""),
                           ("accounts", "<sip:bob@127.0.0.1:5080;transport=udp>;regint=0\n")):
            with open(machine.path(f"{folder}/{name}"), "w", encoding="utf-8") as file:
                file.write(text)
        machine.run("chown", "-R", "ada:", folder)
        self.log = f"{folder}/log"
        self.machine = machine
        self.process = machine.start(
            "bash", "-c", f"exec baresip -f {folder} -e '/dial sip:baresip@127.0.0.1:5060' >{self.log} 2>&1")

    def close(self):
        self.process.kill()
        self.process.communicate()

    def expect(self, words):
        """Waits until it has printed that."""
        wait_until(f"{words!r} of the caller", lambda: words in self.text())

    def text(self):
        with open(self.machine.path(self.log), encoding="utf-8", errors="replace") as file:
            return file.read()


@needs_root
class FirstDayTests(MachineTests):
    @classmethod
    def setUpClass(cls):
        cls.lower = make_root(*BARE, "--", *DOWNLOADED)
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.packages = [path for path in build_packages(cls.folder)
                        if os.path.basename(path).startswith(("callbroker_", "callbroker-plugins_"))]

    def setUp(self):
        super().setUp()
        with open(self.machine.path("/etc/sudoers.d/ada"), "w", encoding="ascii") as file:
            file.write("ada ALL=(ALL) NOPASSWD:SETENV: ALL\n")

    def bring(self, packages):
        """Downloads packages, as the user would."""
        for old in glob.glob(self.machine.path(f"{HOME}/*.deb")):
            os.remove(old)
        for package in packages:
            shutil.copy(package, self.machine.path(HOME))

    def type(self, command, status=0):
        """A line of the user's, in the home folder; root has no password to ask for."""
        return self.machine.execute(
            "bash", "-c", f"cd; {command.replace('sudo ', 'sudo -n DEBIAN_FRONTEND=noninteractive ')}",
            status=status, XDG_SESSION_TYPE="tty")

    def calls(self):
        return [json.loads(line) for line in self.machine.execute("callbroker", "calls", "--json").splitlines()]

    def wait_for_call(self, state):
        call, = wait_until(f"a call that is {state}", lambda: [
            call for call in self.calls() if call["state"] == state and call["provider_connected"]])
        return call["call"]

    def test_the_commands_of_the_readme(self):
        install, enable, add, show, answer, upgrade, restart, end, purge = commands()
        before = self.machine.files()
        self.bring(self.packages)
        self.machine.boot()
        start = time.monotonic()
        self.type(install)
        self.type(enable)
        self.assertIn("org.callbroker.baresip", self.type(add))
        wait_until("the telephone", lambda: "baresip" in self.type("callbroker providers"))
        caller = Caller(self.machine)
        self.addCleanup(caller.close)
        self.wait_for_call("ringing")
        self.assertIn("bob", self.type(show))
        self.type(answer)
        seconds = time.monotonic() - start
        call = self.wait_for_call("active")
        caller.expect("Call established")
        print(f"from the package to the first call: {seconds:.0f} s")
        self.assertLess(seconds, SECONDS_TO_FIRST_CALL)
        self.upgrade_in_the_call(upgrade, restart, call)
        self.type(end)
        caller.expect("terminated")
        self.type(purge)
        self.assertEqual(self.machine.systemctl("is-active", SERVICE, SOCKET, status=3), "inactive\ninactive\n")
        self.assertEqual(self.left(before), {*STATE, "home/ada/.local/state/callbroker/plugins.json f "})

    def test_setup_starts_the_broker_and_rings_a_test_call(self):
        self.bring(self.packages)
        self.machine.boot()
        self.type(commands()[0])
        # No baresip runs yet, and nobody has said that it is to be started.
        said = self.type("callbroker setup --yes", status=1)
        self.assertIn("The broker is started", said)
        self.assertIn("baresip is enabled, and does not run", said)
        self.assertIn("start true", said)
        self.machine.systemctl("is-enabled", SOCKET)
        setup = self.machine.start("callbroker", "setup", "--test-call", "--ring", "60")
        self.addCleanup(setup.communicate)
        self.wait_for_call("ringing")
        self.type("callbroker answer")
        self.assertIn("The test call was answered", setup.stdout.read())
        self.assertEqual(self.type("callbroker history --json"), "")

    def upgrade_in_the_call(self, upgrade, restart, call):
        running = self.machine.show("MainPID", SERVICE)
        self.bring(later_release(self.packages, self.folder))
        self.type(upgrade)
        self.assertEqual((self.machine.show("MainPID", SERVICE), self.wait_for_call("active")), (running, call))
        self.type(restart)
        self.assertNotEqual(self.machine.show("MainPID", SERVICE), running)
        self.assertEqual(self.wait_for_call("active"), call)

    def left(self, before):
        """What is left of CallBroker, but for the files of its user and of the telephone."""
        return {name for name in self.machine.left(before) if "callbroker" in name
                and not name.split(" ")[0].endswith(".deb") and not any(part in name for part in LEFT)}


if __name__ == "__main__":
    unittest.main()
