#!/usr/bin/env python3
"""Back again, it lists its calls; it says that there are none.

Breaks: lists_its_calls
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def connect(self):
        self.calls.clear()
        super().connect()


main(FaultyProvider)
