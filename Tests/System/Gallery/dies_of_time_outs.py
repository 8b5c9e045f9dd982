#!/usr/bin/env python3
"""Stopped for a while, it goes on; it dies when it hears of it.

Breaks: stopped_for_a_while
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "provider.timed_out":
            raise SystemExit("provider.timed_out")
        super().told(method, params)


main(FaultyProvider)
