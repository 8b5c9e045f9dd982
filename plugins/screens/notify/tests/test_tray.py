"""The item in the tray and its menu: a real panel that shows them and is really clicked, and the
interfaces as any host reads them."""
import os
import re
import subprocess
import sys
import unittest

from desk import CEILING, Desk, HERE, act_until, wait_until

import status

PANEL = """\
<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=0;x=200;y=30"/>
      <property name="size" type="uint" value="48"/>
      <property name="icon-size" type="uint" value="32"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
    </property>
  </property>
</channel>
"""
NAME = re.compile(r"org\.kde\.StatusNotifierItem-\d+-1")
PATH, INTERFACE = "/StatusNotifierItem", "org.kde.StatusNotifierItem"


class StatusTests(unittest.TestCase):
    def test_what_wants_the_user_most_comes_first(self):
        rings, talks, held = ({"state": each, "call": each, "allowed": []}
                              for each in ("ringing", "active", "held"))
        for calls, missed, is_undisturbed, expected in (
                ([], 0, False, "free"), ([], 0, True, "do_not_disturb"), ([], 2, True, "missed"),
                ([held], 2, True, "held"), ([held, talks], 0, False, "active"),
                ([held, talks, rings], 0, False, "ringing")):
            self.assertEqual(status.state(calls, missed, is_undisturbed), expected)

    def test_the_menu_has_the_buttons_of_each_call(self):
        talks = {"state": "active", "call": "c", "display_name": "Ann", "allowed": ["end", "hold"]}
        shown = status.status([talks, {"state": "ended", "call": "d"}], 0, True)
        self.assertEqual(shown.menu, (
            status.Entry("In a call"), status.Entry(),
            status.Entry("Ann · In a call", entries=(
                status.Entry("Hang up", ("call", "c", "end")),
                status.Entry("Hold", ("call", "c", "hold")))), status.Entry(),
            status.Entry("Do not disturb", ("do_not_disturb",), True)))
        self.assertEqual((shown.title, shown.body), ("In a call", "Ann · In a call"))


class TrayBase(unittest.TestCase):
    """With a watcher of the test's own, and gdbus as a host."""

    def setUp(self):
        self.desk = Desk(self)
        self.desk.environment["LC_ALL"] = "C.UTF-8"     # in which gdbus prints
        self.desk.start_bus()

    def start_watcher(self, name="watcher"):
        watcher = self.desk.program(name, sys.executable, os.path.join(HERE, "tray_watcher.py"))
        watcher.wait_for("serves")
        return watcher

    def registered(self, watcher):
        return wait_until(watcher.said, lambda: NAME.search(watcher.said()))[0]

    def start_tray(self):
        watcher = self.start_watcher()
        self.notifier = self.desk.start_notifier("--silent")
        self.item = self.registered(watcher)

    def gdbus(self, path, method, *arguments):
        return self.desk.output("gdbus", "call", "--session", "--dest", self.item,
                                "--object-path", path, "--method", method, *arguments)

    def property(self, name):
        return self.gdbus(PATH, "org.freedesktop.DBus.Properties.Get", INTERFACE, name)

    def wait_for(self, name, *words):
        wait_until(lambda: f"{words} in {self.property(name)}",
                   lambda: all(word in self.property(name) for word in words))

    def layout(self):
        return self.gdbus("/MenuBar", "com.canonical.dbusmenu.GetLayout", "0", "--", "-1", "[]")

    def number(self, label):
        """Of the entry with that label."""
        found = wait_until(self.layout, lambda: re.search(
            rf"<\((\d+), \{{[^{{}}]*'label': <'{label}'>", self.layout()))
        return found[1]

    def click(self, label):
        self.gdbus("/MenuBar", "com.canonical.dbusmenu.Event", self.number(label), "clicked",
                   "<'x'>", "0")


