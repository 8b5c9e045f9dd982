"""A real baresip plays its calls out of the device that the user chooses. The broker is the program
CALLBROKER, or .build/debug/callbroker of this repository."""
import unittest

import lab
from test_hold_and_answer import World
from sounds import Sounds, player_of, sound, sounds

SPEAKER, BUDS, BROKEN = "aubridge,speaker", "aubridge,buds", "alsa,missing"
OPTIONS = ("--endpoint", f"speaker={SPEAKER}", "--endpoint", f"bluetooth={BUDS};ausine,880",
           "--endpoint", f"wired={BROKEN}")


class SoundTests(World):
    def setUp(self):
        super().setUp()
        self.daemon = lab.Daemon(self, self.folder)
        self.asker = self.user(self.daemon)
        self.ann = lab.Baresip(self, self.folder, "ann", modules=("aubridge",),
                               player=SPEAKER)
        lab.provider(self, self.folder, self.ann, self.daemon.socket, "org.example.ann",
                     *OPTIONS).wait_for("attached")

    def talk(self, name):
        caller = lab.Caller(self, self.folder, name, self.ann)
        call = self.until(self.asker, lambda call: call.get("display_name") == name)
        self.asker.answer(call, wait="completed").result(lab.CEILING)
        return caller, call

    def states(self, call):
        return {each["endpoint"]: each["state"] for each in self.asker.calls[call]["endpoints"]}

    def use(self, endpoint, call):
        return self.daemon.tool("endpoint", "use", endpoint, call)

    def test_the_sound_of_a_call_is_moved(self):
        _, call = self.talk("bob")
        self.assertEqual(self.states(call), {
            SPEAKER: "in_use", BUDS: "available", BROKEN: "available"})
        for chosen, other in ((BUDS, SPEAKER), (SPEAKER, BUDS)):
            said, status = self.use(chosen, call)
            self.assertEqual(status, 0, said)
            lab.wait_until(f"{chosen} is not in use",
                           lambda: self.states(call)[chosen] == "in_use")
            self.assertEqual(self.states(call)[other], "available")

    def test_one_device_plays_all_calls(self):
        _, first = self.talk("bob")
        _, second = self.talk("carol")
        said, status = self.use(BUDS, second)
        self.assertEqual(status, 0, said)
        for call in (first, second):
            lab.wait_until("the device is not in use",
                           lambda: self.states(call)[BUDS] == "in_use")

    def test_a_device_that_is_not_there_changes_nothing(self):
        _, call = self.talk("bob")
        said, status = self.use(BROKEN, call)
        self.assertNotEqual(status, 0, said)
        self.assertIn("no such audio-player", said)
        self.assertEqual(self.states(call)[SPEAKER], "in_use")


class TextTests(unittest.TestCase):
    def test_devices_are_read(self):
        self.assertEqual(sound("speaker=alsa,plughw:1,0"), ("speaker", "alsa,plughw:1,0", None))
        self.assertEqual(sound("bluetooth=alsa,a;alsa,b"), ("bluetooth", "alsa,a", "alsa,b"))

    def test_what_is_no_device_is_refused(self):
        for texts in (["speaker"], ["speaker=alsa"], ["horn=alsa,default"], ["wired=alsa,a\nb"],
                      ["wired=alsa,a;x"], ["wired=alsa," + "a" * 252],
                      ["wired=alsa,a", "speaker=alsa,a"], [f"wired=alsa,{n}" for n in range(17)]):
            with self.subTest(texts=texts), self.assertRaises(ValueError):
                sounds(texts)

    def test_the_device_that_plays(self):
        self.assertEqual(player_of("# Audio\naudio_player\t\talsa,default\naudio_source\t\tx,y\n"),
                         "alsa,default")
        self.assertEqual(player_of(""), "")

    def test_what_baresip_plays_is_news_once(self):
        known = Sounds(sounds(["speaker=alsa,a"]))
        self.assertEqual([known.uses("alsa,a"), known.uses("alsa,a")], [True, False])
        self.assertEqual(known.endpoints(), [
            {"endpoint": "alsa,a", "kind": "speaker", "state": "in_use"}])


if __name__ == "__main__":
    unittest.main()
