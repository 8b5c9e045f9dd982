#!/usr/bin/env python3
"""It reads on while much comes; it rests after each frame.

Breaks: burst
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        super().take(frame)
        if "id" not in frame:
            self.rest(0.01)


main(FaultyProvider)
