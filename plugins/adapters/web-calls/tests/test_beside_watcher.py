"""A real Chromium with the extension, and the watcher of recording programs with its own rules, which sees
the same call at a real PulseAudio, under the real broker (CALLBROKER, or .build/debug/callbroker of this
repository): each call is there once."""
import os
import shutil
import subprocess
import unittest

import lab
from browsers import Program, environment, install_host, start_sound

WATCHER = os.path.join(lab.HERE, "..", "..", "watcher", "watcher.py")
WATCHED, WEB = "org.callbroker.watcher.", lab.Chromium.identity
MICROPHONE = "microphone"


class RecordingChromium(lab.Chromium):
    """One with the microphone of a sound server, not with one of its own."""

    def __init__(self, test, folder, *values):
        home = os.path.join(folder, "chromium")
        os.makedirs(home)
        start_sound(test, folder, home)
        subprocess.run(["pactl", "load-module", "module-remap-source", "source_name=" + MICROPHONE,
                        "master=null.monitor"], check=True, timeout=lab.CEILING, stdout=subprocess.DEVNULL,
                       env=environment(home, ""))
        super().__init__(test, folder, *values)

    def arguments(self, *values):
        return [each for each in super().arguments(*values) if each != "--use-fake-device-for-media-stream"]


class BesideWatcherTests(lab.World):
    BROWSER = RecordingChromium

    def start_watcher(self):
        self.environment = environment(self.browser.home, self.broker.path)
        watcher = Program(self, self.folder, "watcher", [
            WATCHER, "--verbose", "--state", os.path.join(self.folder, "state")], self.environment)
        watcher.wait_for("watching")

    def providers(self):
        return {each["provider"] for each in self.user.list_providers().result(lab.CEILING)["providers"]}

    def start_mumble(self):
        """A program that the watcher knows, and that begins to record now."""
        program = os.path.join(self.folder, "mumble")
        shutil.copy(shutil.which("pacat"), program)
        Program(self, self.folder, "mumble", [
            program, "--record", "--raw", "--device=" + MICROPHONE, "/dev/null"], self.environment)

    def active(self, provider):
        return self.until(lambda each: each["provider"] == provider and each["state"] == "active")

    def mutes(self):
        """Of all that is recorded and played."""
        said = "".join(subprocess.run(
            ["pactl", "list", kind], check=True, text=True, timeout=lab.CEILING, stdout=subprocess.PIPE,
            env={**self.environment, "LC_ALL": "C"}).stdout for kind in ("source-outputs", "sink-inputs"))
        return {line.strip() for line in said.splitlines() if line.strip().startswith("Mute:")}

    def history(self):
        return {entry["provider"]: entry for entry in self.user.list_history().result(lab.CEILING)["entries"]}

    def test_a_page_that_the_extension_reports_is_not_watched(self):
        self.start_watcher()
        other = self.browser.open(self.address("plain.html"))
        self.browser.run(other, "new RTCPeerConnection()")
        lab.wait_until("the extension's provider is there", lambda: WEB in self.providers())
        _, _, call = self.joined()
        self.assertEqual(self.user.calls[call]["provider"], WEB)
        self.start_mumble()                     # it records later, and counts later
        self.active(WATCHED + "mumble")
        self.assertEqual({each["provider"] for each in self.calls()}, {WEB, WATCHED + "mumble"})
        self.assertEqual(self.history(), {})

    def test_an_extension_that_comes_in_the_middle_of_a_call_takes_it_over(self):
        self.start_watcher()
        shutil.rmtree(os.path.join(self.browser.profile, "NativeMessagingHosts"))
        near, far = self.call()
        watched = self.active(WATCHED + "chromium")["call"]
        install_host(self.browser.home)
        call = self.active(WEB)["call"]
        entry = self.until_gone(watched)
        self.assertEqual((entry["provider"], entry["end_detail"]["reason"]),
                         (WATCHED + "chromium", "reported_by_another"))
        self.assertEqual(self.user.calls[call]["state"], "active")
        lab.wait_until("nothing is muted", lambda: self.mutes() == {"Mute: no"})
        self.assert_talking(near, far)
        self.browser.click(near, "#leave")
        self.until_gone(call)
        self.assertEqual(len(self.history()), 2)

    def assert_talking(self, near, far):
        """The far end is heard, and gets packets."""
        lab.wait_until("the far end is heard", lambda: self.browser.run(near, "return await heard()") > 0.1)
        self.gained(far)


if __name__ == "__main__":
    unittest.main()
