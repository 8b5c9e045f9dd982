"""What is made quieter, and given back, by what the sound server says of a stream."""
import asyncio
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import theater  # noqa: F401  (finds the library)

import sound_server
from muted_streams import Debts
from quieter import Quieter
from sound_server import Stream

LIFE = "a life"


class QuieterTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.debts = Debts(Path(folder.name, "lowered.json"))
        self.addCleanup(self.debts.close)
        self.was_set = []
        patched = mock.patch.object(sound_server, "set_volumes", self.set_volumes)
        patched.start()
        self.addCleanup(patched.stop)

    async def set_volumes(self, _kind, _index, volumes):
        self.was_set.append(tuple(volumes))

    def settle(self, quieter, volume, is_due):
        """Settles one stream; returns the volumes that were set."""
        self.was_set.clear()
        stream = Stream("sink-input", 63, False, {"module-stream-restore.id": "music"}, volumes=(volume,))
        asyncio.run(quieter.settle([stream], LIFE, {stream.key} if is_due else ()))
        return list(self.was_set)

    def test_a_stream_that_has_no_volume_yet_is_lowered_once_it_has_one(self):
        quieter = Quieter(self.debts, 20)
        self.assertEqual(self.settle(quieter, 0, True), [])
        self.assertEqual(self.settle(quieter, 65_536, True), [(13_107,)])
        self.assertEqual(self.settle(quieter, 13_107, False), [(65_536,)])

    def test_a_lowered_stream_that_has_no_volume_for_a_moment_is_given_back_once_it_has_one(self):
        quieter = Quieter(self.debts, 20)
        self.assertEqual(self.settle(quieter, 65_536, True), [(13_107,)])
        self.assertEqual(self.settle(quieter, 0, False), [])
        self.assertEqual(self.settle(quieter, 13_107, False), [(65_536,)])

    def test_what_was_lowered_to_nothing_is_given_back(self):
        quieter = Quieter(self.debts, 0)
        self.assertEqual(self.settle(quieter, 65_536, True), [(0,)])
        self.assertEqual(self.settle(quieter, 0, False), [(65_536,)])


if __name__ == "__main__":
    unittest.main()
