"""What is measured.

A test is one kind of run of the load generator.  A row is one line of the
table: one figure out of a test's result.  A new row on a test that exists is one
entry in ROWS; a new kind of run is one entry in TESTS and one mode in c/.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Test:
    name: str
    arguments: tuple            # for the load generator; {idle} becomes the number of connections
    pinned: bool = False        # broker and client on one core
    fresh: bool = False         # a newly started broker for every run
    max_rounds: int = 1000      # of what hardly varies, fewer rounds are enough
    timed: bool = False         # runs for the time given by --milliseconds


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


TESTS = {test.name: test for test in (
    Test("pinned", ("ping",), pinned=True, timed=True),
    Test("64x1", ("ping", "-k", "64", "-c", "1"), timed=True),
    Test("64x16", ("ping", "-k", "64", "-c", "16"), timed=True),
    Test("idle", ("idle", "-c", "{idle}"), fresh=True, max_rounds=3),
)}

ROWS = (
    Row("ping-p50", "ping, one in flight, one core: p50, µs", "pinned", "p50", cpu=True),
    Row("ping-p99", "ping, one in flight, one core: p99, µs", "pinned", "p99"),
    Row("rate-64x1", "pings/s, 64 in flight over 1 connection (higher is better)", "64x1", "rate",
        higher_is_better=True, cpu=True),
    Row("rate-64x16", "pings/s, 64 in flight over 16 connections (higher is better)", "64x16", "rate",
        higher_is_better=True, cpu=True),
    Row("idle", "KiB per idle connection, at {idle:,}", "idle", "rss_per_connection", by_floor=False),
    Row("rss", "resident size with no connection, MB", "idle", "rss_empty", scale=1 / 1024, by_floor=False),
)
