#!/usr/bin/env python3
"""A restart of the broker costs no call; it gives up all of them.

Breaks: broker_restarts
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    instance = None

    def welcomed(self, frame):
        instance = frame["result"]["broker"]["instance"]
        if instance != self.instance:
            self.calls.clear()
        self.instance = instance
        super().welcomed(frame)


main(FaultyProvider)
