#!/usr/bin/env python3
"""It ends at SIGTERM; it does not, nor when it is told goodbye.

Breaks: stops_at_sigterm
"""
import signal
import sys

from honest import Telephone


def stay(why):
    print(why, "is no reason", file=sys.stderr, flush=True)


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "broker.goodbye":
            stay("goodbye")
            while True:
                signal.pause()
        super().told(method, params)


signal.signal(signal.SIGTERM, lambda *_: stay("SIGTERM"))
FaultyProvider().run()
