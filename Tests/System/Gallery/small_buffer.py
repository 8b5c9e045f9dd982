#!/usr/bin/env python3
"""A frame of 65,535 bytes is taken; it has room for 4,096.

Breaks: frame_at_limit
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if len(str(frame)) < 4096:
            super().take(frame)


main(FaultyProvider)
