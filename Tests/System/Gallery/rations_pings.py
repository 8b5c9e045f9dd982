#!/usr/bin/env python3
"""Every ping is answered; a hundred are enough for it.

Breaks: many_pings
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    rest_of_pings = 100

    def take(self, frame):
        if frame.get("method") == "broker.ping":
            self.rest_of_pings -= 1
            if self.rest_of_pings < 0:
                return
        super().take(frame)


main(FaultyProvider)
