#!/usr/bin/env python3
"""A dropped call is given up; it keeps it.

Breaks: gives_up_dropped
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def registered(self, frame):
        pass


main(FaultyProvider)
