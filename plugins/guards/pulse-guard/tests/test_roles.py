"""The role phone of the streams of live calls: real servers, and what their policies make of it."""
import json
import os
import signal
import unittest

from studio import CEILING, ONE, TWO, Studio, wait_until

DUCKING = "module-role-ducking trigger_roles=phone ducking_roles=music volume=20%"
RULE = """\
pulse.rules = [
    { matches = [ { application.process.binary = "phone-one" } ]
      actions = { update-props = { media.role = "phone" } } }
]
"""


class Roles(Studio):
    """Where streams have roles."""

    def role(self, name):
        found = json.loads(self.output("pactl", "-f", "json", "list", "sink-inputs") or "[]")
        return [each["properties"].get("media.role", "") for each in found
                if each["properties"].get("application.process.binary") == name]

    def wait_for_role(self, name, *roles):
        wait_until(lambda: f"{name} has {self.role(name)}", lambda: self.role(name) == list(roles))

    def silent_phone(self, name):
        """A program that plays silence."""
        self.write_tone("silence", amplitude=0)
        self.playing(name, "silence")
        self.wait_for_role(name, "")


class PulseAudioTests(unittest.TestCase):
    def setUp(self):
        self.studio = Roles(self, "pulseaudio", DUCKING)
        self.studio.playing("jukebox", "tone", "--property=media.role=music")
        self.studio.wait_for_role("jukebox", "music")

    def test_music_is_quieter_while_a_call_is_live(self):
        self.studio.silent_phone("phone-one")
        loud = self.studio.loudness(0.2)
        self.studio.start_guard("--roles")
        call = self.studio.call(self.studio.app(ONE))
        self.studio.wait_for_role("phone-one", "phone")
        quiet = self.studio.loudness(0.5)
        self.assertTrue(0 < quiet < loud / 10, f"{quiet} of {loud}")
        self.studio.user.set_held(call, True, wait="completed").result(CEILING)
        self.studio.wait_for_role("phone-one", "")
        wait_until("it is as loud as before", lambda: self.studio.loudness(0.2) > loud * 0.9)

    def test_without_the_option_it_is_not(self):
        """What the test above stands on."""
        self.studio.silent_phone("phone-one")
        loud = self.studio.loudness(0.2)
        self.studio.start_guard()
        self.studio.call(self.studio.app(ONE))
        self.studio.call(self.studio.app(TWO))  # the mute shows that the guard has seen both
        wait_until("it is muted", lambda: self.studio.mutes("phone-one") == [True])
        self.assertEqual(self.studio.role("phone-one"), [""])
        wait_until("it is as loud as before", lambda: self.studio.loudness(0.2) > loud * 0.9)

    def test_only_the_app_that_is_live_has_the_role(self):
        self.studio.silent_phone("phone-one")
        self.studio.silent_phone("phone-two")
        guard = self.studio.start_guard("--roles")
        self.studio.call(self.studio.app(ONE))
        self.studio.wait_for_role("phone-one", "phone")
        self.studio.call(self.studio.app(TWO))
        self.studio.wait_for_role("phone-two", "phone")
        self.studio.wait_for_role("phone-one", "")
        guard.kill(signal.SIGTERM)
        self.assertEqual(self.studio.role("phone-two"), [""])


class PipeWireTests(unittest.TestCase):
    def setUp(self):
        self.studio = Roles(self, "pipewire")

    def test_no_client_sets_the_role_of_another_and_that_is_logged_once(self):
        self.studio.streams_of("phone-one")
        guard = self.studio.start_guard("--roles")
        self.studio.call(self.studio.app(ONE))
        guard.wait_for("no stream gets the role phone")
        self.studio.call(self.studio.app(TWO))
        self.studio.wait_for_muted("phone-one")
        self.assertEqual(guard.said().count("no stream gets"), 1)
        self.assertEqual(self.studio.role("phone-one"), [""])

    def test_a_rule_of_its_own_gives_a_program_the_role(self):
        """As the README has it."""
        self.studio.stop_server()
        folder = os.path.join(self.studio.folder, ".config", "pipewire", "pipewire-pulse.conf.d")
        os.makedirs(folder)
        with open(os.path.join(folder, "phones.conf"), "w", encoding="utf-8") as file:
            file.write(RULE)
        self.studio.start_pipewire()
        self.studio.playing("phone-one")
        self.studio.wait_for_role("phone-one", "phone")


if __name__ == "__main__":
    unittest.main()
