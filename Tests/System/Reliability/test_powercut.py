"""The power fails behind any call with which the broker writes. What it leaves can be opened, and
nothing is missing that the broker had said it has for good. IMAGES and SEED choose how many, and
which; without IMAGES they are always the same."""
import os
import random
import unittest

import powercut

IMAGES = int(os.environ.get("IMAGES", 2_000))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32) if "IMAGES" in os.environ else 1))


def without(kind, path):
    """A broker that never does that."""
    return lambda ops: [op for op in ops if (op.kind, op.path) != (kind, path)]


class PowerCutTests(unittest.TestCase):
    def test_what_a_power_cut_leaves_can_be_opened_and_has_what_was_acknowledged(self):
        print(f"powercut: SEED={SEED}", flush=True)
        trial = powercut.run(IMAGES, SEED)
        self.assertFalse(trial.complaints, f"SEED={SEED}\n" + "\n".join(trial.complaints[:10]))
        self.assertGreater(trial.words["store whole"], 0)
        self.assertGreater(trial.words["journal damaged"], 0, "nothing was torn")

    def test_a_journal_that_is_renamed_before_it_is_synced_is_noticed(self):
        self.assertTrue(powercut.run(300, 1, without("sync", "journal.new")).complaints)

    def test_a_policy_that_is_not_synced_is_noticed(self):
        self.assertTrue(powercut.run(300, 1, without("sync", "journal")).complaints)

    def test_a_store_that_is_not_synced_is_noticed(self):
        self.assertTrue(powercut.run(300, 1, without("sync", "store.sqlite-wal")).complaints)

    def test_a_folder_that_is_not_synced_is_noticed(self):
        self.assertTrue(powercut.run(300, 1, without("sync", ".")).complaints)


if __name__ == "__main__":
    unittest.main()
