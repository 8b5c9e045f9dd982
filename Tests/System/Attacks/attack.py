"""An attack: its name, what the host is like, and what it may cost."""
import contextlib
import json
import os
import shutil
import tempfile
import time

import roads  # noqa: F401
from broker import Broker, NotServing
from field import Failed, Field, Frozen
from machine import share

# The seconds that a good client may lose to an attack: of a hundred requests ninety-nine, and all.
P99_MAX, MAX, STALL = 0.020, 0.050, 3
MEMORY_MIB = 16
# An attack that is over sooner is played again: a hundredth of few samples is none.
LEAST_SECONDS = 1.0

ATTACKS = []


def attack(name, **conditions):
    """The function that follows is an attack."""
    def add(function):
        ATTACKS.append(Attack(name, function, **conditions))
        return function
    return add


class Attack:
    def __init__(self, name, run, *, quick=False, before=None, options=(), configuration=None,
                 environment=None, memory_mib=MEMORY_MIB, root=False, late=False,
                 once=False):
        self.name, self.run, self.is_quick = name, run, quick
        # What is done to the folder before the broker starts.
        self.before = before or (lambda folder: None)
        self.options, self.configuration = options, configuration
        self.environment = environment or (lambda folder: {})
        self.memory_mib = memory_mib
        self.needs_root = root and os.getuid() != 0
        # The attack is there before the broker, and starts it.
        self.is_late = late
        self.is_once = once or late

    def play(self):
        folder = tempfile.mkdtemp(prefix="callbroker-")
        try:
            self.before(folder)
            options = [option.format(folder=folder) for option in self.options]
            if self.configuration:
                path = os.path.join(folder, "configuration.json")
                with open(path, "w", encoding="ascii") as file:
                    json.dump(self.configuration, file)
                options += ["--config", path]
            broker = Broker(folder, *options, environment={
                "XDG_CONFIG_HOME": os.path.join(folder, "config"), **self.environment(folder)})
            return Battle(self, broker).fight()
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class Battle:
    """An attack as it is played, and what it has cost."""

    def __init__(self, attack, broker):
        self.attack, self.field = attack, Field(broker)
        self.faults = []
        self.walls, self.own = [], []
        self.seconds = 0.0

    def fight(self):
        start = time.monotonic()
        field = self.field
        with contextlib.ExitStack() as stack:
            stack.callback(field.broker.stop)
            stack.callback(field.leave)
            with self.noting():
                if not self.attack.is_late:
                    field.start()
                self.attack.run(field)
                while not self.attack.is_once and time.monotonic() < start + LEAST_SECONDS:
                    field.rest.close()
                    self.attack.run(field)
            with self.noting():
                if field.serves:
                    field.recover(self.attack.memory_mib)
            # Nobody reads the log yet whom the attack has kept from it.
            with self.noting():
                if field.serves:
                    field.halt()
        self.judge(field.told)
        self.seconds = time.monotonic() - start
        return self

    @contextlib.contextmanager
    def noting(self):
        """What goes wrong is a fault of the attack, and the next one is played."""
        try:
            yield
        except (Frozen, Failed) as error:
            self.faults.append(str(error))
        except NotServing as error:
            status, words = error.args
            self.faults.append(f"it does not serve, status {status}: {words[-300:]}")
        except OSError as error:
            self.faults.append(f"a system call failed: {error}")

    def judge(self, told):
        samples = [sample for one in told for sample in one["samples"]]
        self.walls = sorted(wall for wall, _ in samples)
        self.own = sorted(own for _, own in samples)
        for one in told:
            self.faults += [f"the good client: {wrong}" for wrong in one["wrong"]]
            if one["unanswered"]:
                self.faults.append(f"no reply to {', '.join(one['unanswered'])}")
        if share(self.own, 0.99) > P99_MAX:
            self.faults.append(f"p99 above {1_000 * P99_MAX:.0f} ms")
        # A broker that stands still delays all that is sent meanwhile, not one request.
        if len(self.own) >= STALL and self.own[-STALL] > MAX:
            self.faults.append(f"a request above {1_000 * MAX:.0f} ms")

    def row(self):
        figures = [share(self.walls, 0.5), share(self.walls, 0.99), share(self.walls, 1),
                   share(self.own, 0.99), share(self.own, 1)]
        return (f"{self.seconds:5.1f} {len(self.walls):6} "
                + " ".join(f"{1_000 * figure:8.2f}" for figure in figures)
                + f" {self.field.grown_kib / 1_024:7.1f}  {'; '.join(self.faults) or 'held'}")


HEADING = f"{'s':>5} {'n':>6} {'p50':>8} {'p99':>8} {'max':>8} {'own p99':>8} {'own max':>8} {'MiB':>7}"
