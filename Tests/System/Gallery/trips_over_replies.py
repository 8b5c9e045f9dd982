#!/usr/bin/env python3
"""A reply it did not ask for is ignored; it dies of it.

Breaks: unknown_reply
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def replied(self, frame):
        self.then.pop(frame["id"])(frame)


main(FaultyProvider)
