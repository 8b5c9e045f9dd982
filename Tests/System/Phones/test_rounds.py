"""Rounds of Hold & Accept over all pairs of four telephones. CALLBROKER_ROUNDS=200 plays two hundred;
without it each pair is played once, in both directions."""
import itertools
import os
import shutil
import tempfile
import unittest

import lab
import phonelab
from phonelab import Sound
from telephone import Telephone

ROUNDS = int(os.environ.get("CALLBROKER_ROUNDS", "12"))
SESSION = 40                                    # rounds of one capture


class RoundTests(lab.World):
    """`ann` and `bea` are baresips, `linda` is a linphone, `lea` a liblinphone."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = lab.Daemon(self, self.folder)
        self.sound = Sound(self, self.folder)
        self.ann, self.bea = (lab.Baresip(self, self.folder, name) for name in ("ann", "bea"))
        self.linda = lab.Linphone(self, self.folder, "linda", self.sound, calls=16)
        self.lea = Telephone(self, self.folder, "lea", self.daemon.socket)
        self.phones = [self.ann, self.linda, self.lea, self.bea]
        self.user = lab.User("user", socket=self.daemon.socket, backoff=(0.05, 0.2))
        self.user.__enter__()
        self.addCleanup(self.user.__exit__)
        self.adapters = {}
        for phone in (self.ann, self.bea, self.linda):
            make = phonelab.linphone_provider if phone is self.linda else phonelab.baresip_provider
            self.adapters[phone] = make(self, self.folder, phone, self.daemon.socket,
                                        self.identity(phone))
            self.adapters[phone].wait_for("attached")

    def play(self, number, first, second):
        """One round: a call speaks, another is accepted and ended, and the first one speaks again;
        the names of the callers."""
        names = f"carol{number}x", f"dave{number}x"
        held, carol = self.answered(first, names[0])
        waiting, dave = self.called(second, names[1])
        self.do("answer", waiting, "hold_and_answer")
        self.assertEqual(self.states(held, waiting), ["held", "active"])
        if number % 2:
            self.do("swap")
            self.do("swap")
        self.do("end", waiting)
        self.until(held, "active")
        self.do("end", held)
        self.over(carol, dave)
        return names

    def session(self, numbers):
        """Some rounds, and what the packets say about them."""
        capture = lab.Capture(self, self.folder, self.phones)
        pairs = list(itertools.permutations(self.phones, 2))
        names = [(number, self.play(number, *pairs[number % len(pairs)])) for number in numbers]
        wire = capture.wire()
        for number, (first, second) in names:
            with self.subTest(round=number, pair=[phone.user for phone in pairs[number % len(pairs)]]):
                self.assert_held_before(wire, first, second)
        self.assert_one_talks(wire, *[name for _, both in names for name in both])
        talking = {name: len(wire.talking(name)) for _, both in names for name in both}
        self.assertTrue(all(talking.values()), talking)     # or there was nothing to compare
        return len(names)

    def test_no_two_calls_are_audible_at_once_in_any_round(self):
        played = 0
        for start in range(0, ROUNDS, SESSION):
            played += self.session(range(start, min(start + SESSION, ROUNDS)))
        self.assertEqual(played, ROUNDS)
        self.assertGreaterEqual(played, 12)     # every pair, in both directions


if __name__ == "__main__":
    unittest.main()
