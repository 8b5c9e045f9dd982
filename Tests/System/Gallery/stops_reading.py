#!/usr/bin/env python3
"""It reads on while much comes; it stops.

Breaks: burst
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        while method == "x_party.goes_on" or method == "event":
            self.rest(60)


main(FaultyProvider)
