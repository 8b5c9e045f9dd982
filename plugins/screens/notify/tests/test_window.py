"""The window of incoming calls on a real screen with a real window manager, pressed by mouse and
keyboard, and as a screen reader has it."""
import json
import os
import re
import signal
import subprocess
import sys
import unittest

from desk import CEILING, Desk, HERE, PLUGIN, SDK, act_until, wait_until

import incoming
from cards import Card

ANN = {"a": Card("Ann", "Incoming call · +15550100", (("answer", "Answer"),))}


class ShownTests(unittest.TestCase):
    def test_a_locked_screen_shows_what_the_user_allows(self):
        for is_locked, word, expected in ((False, "nothing", "Ann"), (True, "caller", "Ann"),
                                          (True, "call", "Incoming call"), (True, "nothing", None),
                                          (True, "no such word", None)):
            shown = incoming.shown(ANN, is_locked, word)
            self.assertEqual(shown and shown["title"], expected)
            if expected == "Incoming call":
                self.assertNotRegex(json.dumps(shown), "Ann|5550100")
                self.assertEqual(shown["calls"][0]["buttons"], (("answer", "Answer"),))
        self.assertIsNone(incoming.shown({}, False, "call"))


class Screen(unittest.TestCase):
    """A desk with a window manager, and what its windows have for a screen reader."""

    def setUp(self):
        self.desk = Desk(self)
        self.desk.environment.update(GSK_RENDERER="cairo", LC_ALL="C.UTF-8")
        self.desk.start_bus()
        self.desk.start_screen()
        self.desk.start_window_manager()

    def start(self, *arguments):
        self.notifier = self.desk.start_notifier("--silent", "--window", *arguments)
        self.app = self.desk.app(max_call_groups=4)

    def parts(self):
        """Role, name and place of each part of the window, whether it has the focus, and whether it
        can be pressed."""
        said = self.desk.output("/usr/bin/python3", "-W", "ignore",
                                os.path.join(SDK, "tests", "accessible.py"), "callbroker")
        return [json.loads(line) for line in said.splitlines()]

    def names(self):
        return {name for _, name, *_ in self.parts()}

    def focused(self):
        return {name for _, name, _, has_focus, _ in self.parts() if has_focus}

    def wait_for(self, *names):
        wait_until(lambda: f"{names} in {self.parts()}", lambda: set(names) <= self.names())

    def wait_for_nothing(self):
        wait_until(self.parts, lambda: not self.windows())

    def windows(self):
        return self.desk.xdotool("search", "--onlyvisible", "--class", "callbroker").split()

    def buttons(self):
        """The middle of each button, by its name."""
        boxes = {name: box for role, name, box, *_ in self.parts() if role == "push button" and box}
        return {name: (x + width // 2, y + height // 2) for name, (x, y, width, height) in boxes.items()}

    def click_on(self, name):
        """Clicks on a button where it is now, if it is there: a new window has yet to fill the screen."""
        place = self.buttons().get(name)
        if place:
            self.desk.output("xdotool", "mousemove", *map(str, place), "click", "1")

    def press_until(self, act, condition):
        """While there is a window."""
        act_until(act, condition, self.windows)

    def does(self, name, kind, call):
        self.wait_for(name)
        self.press_until(lambda: self.click_on(name), lambda: (kind, call) in self.desk.performed)

    def session_program(self, kind, name, word):
        program = self.desk.program(name, sys.executable, os.path.join(HERE, "session_program.py"),
                                    kind, name, word)
        program.wait_for("serves")
        return program

    def color(self, x, y):
        """Of one point of the screen: red, green and blue."""
        said = subprocess.run(
            ["import", "-window", "root", "-crop", f"1x1+{x}+{y}", "-depth", "8", "rgb:-"],
            env=self.desk.environment, stdout=subprocess.PIPE, check=True, timeout=CEILING)
        return tuple(said.stdout)


class WindowTests(Screen):
    def keys(self, *keys):
        """To the window, if it is still there."""
        for window in self.windows():
            self.desk.xdotool("windowfocus", "--sync", window)
            self.desk.xdotool("key", *keys)

    def test_enter_answers_and_the_arrows_choose(self):
        self.start()
        first = self.desk.rings(self.app)
        self.wait_for("Answer")
        self.press_until(lambda: self.keys("Return"),
                         lambda: ("answer", first) in self.desk.performed)
        self.wait_for_nothing()
        second = self.desk.rings(self.app, "+15550101")
        self.wait_for("Decline")
        self.press_until(lambda: self.keys("Tab"), lambda: "Decline" in self.focused())
        self.press_until(lambda: self.keys("Return"), lambda: ("end", second) in self.desk.performed)

    def test_escape_silences_and_the_call_goes_on(self):
        self.start()
        call = self.desk.rings(self.app)
        self.wait_for("Answer")
        self.press_until(lambda: self.keys("Escape"), lambda: self.desk.state(call)["silenced"])
        self.wait_for_nothing()
        self.assertEqual(self.desk.state(call)["state"], "ringing")

    def test_what_is_typed_elsewhere_when_it_appears_goes_there(self):
        other = self.desk.program("other", "xev", "-event", "keyboard",
                                  "-geometry", "300x300+20+20")
        wait_until("the focus", lambda: "Event Tester" in self.desk.xdotool(
            "search", "--onlyvisible", "--name", "Event Tester", "windowactivate", "windowfocus",
            "getwindowfocus", "getwindowname"))
        self.start()
        call = self.desk.rings(self.app)
        self.wait_for("Answer")
        self.desk.output("xdotool", "key", "Return")
        wait_until(other.said, lambda: "keysym 0xff0d, Return" in other.said())
        self.assertEqual((self.desk.state(call)["state"], self.desk.performed), ("ringing", []))
        wait_until(lambda: self.color(100, 100), lambda: (      # over the other, which is white
            200 < min(self.color(100, 100)) and max(self.color(100, 100)) < 255))

    def test_it_goes_when_the_call_is_answered_elsewhere_and_with_its_program(self):
        self.start()
        call = self.desk.rings(self.app)
        self.wait_for("Answer")
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.wait_for_nothing()
        self.desk.rings(self.app, "+15550101")
        self.wait_for("Decline")
        self.notifier.kill(signal.SIGKILL)
        self.wait_for_nothing()

    def test_a_locked_screen_shows_no_name(self):
        for kind, name in (("SESSION", "org.freedesktop.ScreenSaver"),
                           ("SYSTEM", "org.freedesktop.login1")):
            with self.subTest(name):
                address = self.desk.environment["DBUS_SESSION_BUS_ADDRESS"]
                self.desk.environment["DBUS_SYSTEM_BUS_ADDRESS"] = address
                program = self.session_program(kind, name, "yes")
                self.start()
                call = self.desk.rings(self.app, display_name="Ann")
                self.wait_for("Incoming call", "Answer")
                self.assertNotRegex(str(self.parts()), "Ann|5550100|Desk")
                program.process.send_signal(signal.SIGUSR1)
                self.wait_for("Ann", "Incoming call · +15550100 · Desk phone")
                program.process.send_signal(signal.SIGUSR1)
                wait_until(self.parts, lambda: "Ann" not in str(self.parts()))
                self.does("Answer", "answer", call)
                self.app.report_ended(call, "remote_ended").result(CEILING)
                program.stop()
                self.notifier.stop()
                self.app.close()

    def test_a_locked_screen_shows_nothing_if_the_user_wants_that(self):
        saver = self.session_program("SESSION", "org.freedesktop.ScreenSaver", "yes")
        self.start("--when-locked", "nothing")
        self.desk.rings(self.app, display_name="Ann")
        saver.process.send_signal(signal.SIGUSR1)
        self.wait_for("Ann")
        saver.process.send_signal(signal.SIGUSR1)
        self.wait_for_nothing()

    def test_without_a_screen_it_says_so_and_goes_on(self):
        del self.desk.environment["DISPLAY"]
        self.start()
        call = self.desk.rings(self.app)
        self.notifier.wait_for("no window: there is no screen")
        self.desk.user.answer(call, wait="completed").result(CEILING)
        self.assertIsNone(self.notifier.process.poll())


class LookTests(Screen):
    """The window alone, told what to show."""

    def show(self, **members):
        """Starts the window with a call; its process."""
        program = subprocess.Popen(
            ["/usr/bin/python3", os.path.join(PLUGIN, "window.py")], env=self.desk.environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(program.communicate)
        buttons = [["answer", "Answer"], ["decline", "Decline"]]
        shown = {"direction": "ltr", "title": "Ann",
                 "calls": [{"call": "a", "name": "Ann", "body": "Incoming call",
                            "buttons": buttons}]}
        program.stdin.write(json.dumps({**shown, **members}) + "\n")
        program.stdin.flush()
        self.wait_for("Answer")
        return program

    def wait_for_order(self, left, right):
        """Until two buttons are beside each other like this: a new window has yet to place them."""
        def are_in_order():
            places = self.buttons()
            return left in places and right in places and places[left] < places[right]
        wait_until(self.parts, are_in_order)

    def test_answer_is_where_reading_begins(self):
        self.show()
        self.wait_for_order("Answer", "Decline")

    def test_answer_is_on_the_right_where_one_reads_from_there(self):
        self.show(direction="rtl")
        self.wait_for_order("Decline", "Answer")

    def test_it_is_light(self):
        self.show()
        wait_until(lambda: self.color(5, 5), lambda: min(self.color(5, 5)) > 200)

    def test_it_is_dark_if_the_user_prefers_that(self):
        self.session_program("SESSION", "org.freedesktop.portal.Desktop", "yes")
        shown = [self.show()]

        def is_dark():
            color = self.color(5, 5)
            if min(color) > 200:                # the portal had no time to answer
                shown.pop().communicate()
                shown.append(self.show())
            return 20 < max(color) < 80
        wait_until(lambda: self.color(5, 5), is_dark)

    def test_its_connection_to_the_bus_stays_open(self):
        """Gio gives up a connection in a thread of its own, which waits for Python while Python waits
        for the next connection: the window came 25 s late."""
        portal = self.session_program("SESSION", "org.freedesktop.portal.Desktop", "yes")
        self.show()
        (asker,) = re.findall("asked by (.*)", portal.said())
        self.assertIn("boolean true", self.desk.output(
            "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
            "org.freedesktop.DBus.NameHasOwner", "string:" + asker))


if __name__ == "__main__":
    unittest.main()
