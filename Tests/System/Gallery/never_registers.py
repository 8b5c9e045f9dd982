#!/usr/bin/env python3
"""It registers within 10 s; it says hello and then nothing.

Breaks: registers
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def register(self):
        pass


main(FaultyProvider)
