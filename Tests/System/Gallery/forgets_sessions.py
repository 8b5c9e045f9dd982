#!/usr/bin/env python3
"""In a new connection its session goes on; it begins another.

Breaks: resumes
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def welcomed(self, frame):
        super().welcomed(frame)
        self.session = None


main(FaultyProvider)
