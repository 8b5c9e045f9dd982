#!/usr/bin/env python3
"""Kills, faults or images of power cuts in a piece that is added to the record: `record.csv` says for
each piece on which commit it ran, from which seed, how many there were, and how many found something.

    record.py kills COUNT [--seed N]
    record.py faults COUNT [--seed N]
    record.py images COUNT [--seed N]
    record.py total

The machine time is that of the broker and its clients. A restart takes from the
start of the program to the first hello that it answers, by the clock on the wall: on a machine
that is busy otherwise it takes longer. Exit status 1 if anything was found.
"""
import argparse
import collections
import csv
import datetime
import os
import random
import resource
import subprocess
import sys
import tempfile

import faults
import kills
import powercut

RECORD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.csv")
FIELDS = ["date", "commit", "what", "seed", "count", "found", "machine_ms_each", "restart_p50_ms",
          "restart_p99_ms"]
KILLS_OF_A_WORLD = 20


def piece_of_kills(count, seed):
    """How many worlds went wrong, and how long the restarts took."""
    found, starts = 0, []
    for world_seed in range(seed, seed + count // KILLS_OF_A_WORLD):
        lived = kills.run(KILLS_OF_A_WORLD, world_seed)
        starts += lived.starts[1:]
        if lived.complaints:
            found += 1
            print(f"record: seed {world_seed} found\n{lived.report()}", flush=True)
    return found, starts


def piece_of_faults(count, seed):
    """How many faults went wrong; restarts are strace's here, and are not measured."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="callbroker-faults-", ignore_cleanup_errors=True) as folder:
        drawn = faults.survey(folder)
        chosen = [faults.draw(chance, drawn) for _ in range(count)]
        outcomes, wrong = faults.try_all(chosen, chance, folder)
    print("record: " + ", ".join(f"{n} {what}" for what, n in sorted(outcomes.items())))
    print("\n".join(wrong), end="", flush=True)
    return len(wrong), []


def piece_of_images(count, seed):
    """How many images lacked something."""
    trial = powercut.run(count, seed)
    print("record: " + ", ".join(f"{n} {word}" for word, n in sorted(trial.words.items())))
    print("\n".join(trial.complaints[:10]), end="", flush=True)
    return len(trial.complaints), []


PIECES = {"kills": piece_of_kills, "faults": piece_of_faults, "images": piece_of_images}


def percentile(values, share):
    """In milliseconds; nothing of no values."""
    return round(sorted(values)[int(share * (len(values) - 1))] * 1_000) if values else ""


def machine_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def row(what, seed, count, found, starts):
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True,
                            text=True, check=True, cwd=os.path.dirname(RECORD)).stdout.strip()
    return {"date": datetime.date.today().isoformat(), "commit": commit, "what": what,
            "seed": seed, "count": count, "found": found,
            "machine_ms_each": round(machine_seconds() * 1_000 / count),
            "restart_p50_ms": percentile(starts, 0.5), "restart_p99_ms": percentile(starts, 0.99)}


def keep(piece, path=RECORD):
    is_new = not os.path.exists(path)
    with open(path, "a", encoding="ascii", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(piece)


def totals(path=RECORD):
    """How many of each kind there were, and in how many something was found."""
    counts, found = collections.Counter(), collections.Counter()
    with open(path, encoding="ascii", newline="") as file:
        for piece in csv.DictReader(file):
            counts[piece["what"]] += int(piece["count"])
            found[piece["what"]] += int(piece["found"])
    return {what: (counts[what], found[what]) for what in sorted(counts)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=[*PIECES, "total"])
    parser.add_argument("count", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options = parser.parse_args()
    if options.what == "total":
        for what, (count, found) in totals().items():
            print(f"record: {count} {what}, something found in {found}")
        return
    found, starts = PIECES[options.what](options.count, options.seed)
    piece = row(options.what, options.seed, options.count, found, starts)
    keep(piece)
    print("record: " + ", ".join(f"{name} {value}" for name, value in piece.items()))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