class TrayTests(TrayBase):
    def start(self):
        self.start_tray()
        self.app = self.desk.app(max_call_groups=4)

    def test_the_state_is_an_icon_and_a_tooltip(self):
        self.start()
        self.wait_for("IconName", "callbroker-free")
        call = self.desk.rings(self.app, display_name="Ann <b>")
        self.wait_for("IconName", "callbroker-ringing")
        self.wait_for("Status", "NeedsAttention")
        self.wait_for("ToolTip", "Somebody calls", "Ann &lt;b&gt; · Incoming call")
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.wait_for("IconName", "callbroker-active")
        self.wait_for("ToolTip", "In a call · since ")
        self.desk.user.set_held(call, True, wait="completed").result(CEILING)
        self.wait_for("IconName", "callbroker-held")
        self.app.report_ended(call, "remote_ended").result(CEILING)
        self.wait_for("IconName", "callbroker-free")
        self.wait_for("Status", "Active")
        self.app.report_ended(self.desk.rings(self.app), "unanswered").result(CEILING)
        self.wait_for("IconName", "callbroker-missed")
        self.wait_for("ToolTip", "Missed call")
        self.assertTrue(all(os.path.exists(self.icon(word)) for word in (
            "free", "ringing", "active", "held", "missed", "do_not_disturb")))

    def icon(self, word):
        (folder,) = re.findall("'(.*)'", self.property("IconThemePath"))
        return os.path.join(folder, f"callbroker-{word}.svg")

    def test_an_entry_of_a_call_that_has_ended_does_nothing(self):
        self.start()
        first, second = self.desk.rings(self.app), self.desk.rings(self.app, "+15550101")
        number = self.number("Decline")
        self.app.report_ended(first, "remote_ended").result(CEILING)
        wait_until(self.layout, lambda: "+15550100" not in self.layout())
        self.gdbus("/MenuBar", "com.canonical.dbusmenu.Event", number, "clicked", "<'x'>", "0")
        self.click("Answer")
        self.desk.wait_for_action("answer", second)
        self.assertEqual(self.desk.performed, [("answer", second)])

    def test_a_watcher_that_comes_later_and_again(self):
        self.notifier = self.desk.start_notifier("--silent")
        for name in ("later", "again"):
            watcher = self.start_watcher(name)
            self.item = self.registered(watcher)
            self.wait_for("IconName", "callbroker-free")
            watcher.kill()

    def test_the_interfaces_describe_themselves(self):
        self.start()
        for path, words in ((PATH, ("ToolTip", "ContextMenu", "NewIcon", "IconThemePath")),
                            ("/MenuBar", ("GetLayout", "LayoutUpdated", "TextDirection"))):
            said = self.desk.output("gdbus", "introspect", "--session", "--dest", self.item,
                                    "--object-path", path)
            for word in words:
                self.assertIn(word, said)
        wrong = subprocess.run(
            ["gdbus", "call", "--session", "--dest", self.item, "--object-path", PATH, "--method",
             INTERFACE + ".Scroll", "1"], env=self.desk.environment, check=False, text=True,
            timeout=CEILING, capture_output=True)
        self.assertIn("org.freedesktop.DBus.Error.InvalidArgs", wrong.stderr)
        self.wait_for("IconName", "callbroker-free")


class PanelBase(unittest.TestCase):
    """With a real panel."""

    def setUp(self):
        self.desk = Desk(self)
        self.desk.start_bus()
        self.desk.start_screen()
        folder = os.path.join(self.desk.folder, ".config", "xfce4", "xfconf", "xfce-perchannel-xml")
        os.makedirs(folder)
        with open(os.path.join(folder, "xfce4-panel.xml"), "w", encoding="utf-8") as file:
            file.write(PANEL)
        self.desk.start_window_manager()
        self.start_panel()
        self.notifier = self.desk.start_notifier("--silent")
        self.app = self.desk.app()

    def start_panel(self, name="panel"):
        self.panel = self.desk.program(name, "xfce4-panel", "--disable-wm-check")

    def colors(self):
        """How many points of the icon's color are in the panel, by name of the state."""
        shot = os.path.join(self.desk.folder, "shot.ppm")
        self.desk.output("import", "-window", "root", "-crop", "140x60+130+0", "-depth", "8",
                         shot)
        with open(shot, "rb") as file:
            points = file.read()[-140 * 60 * 3:]
        found = [points[index:index + 3] for index in range(0, len(points), 3)]
        return {name: found.count(bytes.fromhex(color)) for name, color in (
            ("free", "8a8f98"), ("green", "2fa84f"), ("held", "d98a00"))}

    def wait_for_color(self, name):
        wait_until(lambda: f"{name} in {self.colors()}: {self.panel.said()}",
                   lambda: self.colors()[name] > 5)

    def keys(self, *names):
        self.desk.output("xdotool", "key", "--delay", "100", *names)

    def menus(self):
        """How many menus of the panel are open."""
        tree = self.described("-root", "-tree")
        windows = re.findall(r'^     (0x[0-9a-f]+) "wrapper-2.0"', tree, re.MULTILINE)
        said = [self.described("-id", each) for each in windows]
        marks = ("Override Redirect State: yes", "IsViewable", "InputOutput")
        return sum(all(mark in each for mark in marks) for each in said)

    def described(self, *which):
        """What xwininfo prints; windows may go while it looks."""
        return subprocess.run(["xwininfo", *which], check=False, text=True, timeout=CEILING,
                              env=self.desk.environment, capture_output=True).stdout

    def open_menu_of_call(self, *down):
        """Of the first, or further down, by mouse and keyboard."""
        def open_next():
            if self.menus() == 0:
                self.desk.output("xdotool", "mousemove", "162", "30", "click", "3")
            else:
                self.keys("Home", *down, "Right")
        act_until(open_next, lambda: self.menus() == 2)


class PanelTests(PanelBase):
    def test_another_panel_shows_the_icon_again(self):
        self.wait_for_color("free")
        self.panel.stop()
        wait_until(self.colors, lambda: self.colors()["free"] == 0)
        self.start_panel("another")
        self.wait_for_color("free")

    def test_the_icon_is_seen_and_its_menu_hangs_up(self):
        self.wait_for_color("free")
        call = self.desk.rings(self.app, display_name="Ann")
        self.wait_for_color("green")
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.desk.user.set_held(call, True, wait="completed").result(CEILING)
        self.wait_for_color("held")
        self.open_menu_of_call()
        self.keys("Return")
        self.desk.wait_for_action("end", call)
        self.wait_for_color("free")


if __name__ == "__main__":
    unittest.main()
