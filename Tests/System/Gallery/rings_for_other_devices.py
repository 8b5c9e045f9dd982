#!/usr/bin/env python3
"""A call on another device is reported as one; it rings here, too.

Breaks: reports_external
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def ring_elsewhere(self):
        self.ring()


main(FaultyProvider)
