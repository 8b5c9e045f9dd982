"""What `make install` leaves on a host: links that call, units that systemd takes."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from callbroker import Provider  # noqa: E402
from programs import CEILING, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

from machine import SCREENS  # noqa: E402

DESKTOP = "share/applications/callbroker.desktop"
SCREEN_ENTRIES = ("share/applications/callbroker-phone.desktop", "share/applications/callbroker-screen.desktop")
PLUGINS = "share/callbroker/plugins"
UNITS = ("callbroker.socket", "callbroker.service", "callbroker-screen.service")


class PackagingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = RealBroker()
        cls.addClassCleanup(cls.broker.close)
        cls.root = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.root)
        subprocess.run([os.path.join(ROOT, "Scripts", "install"), cls.broker.program, "", cls.root],
                       check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SCREENS": SCREENS})

    def path(self, name):
        return os.path.join(self.root, name)

    def output(self, *arguments, **environment):
        done = subprocess.run(arguments, env={**os.environ, **environment}, timeout=CEILING,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_nothing_of_the_build_is_left_in_the_files(self):
        for folder, _, names in os.walk(self.root):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(b"@PREFIX@", file.read(), name)

    def test_everything_is_there(self):
        for name in ("bin/callbroker", "share/man/man1/callbroker.1",
                     "share/callbroker/messages/en.json", "share/callbroker/openrpc.json",
                     "share/bash-completion/completions/callbroker",
                     "share/zsh/site-functions/_callbroker",
                     "share/fish/vendor_completions.d/callbroker.fish"):
            self.assertGreater(os.path.getsize(self.path(name)), 0, name)

    def test_the_bundled_plugins_are_there_each_with_its_manifest(self):
        found = glob.glob("*/org.callbroker.*.plugin.json", root_dir=self.path(PLUGINS))
        sources = glob.glob("*/*/org.callbroker.*.plugin.json", root_dir=os.path.join(ROOT, "plugins"))
        self.assertGreater(len(sources), 10)
        self.assertEqual(sorted(found), sorted(path.split("/", 1)[1] for path in sources))
        for name in ("notify/icons/callbroker-free.svg", "web-calls/extension/manifest.json",
                     "web-calls/extension/sites/element.json", "keys/hid/descriptor.py",
                     "keys/70-callbroker-keys.rules", "notify/sound/ringer.py", "search/results.py"):
            self.assertTrue(os.path.exists(self.path(f"{PLUGINS}/{name}")), name)
        for name in found:
            with open(os.path.join(self.path(PLUGINS), name), encoding="utf-8") as file:
                program = json.load(file)["exec"][0]
            program = os.path.join(self.path(PLUGINS), os.path.dirname(name), program)
            self.assertIn("--socket", self.output(program, "--help", PYTHONPATH="", PATH="/usr/bin:/bin"))

    def test_a_program_in_c_finds_the_library(self):
        found = self.output("pkg-config", "--variable=libdir", "callbroker",
                            PKG_CONFIG_PATH=self.path("lib/pkgconfig"))
        self.assertTrue(os.path.exists(found.strip() + "/libcallbroker.so"), found)

    def test_the_desktop_entries_are_valid(self):
        for name in (DESKTOP, *SCREEN_ENTRIES):
            self.assertEqual(self.output("desktop-file-validate", "--warn-kde", self.path(name)), "", name)

    def test_the_desktops_searches_find_the_plugin_for_them(self):
        for name in ("share/gnome-shell/search-providers/org.callbroker.search.ini",
                     "share/krunner/dbusplugins/org.callbroker.search.desktop"):
            self.assertTrue(os.path.exists(self.path(name)), name)

    def test_the_session_bus_can_start_the_gateway_of_unifiedpush(self):
        with open(self.path("share/dbus-1/services/org.callbroker.UnifiedPush.service"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertIn("Name=org.callbroker.UnifiedPush", lines)
        (command,) = [line.split("=", 1)[1].split() for line in lines if line.startswith("Exec=")]
        self.assertTrue(os.access(command[0], os.X_OK), command)
        self.assertEqual(command[1:], ["plugin", "start", "org.callbroker.unifiedpush"])

    def test_both_screens_are_there(self):
        for name in ("phone", "screen"):
            said = self.output(self.path(f"libexec/callbroker/callbroker-{name}"), "--help")
            self.assertIn(f"usage: callbroker-{name}", said.lower())
        for name in ("share/callbroker/screen/index.html",
                     "share/icons/hicolor/scalable/apps/org.callbroker.screen.svg"):
            self.assertGreater(os.path.getsize(self.path(name)), 0, name)

    def test_systemd_takes_the_units(self):
        units = [self.path("share/systemd/user/" + unit) for unit in UNITS]
        said = self.output("systemd-analyze", "verify", "--user", "--man=no", *units,
                           XDG_RUNTIME_DIR=self.root, HOME=self.root)
        self.assertNotIn("callbroker", said)

    def test_a_link_makes_a_call(self):
        """As a browser opens it: the scheme decides about the entry, that about the program."""
        started = []
        provider = Provider("org.example.phone", "Phone", socket=self.broker.path,
                            handle_types=["phone", "generic"], url_schemes=["tel", "sip", "sips"])
        provider.on_start(lambda action: started.append(action.arguments["remote"]))
        provider.on_end(lambda action: None)
        self.output("update-desktop-database", self.path("share/applications"))
        with provider:
            for link in ("tel:+15550100", "sip:ada@example.org", "sips:ada@example.org"):
                self.output("gio", "open", link, BROKER_SOCKET=self.broker.path, HOME=self.root,
                            XDG_DATA_DIRS=self.path("share"), XDG_CONFIG_DIRS=self.root,
                            XDG_DATA_HOME=self.path("home"), XDG_CONFIG_HOME=self.path("home"))
                self.end(provider)
        self.assertEqual(started, [{"type": "phone", "value": "+15550100"},
                                   {"type": "generic", "value": "sip:ada@example.org"},
                                   {"type": "generic", "value": "sips:ada@example.org"}])

    def end(self, provider):
        """The program, which `gio` does not wait for, has made its call when there is one."""
        calls = wait_until("a call that is dialing", lambda: [
            call for call in provider.list_calls().result(CEILING)["calls"]
            if call["state"] == "dialing"])
        provider.end(calls[0]["call"], wait="completed").result(CEILING)


if __name__ == "__main__":
    unittest.main()
