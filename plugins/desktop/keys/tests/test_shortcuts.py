"""Global shortcuts through the real xdg-desktop-portal, with a backend of the test's own."""
import os
import subprocess
import unittest

from place import CEILING, HERE, Place, wait_until

PORTAL = "/usr/libexec/xdg-desktop-portal"
DECLARATION = """\
[portal]
DBusName=org.freedesktop.impl.portal.desktop.callbrokertest
Interfaces=org.freedesktop.impl.portal.GlobalShortcuts;
UseIn=callbrokertest
"""
BACKEND = os.path.join(HERE, "shortcut_backend.py")


class ShortcutTests(unittest.TestCase):
    def setUp(self):
        self.place = Place(self)
        self.place.start_bus()
        self.place.environment["XDG_CURRENT_DESKTOP"] = "callbrokertest"
        self.place.environment["XDG_DESKTOP_PORTAL_DIR"] = self.place.folder
        path = os.path.join(self.place.folder, "callbrokertest.portal")
        with open(path, "w", encoding="utf-8") as file:
            file.write(DECLARATION)

    def start_portal(self):
        """The backend, then the portal before it."""
        log = os.path.join(self.place.folder, "backend.log")
        with open(log, "wb") as output:
            self.backend = subprocess.Popen(
                ["/usr/bin/python3", BACKEND], stdin=subprocess.PIPE, stdout=output,
                stderr=subprocess.STDOUT, env=self.place.environment, text=True)
        self.addCleanup(self.stop_backend)
        self.log = log
        wait_until("the backend serves", lambda: "serves" in self.bound())
        self.portal = self.place.program("portal", PORTAL)
        self.place.output("gdbus", "wait", "--session", "org.freedesktop.portal.Desktop")

    def stop_backend(self):
        self.backend.terminate()
        self.backend.communicate()

    def bound(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read()

    def start_keys(self):
        self.place.start_keys("--no-media-keys", "--no-hid")
        self.place.keys.wait_for("shortcuts: bound")

    def key(self, word, name="", at_ms=0):
        self.backend.stdin.write(f"{word} {name} {at_ms}\n")
        self.backend.stdin.flush()

    def test_the_shortcuts_are_bound_with_names_in_the_users_language(self):
        self.start_portal()
        self.place.environment["LC_MESSAGES"] = "de_DE.UTF-8"
        self.start_keys()
        for words in ("button=CallBroker: Annehmen / Auflegen", "decline=", "mute=", "hold=",
                      "silence="):
            self.assertIn(words, self.bound())

    def test_a_short_press_answers_and_a_long_one_mutes(self):
        self.start_portal()
        self.start_keys()
        call = self.place.rings(self.place.app())
        self.key("down", "button", 10_000)
        self.key("up", "button", 10_200)
        self.place.wait_for_state(call, "active")
        self.key("down", "button", 20_000)
        self.key("up", "button", 21_500)
        self.place.wait_for_mute(call, True)
        self.assertEqual(self.place.presses(), ["short", "long"])

    def test_each_shortcut_does_what_its_name_says(self):
        self.start_portal()
        self.start_keys()
        app = self.place.app()
        call = self.place.talks(app)
        self.key("down", "mute", 1)
        self.place.wait_for_mute(call, True)
        self.key("down", "hold", 2)
        self.place.wait_for_state(call, "held")
        other = self.place.rings(app, "+15550101")
        self.key("down", "silence", 3)
        wait_until("silenced", lambda: self.place.state(other).get("silenced"))
        self.key("down", "decline", 4)
        self.place.wait_for_state(other, "")
        self.assertEqual(self.place.state(call)["state"], "held")

    def test_a_portal_that_comes_later_and_again_is_used(self):
        self.place.start_keys("--no-media-keys", "--no-hid")
        self.place.keys.wait_for("no shortcuts of the desktop")
        self.start_portal()
        self.place.keys.wait_for("shortcuts: bound")
        self.portal.kill()
        self.portal = self.place.program("portal-again", PORTAL)
        wait_until("bound again", lambda: self.bound().count("bound ") == 2)
        call = self.place.rings(self.place.app())
        wait_until("the second session", lambda: self.place.keys.said().count("bound") == 2)
        self.key("down", "decline", 1)
        self.place.wait_for_state(call, "")

    def test_a_desktop_that_closes_the_session_is_reported_once(self):
        self.start_portal()
        self.start_keys()
        self.key("close")
        self.place.keys.wait_for("it has closed the session")
        self.assertEqual(self.place.keys.said().count("no shortcuts of the desktop"), 1)

    def test_without_a_portal_it_says_so_once_and_works_on(self):
        self.place.start_keys("--no-hid", "--settling", "0")
        self.place.keys.wait_for("there is no portal")
        call = self.place.rings(self.place.app())
        wait_until("the player is there", lambda: "the player is there" in self.place.keys.said())
        subprocess.run(["playerctl", "play-pause"], env=self.place.environment, check=True,
                       timeout=CEILING)
        self.place.wait_for_state(call, "active")
        self.assertEqual(self.place.keys.said().count("no shortcuts of the desktop"), 1)


if __name__ == "__main__":
    unittest.main()
