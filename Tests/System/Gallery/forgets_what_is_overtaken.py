#!/usr/bin/env python3
"""What an end overtakes is answered; it is forgotten.

Breaks: end_overtakes_hold
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    holds = []

    def take(self, frame):
        ready, self.holds = self.holds, []
        if frame.get("params", {}).get("kind") == "set_held":
            return self.holds.append(frame)
        if frame.get("params", {}).get("kind") != "end":
            for request in ready:
                super().take(request)
        super().take(frame)


main(FaultyProvider)
