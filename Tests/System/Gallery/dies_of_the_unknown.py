#!/usr/bin/env python3
"""A notification it does not know is ignored; it dies of it.

Breaks: unknown_notification
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method not in ("audio.activated", "audio.deactivated", "provider.reset"):
            raise SystemExit("what is " + method)
        super().told(method, params)


main(FaultyProvider)
