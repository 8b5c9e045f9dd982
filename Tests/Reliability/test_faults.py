"""System calls of the broker fail. It lives on, or ends and says why; what it had told anybody is
there when it serves again. FAULTS and SEED choose how many, and which; without FAULTS they are
always the same."""
import os
import random
import tempfile
import unittest

import faults

FAULTS = int(os.environ.get("FAULTS", 16))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32) if "FAULTS" in os.environ else 1))


class FaultTests(unittest.TestCase):
    def test_nothing_is_lost_when_system_calls_fail(self):
        print(f"faults: SEED={SEED}", flush=True)
        chance = random.Random(SEED)
        with tempfile.TemporaryDirectory(prefix="callbroker-faults-") as folder:
            found = faults.survey(folder)
            drawn = [faults.draw(chance, found) for _ in range(FAULTS)]
            _, wrong = faults.try_all(drawn, chance, folder)
        self.assertFalse(wrong, f"SEED={SEED}\n" + "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
