#!/usr/bin/env python3
"""It answers while it waits; it reads on only when it has its reply.

Breaks: answers_while_waiting
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if "method" in frame and self.then:
            self.postponed = [*getattr(self, "postponed", []), frame]
            return
        super().take(frame)
        while not self.then and getattr(self, "postponed", []):
            super().take(self.postponed.pop(0))


main(FaultyProvider)
