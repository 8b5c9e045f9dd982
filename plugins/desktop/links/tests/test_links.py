"""The desktop entry for the schemes of apps, as xdg-mime and gio see it, and a link that is opened."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from callbroker import Provider  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

OURS = "callbroker-schemes.desktop"
OTHER = """[Desktop Entry]
Type=Application
Name=Rooms
Exec=/bin/true %u
MimeType=x-scheme-handler/{scheme};
"""


class LinkTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)
        self.applications = os.path.join(self.folder, "data", "applications")
        self.system = os.path.join(self.folder, "system", "applications")
        os.makedirs(self.system)
        self.environment = {
            "PATH": os.path.dirname(self.broker.program) + ":" + os.environ["PATH"],
            "HOME": self.folder, "XDG_DATA_HOME": os.path.dirname(self.applications),
            "XDG_CONFIG_HOME": os.path.join(self.folder, "config"),
            "XDG_DATA_DIRS": os.path.dirname(self.system), "XDG_RUNTIME_DIR": self.folder,
            "BROKER_SOCKET": self.broker.path}
        self.dialed = []

    def app(self, *schemes, identity="org.example.rooms"):
        app = Provider(identity, "Rooms", handle_types=["generic"], url_schemes=list(schemes),
                       socket=self.broker.path)
        app.on_action("start")(
            lambda action: self.dialed.append(action.arguments["remote"]["value"]))
        app.__enter__()
        self.addCleanup(app.__exit__, None, None, None)
        return app

    def installed(self, scheme):
        """Another program that opens these links."""
        with open(os.path.join(self.system, "rooms.desktop"), "w", encoding="utf-8") as file:
            file.write(OTHER.format(scheme=scheme))
        self.output("update-desktop-database", self.system)

    def start(self):
        return Program(self, self.folder, "links", [os.path.join(PLUGIN, "links.py"), "--verbose"],
                       self.environment)

    def output(self, *command):
        return subprocess.run(command, env=self.environment, check=True, text=True,
                              timeout=CEILING, stdout=subprocess.PIPE).stdout

    def opener_for_xdg(self, scheme):
        return self.output("xdg-mime", "query", "default", "x-scheme-handler/" + scheme).strip()

    def opener_for_gio(self, scheme):
        """The default application is named in the first line, after the last colon."""
        listed = self.output("gio", "mime", "x-scheme-handler/" + scheme).splitlines()[0]
        return listed.rpartition(": ")[2] if listed.endswith(".desktop") else ""

    def opener(self, scheme):
        """The program that opens these links; xdg-mime and gio agree."""
        opener = self.opener_for_xdg(scheme)
        self.assertEqual(self.opener_for_gio(scheme), opener)
        return opener

    def wait_for(self, scheme, opener):
        for asked in (self.opener_for_xdg, self.opener_for_gio):
            wait_until(lambda: f"{opener} opens {scheme}:, not {asked(scheme)}",
                       lambda: asked(scheme) == opener)

    def test_the_links_of_an_app_open_here_as_long_as_it_is_registered(self):
        self.start()
        app = self.app("room", "tel")
        self.wait_for("room", OURS)
        self.assertEqual(self.opener("tel"), "")        # callbroker.desktop has it
        self.output("desktop-file-validate", os.path.join(self.applications, OURS))
        self.output("gio", "open", "room:blue")
        wait_until("the app was asked to call", lambda: self.dialed == ["room:blue"])
        app.update(url_schemes=["hall"]).result(CEILING)
        self.wait_for("hall", OURS)
        self.assertEqual(self.opener("room"), "")
        app.unregister().result(CEILING)
        wait_until("the entry is gone", lambda: not os.path.exists(
            os.path.join(self.applications, OURS)))
        self.wait_for("hall", "")

    def test_it_never_takes_links_from_another_program_unless_the_user_wants_that(self):
        self.installed("room")
        self.start()
        app = self.app("room", "hall", "https", "file")
        self.wait_for("hall", OURS)
        self.assertEqual(self.opener("room"), "rooms.desktop")
        with open(os.path.join(self.applications, OURS), encoding="utf-8") as file:
            self.assertIn("MimeType=x-scheme-handler/hall;\n", file.read())
        self.output("xdg-mime", "default", OURS, "x-scheme-handler/room")
        self.assertEqual(self.opener("room"), OURS)
        self.output("gio", "open", "room:green")
        wait_until("the app was asked to call", lambda: self.dialed == ["room:green"])
        self.assertTrue(app.connected)

    def test_a_program_that_comes_later_may_be_chosen_and_is_left_alone_then(self):
        self.start()
        self.app("room")
        self.wait_for("room", OURS)
        self.installed("room")
        self.output("xdg-mime", "default", "rooms.desktop", "x-scheme-handler/room")
        self.app("hall", identity="org.example.halls")
        self.wait_for("hall", OURS)
        self.assertEqual(self.opener("room"), "rooms.desktop")

    def test_an_entry_that_an_earlier_run_left_is_removed_when_no_app_needs_it(self):
        self.app("room").unregister().result(CEILING)
        os.makedirs(self.applications)
        with open(os.path.join(self.applications, OURS), "w", encoding="utf-8") as file:
            file.write(OTHER.format(scheme="room"))
        self.start()
        wait_until("the entry is gone", lambda: not os.path.exists(
            os.path.join(self.applications, OURS)))

    def test_it_runs_as_a_plugin_that_the_broker_starts(self):
        self.broker.kill()
        self.broker.arguments = ("--plugin-dir", PLUGIN)
        passed = {name: value for name, value in self.environment.items() if name != "BROKER_SOCKET"}
        with mock.patch.dict(os.environ, passed):
            self.broker.start()
        self.app("room")
        self.wait_for("room", OURS)

    def test_a_folder_that_cannot_be_written_is_reported_and_is_no_end(self):
        with open(os.path.join(self.folder, "data"), "w", encoding="utf-8"):
            pass                                # a file in the place of the folder
        links = self.start()
        self.app("room")
        links.wait_for("links do not open here")
        self.assertIsNone(links.process.poll())


if __name__ == "__main__":
    unittest.main()
