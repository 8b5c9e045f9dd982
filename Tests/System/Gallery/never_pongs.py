#!/usr/bin/env python3
"""A ping is answered; it does not listen.

Breaks: ping
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if frame.get("method") != "broker.ping":
            super().take(frame)


main(FaultyProvider)
