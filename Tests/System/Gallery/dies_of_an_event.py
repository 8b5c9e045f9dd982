#!/usr/bin/env python3
"""An event that it does not know is ignored; it dies of it.

Breaks: unknown_event
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "event":
            raise SystemExit("event")
        super().told(method, params)


main(FaultyProvider)
