"""A long life: apps die, connections break, and nothing is left over. SOAK says for how many
seconds, SEED by which chance; without SOAK it is always the same."""
import os
import random
import unittest

import soak

SECONDS = float(os.environ.get("SOAK", 8))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32) if "SOAK" in os.environ else 1))


class SoakTests(unittest.TestCase):
    def test_nothing_grows_and_nothing_is_left_over(self):
        print(f"soak: SEED={SEED}", flush=True)
        lived = soak.run(SECONDS, SEED)
        print(lived.told())
        self.assertFalse(lived.world.complaints, f"SEED={SEED}\n{lived.world.report()}")


if __name__ == "__main__":
    unittest.main()
