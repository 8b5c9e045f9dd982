"""Packaged programs that know nothing of the broker, at a real sound server with the packaged rules."""
import functools
import http.server
import os
import re
import shutil
import sys
import threading
import unittest

from booth import CEILING, HERE, TWO, WATCHED, Booth, start_until, wait_until

sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "..", "Tests", "System", "Phones", "support"))

import phonelab  # noqa: E402
from firefox_profile import write_profile  # noqa: E402

# A page that talks and plays, as one of a meeting does.
PAGE = """\
<!doctype html><title>meeting</title><script>
navigator.mediaDevices.getUserMedia({audio: true}).then(stream => {
  const context = new AudioContext(), tone = context.createOscillator();
  window.kept = [stream, tone];
  tone.connect(context.destination);
  tone.start();
});
</script>
"""
PREFERENCES = {"media.navigator.permission.disabled": True, "media.autoplay.default": 0,
               "media.autoplay.blocking_policy": 0, "datareporting.policy.dataSubmissionEnabled": False,
               "browser.shell.checkDefaultBrowser": False, "toolkit.startup.max_resumed_crashes": -1}
MUMBLE = "[General]\nlastupdate=2\n"            # no wizard before it opens its streams


class Line:
    """A sound server as linphone wants it."""

    def __init__(self, booth):
        self.server = booth.environment["PULSE_SERVER"]


class Programs(unittest.TestCase):
    def setUp(self):
        self.booth = Booth(self, "pulseaudio", "module-stream-restore")
        shutil.rmtree(os.path.join(self.booth.folder, ".config"))    # the packaged rules alone
        self.booth.environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        self.booth.start_watcher()

    # ---- What each of them does

    def start_screen(self):
        """A display of its own."""
        screen = self.booth.program("xvfb", "Xvfb", "-displayfd", "1", "-screen", "0",
                                    "1024x768x24", "-noreset", "-nolisten", "tcp")
        self.booth.environment["DISPLAY"] = ":" + wait_until(
            "a display", lambda: re.findall(r"^(\d+)\n", screen.said(), re.MULTILINE))[0]

    def page(self):
        """The address of a page that uses the microphone."""
        folder = os.path.join(self.booth.folder, "www")
        os.makedirs(folder)
        with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
            file.write(PAGE)
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
        self.has_asked = threading.Event()
        handler.func.log_message = lambda *_: self.has_asked.set()
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/"

    def is_held_for_another(self, app, program, count=2):
        """From the first sound of an app to the last."""
        call = self.booth.wait_for_state("active", app)["call"]
        self.booth.wait_for_mutes(program, count, False)
        other = self.booth.call(self.booth.app(TWO))
        self.booth.wait_for_state("held", app)
        self.booth.wait_for_mutes(program, count, True)
        self.booth.user.end(other, wait="completed").result(CEILING)
        self.booth.wait_for_state("active", app)
        self.booth.wait_for_mutes(program, count, False)
        self.assertEqual(self.booth.watched(app)["call"], call)
        self.assertEqual(list(self.booth.calls()), [WATCHED + app])

    def has_left(self, app):
        self.booth.wait_for_state(None, app)
        self.assertEqual(self.booth.history()[0]["end_detail"]["reason"], "stream_ended")

    # ---- The programs

    def test_mumble(self):
        folder = os.path.join(self.booth.folder, ".config", "Mumble")
        os.makedirs(folder)
        with open(os.path.join(folder, "Mumble.conf"), "w", encoding="utf-8") as file:
            file.write(MUMBLE)
        self.start_screen()
        mumble = self.booth.program("mumble", "mumble", "-n")
        # It records at once; when it plays is its own affair.
        self.is_held_for_another("mumble", "mumble", None)
        mumble.stop()
        self.has_left("mumble")

    def test_linphone(self):
        phone = phonelab.Linphone(self, self.booth.folder, "ann", sound=Line(self.booth))
        phonelab.Caller(self, self.booth.folder, "carol", phone)
        wait_until("it rings", lambda: "State: LinphoneCallIncomingReceived" in phone.command(
            "call-status 1"))
        self.assertEqual(self.booth.calls(), {})
        phone.command("answer")
        self.is_held_for_another("linphone", "linphone-daemon")
        phone.command("terminate")
        self.has_left("linphone")

    def test_a_page_in_chromium(self):
        browser = self.booth.program(
            "browser", "chromium", "--no-sandbox", "--headless=new", "--no-first-run",
            "--user-data-dir=" + os.path.join(self.booth.folder, "chromium"),
            "--use-fake-ui-for-media-stream", "--autoplay-policy=no-user-gesture-required",
            self.page())
        wait_until(lambda: f"the page is asked for: {browser.said()}", self.has_asked.is_set)
        self.is_held_for_another("chromium", "chromium")
        browser.stop()
        self.has_left("chromium")

    def test_a_page_in_firefox(self):
        profile = os.path.join(self.booth.folder, "firefox")
        write_profile(profile, PREFERENCES)
        page = self.page()
        browser = start_until(
            lambda: self.booth.program("browser", "firefox-esr", "--headless", "--no-remote",
                                       "--profile", profile, page), self.has_asked.is_set)
        self.is_held_for_another("firefox", "firefox-esr")
        browser.stop()
        self.has_left("firefox")


if __name__ == "__main__":
    unittest.main()
