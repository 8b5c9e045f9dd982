#!/usr/bin/env python3
"""A lost connection is opened again; it sulks.

Breaks: reconnects
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def rest(self, seconds):
        super().rest(600)


main(FaultyProvider)
