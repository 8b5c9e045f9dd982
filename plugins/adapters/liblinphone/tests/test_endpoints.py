"""Where the sound of a call comes out, with a sound server that has several sinks."""
import shutil
import subprocess
import tempfile
import unittest

import lab


class EndpointTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.sound = lab.Sound(self, self.folder)
        for name in ("kitchen", "desk"):
            self.pactl("load-module", "module-null-sink", f"sink_name={name}",
                       f"sink_properties=device.description={name}")
        self.linda = lab.Side(self, self.folder, "linda", sound=self.sound)

    def pactl(self, *words):
        return subprocess.run(["pactl", "--server", self.sound.server, *words], check=True,
                              capture_output=True, text=True).stdout

    def sink(self):
        """The name of the sink to which the telephone plays; None if it plays nothing."""
        sinks = dict(line.split("\t")[:2] for line in self.pactl("list", "short", "sinks")
                     .splitlines())
        inputs = [line.split("\t") for line in self.pactl("list", "short", "sink-inputs")
                  .splitlines()]
        return sinks[inputs[0][1]] if inputs else None

    def test_the_sound_moves_to_the_device_that_the_user_chooses(self):
        carol = lab.Caller(self, self.folder, "carol", self.linda.phone)
        call = self.linda.call("ringing")
        self.linda.do("answer", call)
        for name in ("kitchen", "desk"):
            endpoint = next(each["endpoint"] for each in self.linda.user.calls[call]["endpoints"]
                            if each["name"] == name)
            self.linda.do("set_endpoint", call, endpoint)
            lab.wait_until(lambda: f"it plays to {self.sink()}", lambda name=name:
                           self.sink() == name)
            used = [each["name"] for each in self.linda.user.calls[call]["endpoints"]
                    if each["state"] == "in_use"]
            self.assertEqual(used, [name])
        self.linda.do("end", call)
        self.assertEqual(carol.wait(), 0, carol.said())
        self.assertEqual(carol.logged(), ["answered", "a=sendrecv", "a=sendrecv"])


if __name__ == "__main__":
    unittest.main()
