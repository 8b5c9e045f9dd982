#!/usr/bin/env python3
"""Without a broker it waits; it tries without a pause.

Breaks: broker_away
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def rest(self, seconds):
        pass


main(FaultyProvider)
