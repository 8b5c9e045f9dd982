#!/usr/bin/python3
"""Takes the pictures of the README from a real desktop: pictures.py [FOLDER]."""
import os
import subprocess
import sys
import sysconfig
import unittest

import test_tray
import test_window
from desk import CEILING, Desk, PLUGIN, wait_until

FOLDER = os.path.join(PLUGIN, "pictures")
COLORS = "64"                                   # of a palette: small files
DESKTOP = "#c9d3df"                             # the color of the screen
SERVER = "xfce4/notifyd/xfce4-notifyd"          # dunst draws no buttons


def take(desk, name, area, still=2):
    """Takes an area of the screen once it stays as it is."""
    shots = []

    def is_still():
        shots.append(subprocess.run(["import", "-window", "root", "-crop", area, "rgb:-"],
                                    env=desk.environment, stdout=subprocess.PIPE, check=True,
                                    timeout=CEILING).stdout)
        return len(shots) > still and len(set(shots[-still - 1:])) == 1

    wait_until(f"{name} stays as it is", is_still)
    path = os.path.join(FOLDER, name + ".png")
    desk.output("import", "-window", "root", "-crop", area, "+repage", "-depth", "8", "+dither", "-colors",
                COLORS, "PNG8:" + path)
    print(path, os.path.getsize(path))


def start_notes(desk):
    """A notification server that draws buttons, on a screen that is not black."""
    libraries = sysconfig.get_config_var("MULTIARCH")
    desk.environment["GSETTINGS_BACKEND"] = "memory"
    desk.program("notes", f"/usr/lib/{libraries}/{SERVER}")
    wait_until("a notification server", lambda: "org.freedesktop.Notifications" in desk.output(
        "busctl", "--user", "--acquired", "list"))


class NotePictures(unittest.TestCase):
    """An incoming call, and the note of one that talks."""

    def test_take(self):
        desk = Desk(self)
        desk.start_bus()
        desk.start_screen()
        desk.start_window_manager()
        desk.output("xsetroot", "-solid", DESKTOP)
        start_notes(desk)
        desk.start_notifier("--silent")
        app, other = desk.app(max_call_groups=4), desk.app("org.example.mobile", "Mobile")
        app.on_action("set_muted")(lambda action: None)
        call = desk.rings(app, "+442079460123", display_name="Ada Lovelace")
        desk.user.answer(call, wait="completed").result(CEILING)
        desk.rings(other, "+15550101", display_name="Grace Hopper")
        take(desk, "note", "540x280+740+0")


class TrayPictures(test_tray.PanelBase):
    def test_take(self):
        desk, app = self.desk, self.desk.app("org.example.mobile", "Mobile", max_call_groups=4)
        desk.output("xsetroot", "-solid", DESKTOP)
        self.wait_for_color("free")
        call = desk.rings(app, display_name="Ada Lovelace")
        desk.user.answer(call, wait="completed").result(CEILING)
        desk.user.set_held(call, True, wait="completed").result(CEILING)
        second = desk.rings(app, "+15550101", display_name="Grace Hopper")
        desk.user.answer(second, wait="completed").result(CEILING)
        self.wait_for_color("green")
        self.open_menu_of_call("Down")
        take(desk, "tray", "500x210+110+0")


class WindowPictures(test_window.Screen):
    def test_take(self):
        self.start()
        call = self.desk.rings(self.app, "+442079460123", display_name="Ada Lovelace")
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.desk.rings(self.app, "+15550101", display_name="Grace Hopper")
        self.wait_for("Grace Hopper", "Hold & Answer")
        take(self.desk, "window", "1100x300+90+380")


if __name__ == "__main__":
    if sys.argv[1:]:
        FOLDER = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
