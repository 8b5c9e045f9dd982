#!/usr/bin/env python3
"""A reset takes its calls; it takes its life.

Breaks: survives_reset
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "provider.reset":
            raise SystemExit("reset")
        super().told(method, params)


main(FaultyProvider)
