#!/usr/bin/env python3
"""Plays attacks against the broker, and measures what they cost a good client meanwhile.

    run.py [--quick] [--list] [WORDS ...]

With words only those attacks whose names contain one of them. All times are milliseconds: p50, p99
and max as the good client saw them; `own` is what is left without the time in which the broker or the
good client had no processor: what the broker has cost. By that it is judged. Exit status 1 if an attack did harm.
"""
import argparse
import sys

import attack
import field
# The attacks, in the order in which they are played.
import crowds, lines, readers, floods, people, screens  # noqa: E401, F401
import terminals, files, plugins, clocks, strangers  # noqa: E401, F401

WIDTH = 72


def chosen(options):
    for one in attack.ATTACKS:
        if options.words and not any(word in one.name for word in options.words):
            continue
        if not options.quick or one.is_quick:
            yield one


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    field.raise_descriptors()
    attacks = list(chosen(options))
    if options.list:
        return print("\n".join(one.name for one in attacks))
    print(f"{'attack':{WIDTH}} {attack.HEADING}", flush=True)
    lost = []
    for one in attacks:
        if one.needs_root:
            print(f"{one.name:{WIDTH}} not played: it takes root")
            continue
        battle = one.play()
        print(f"{one.name:{WIDTH}} {battle.row()}", flush=True)
        lost += [one.name] if battle.faults else []
    print(f"attacks: {len(attacks) - len(lost)} of {len(attacks)} did no harm")
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
