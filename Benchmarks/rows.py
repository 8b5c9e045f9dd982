"""What is measured.

A test is one kind of run of the load generator.  A row is one line of the
table: one figure out of a test's result.  A new row on a test that exists is one
entry in ROWS; a new kind of run is one entry in TESTS and one mode in c/.
"""
from dataclasses import dataclass

CALLBROKER, FLOOR, DBUS_BROKER, DBUS_DAEMON = "callbroker", "floor", "dbus-broker", "dbus-daemon"
EVERYBODY = (CALLBROKER, DBUS_BROKER, DBUS_DAEMON)


@dataclass(frozen=True)
class Test:
    name: str
    arguments: tuple            # for the load generator; {idle} becomes the number of connections
    pinned: bool = False        # broker and client on one core
    fresh: bool = False         # a newly started broker for every run
    max_rounds: int = 1000      # of what hardly varies, fewer rounds are enough
    timed: bool = False         # runs for the time given by --milliseconds
    systems: tuple = EVERYBODY
    floor: bool = True          # the floor can do it too, and runs before each system


@dataclass(frozen=True)
class Target:
    to: str                     # the ratio to whom; "" is the figure itself
    must: float
    stretch: float


@dataclass(frozen=True)
class Row:
    name: str                   # for --rows
    title: str
    test: str
    figure: str                 # the key in the load generator's output
    scale: float = 1.0          # of the absolute columns
    higher_is_better: bool = False
    by_floor: bool = True       # compare with peers by each one's ratio to the floor: cancels noise
    cpu: bool = False           # also show the broker's CPU per operation
    base: str = ""              # another figure of the same run, to compare with
    targets: tuple = ()


TRANSACT, HELD = ("transact", "-n", "64"), ("held",)

TESTS = {test.name: test for test in (
    Test("pinned", ("ping",), pinned=True, timed=True),
    Test("64x1", ("ping", "-k", "64", "-c", "1"), timed=True),
    Test("64x16", ("ping", "-k", "64", "-c", "16"), timed=True),
    # A new broker: what anybody ever subscribed to is written down for those who come back.
    Test("two-hop", TRANSACT, pinned=True, fresh=True, timed=True),
    Test("transaction", (*TRANSACT, "-w", "8"), pinned=True, timed=True),
    Test("transactions-64", (*TRANSACT, "-w", "8", "-k", "64", "-c", "16"), timed=True),
    Test("fan-out", (*TRANSACT, "-w", "1000", "-W"), pinned=True, timed=True),
    # Against the floor's whole events.
    Test("fan-out-changes", (*TRANSACT, "-w", "1000", "-W", "-d"), pinned=True, timed=True, systems=(CALLBROKER,)),
    Test("held", HELD, pinned=True, fresh=True, max_rounds=5, timed=True, systems=(CALLBROKER,), floor=False),
    # Long enough for several snapshots of the journal.
    Test("tail", (*TRANSACT, "-t", "2000"), pinned=True, fresh=True, max_rounds=5, systems=(CALLBROKER,), floor=False),
    Test("tail-100000", ("transact", "-n", "100000", "-t", "4000"), pinned=True, fresh=True, max_rounds=5,
         systems=(CALLBROKER,), floor=False),
    Test("answer", ("answer",), pinned=True, timed=True, systems=(CALLBROKER,), floor=False),
    Test("idle", ("idle", "-c", "{idle}"), fresh=True, max_rounds=3),
)}

ROWS = (
    Row("ping-p50", "ping, one in flight, one core: p50, µs", "pinned", "p50", cpu=True),
    Row("ping-p99", "ping, one in flight, one core: p99, µs", "pinned", "p99"),
    Row("rate-64x1", "pings/s, 64 in flight over 1 connection (higher is better)", "64x1", "rate",
        higher_is_better=True, cpu=True),
    Row("rate-64x16", "pings/s, 64 in flight over 16 connections (higher is better)", "64x16", "rate",
        higher_is_better=True, cpu=True),
    Row("two-hop-p50", "two-hop call, no observers, one core: p50, µs", "two-hop", "p50", cpu=True,
        targets=(Target(FLOOR, 1.6, 1.4), Target(DBUS_BROKER, 1.2, 1.05), Target(DBUS_DAEMON, 1.05, 0.9))),
    Row("two-hop-p99", "two-hop call, no observers, one core: p99, µs", "two-hop", "p99"),
    Row("transaction-p50", "transaction, 8 observers, one core: p50, µs", "transaction", "p50", cpu=True,
        targets=(Target(FLOOR, 1.6, 1.3), Target(DBUS_BROKER, 1.1, 0.9))),
    Row("transaction-p99", "transaction, 8 observers, one core: p99, µs", "transaction", "p99"),
    Row("transactions-64", "transactions/s, 8 observers, 64 in flight (higher is better)", "transactions-64", "rate",
        higher_is_better=True, cpu=True, targets=(Target(DBUS_BROKER, 1.5, 2.5),)),
    Row("fan-out", "broker CPU per event to one of 1,000 observers, µs", "fan-out", "cpu",
        targets=(Target(FLOOR, 1.25, 1.1), Target(DBUS_BROKER, 0.9, 0.75))),
    Row("fan-out-changes", "the same, with the changes of the call alone", "fan-out-changes", "cpu"),
    Row("held-10", "broker CPU per transaction with 10 held calls, µs", "held", "cpu10"),
    Row("held-1000", "the same with 1,000, and to 10", "held", "cpu1000", base="cpu10"),
    Row("held-100000", "the same with 100,000, and to 10", "held", "cpu100000", base="cpu10",
        targets=(Target("base", 1.2, 1.05),)),
    Row("tail-64", "two-hop call, snapshots of the journal among them, one core: p99.99, µs", "tail", "p9999"),
    Row("tail-64-max", "the same, the longest", "tail", "max"),
    Row("tail-100000", "the same with 100,000 held calls: p99.99, µs", "tail-100000", "p9999"),
    Row("tail-100000-max", "the same, the longest", "tail-100000", "max"),
    Row("answer-p50", "answer that holds another app's call, observer of everything, one core: p50, µs", "answer", "p50",
        cpu=True),
    Row("idle", "KiB per idle connection, at {idle:,}", "idle", "rss_per_connection", by_floor=False,
        targets=(Target("", 2.2, 1.4),)),
    Row("rss", "resident size with no connection, MB", "idle", "rss_empty", scale=1 / 1024, by_floor=False,
        targets=(Target("", 16, 12),)),
)
