#!/usr/bin/env python3
"""Two thousand requests cost little; it remembers each for ever.

Breaks: memory
"""
import os

from honest import main, Telephone


class FaultyProvider(Telephone):
    hoard = []

    def take(self, frame):
        self.hoard.append(bytearray(os.urandom(1)) * 32_768)
        super().take(frame)


main(FaultyProvider)
