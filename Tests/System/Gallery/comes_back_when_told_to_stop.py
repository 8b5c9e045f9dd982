#!/usr/bin/env python3
"""Told to stop, it stays away; it comes back at once.

Breaks: stops_at_goodbye
"""
from honest import Ended, main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "broker.goodbye":
            raise Ended
        super().told(method, params)

    def rest(self, seconds):
        super().rest(seconds / 20)


main(FaultyProvider)
