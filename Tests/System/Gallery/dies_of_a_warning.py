#!/usr/bin/env python3
"""A warning ends nothing; it dies of it.

Breaks: warning
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "broker.warning":
            raise SystemExit("broker.warning")
        super().told(method, params)


main(FaultyProvider)
