#!/usr/bin/env python3
"""It takes audio.deactivated; it dies of it.

Breaks: audio
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "audio.deactivated":
            raise SystemExit("audio.deactivated")
        super().told(method, params)


main(FaultyProvider)
