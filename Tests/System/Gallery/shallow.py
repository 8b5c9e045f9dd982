#!/usr/bin/env python3
"""Values nested 30 deep are taken; it stops at 16.

Breaks: deep_values
"""
import json

from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if "[" * 16 not in json.dumps(frame):
            super().take(frame)


main(FaultyProvider)
