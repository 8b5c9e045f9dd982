"""System calls of the broker fail. It lives on, or ends and says why; what it had told anybody is
there when it serves again. FAULTS and SEED choose how many, and which; without FAULTS they are
always the same."""
import os
import random
import tempfile
import unittest

import faults
import kills
from broker import NotServing

BOOT = "/proc/sys/kernel/random/boot_id"
FAULTS = int(os.environ.get("FAULTS", 16))
SEED = int(os.environ.get("SEED", random.randrange(1 << 32) if "FAULTS" in os.environ else 1))


class FaultTests(unittest.TestCase):
    def test_nothing_is_lost_when_system_calls_fail(self):
        print(f"faults: SEED={SEED}", flush=True)
        chance = random.Random(SEED)
        with tempfile.TemporaryDirectory(prefix="callbroker-faults-", ignore_cleanup_errors=True) as folder:
            found = faults.survey(folder)
            drawn = [faults.draw(chance, found) for _ in range(FAULTS)]
            _, wrong = faults.try_all(drawn, chance, folder)
        self.assertFalse(wrong, f"SEED={SEED}\n" + "\n".join(wrong))

    def test_a_boot_whose_name_cannot_be_read_is_not_another_boot(self):
        for call in ("newfstatat", "openat", "read"):
            with self.subTest(call=call), kills.world(SEED, apps=3, users=2) as world, \
                    tempfile.TemporaryDirectory(prefix="callbroker-faults-", ignore_cleanup_errors=True) as folder:
                faults.has_a_past(world)
                world.broker.wrapper = faults.strace(
                    folder, "-P", BOOT, "-e", f"trace={call}", "-e", f"inject={call}:error=EIO")
                with self.assertRaises(NotServing) as end:
                    world.broker.start()
                self.assertRegex(end.exception.args[1], BOOT)
                faults.heal(world)
                world.rest()
                self.assertFalse(world.complaints, world.report())


if __name__ == "__main__":
    unittest.main()
