"""The broker is killed under load. Nothing that it had told anybody is lost, nothing happens twice,
and two calls are never live at once. KILLS and SEED choose how often, and which load; without KILLS
it is always the same."""
import os
import random
import shutil
import unittest

import kills

KILLS = int(os.environ.get("KILLS", 20))
KILLS_OF_A_WORLD = 20
SEED = int(os.environ.get("SEED", random.randrange(1 << 32) if "KILLS" in os.environ else 1))


class KillTests(unittest.TestCase):
    def test_nothing_is_lost_when_the_broker_is_killed(self):
        print(f"kills: SEED={SEED}", flush=True)
        for seed in range(SEED, SEED + KILLS // KILLS_OF_A_WORLD):
            with self.subTest(seed=seed):
                world = kills.run(KILLS_OF_A_WORLD, seed)
                self.assertFalse(world.complaints, f"SEED={seed}\n{world.report()}")

    def test_an_audit_goes_on_when_its_connection_is_lost(self):
        with kills.world(SEED, apps=1, users=0) as world:
            world.begin()
            world.auditor.look()
            world.auditor.leave()
            self.assertTrue(world.until("it is seen", lambda: world.auditor.has_looked))
            self.assertFalse(world.complaints, world.report())

    def test_without_a_journal_the_loss_is_noticed(self):
        world = kills.run(2, SEED, "--no-journal")
        self.assertIn("epoch", world.complaints, f"SEED={SEED}")

    def test_a_state_that_is_older_than_what_was_told_is_noticed(self):
        # Not always at the second kill: nobody may have been told anything since the first.
        def put_back(broker):
            kept = broker.state + ".kept"
            if os.path.exists(kept):
                shutil.rmtree(broker.state)
                shutil.move(kept, broker.state)
            else:
                shutil.copytree(broker.state, kept)

        world = kills.run(KILLS_OF_A_WORLD, SEED, meddle=put_back)
        self.assertTrue(world.complaints, f"SEED={SEED}")


if __name__ == "__main__":
    unittest.main()
