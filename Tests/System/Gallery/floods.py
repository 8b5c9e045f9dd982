#!/usr/bin/env python3
"""It says nothing unasked; it never stops.

Breaks: quiet
"""
import select

from honest import main, Telephone


class FaultyProvider(Telephone):
    def serve(self):
        while not self.must_stop:
            if select.select([self.socket], [], [], 0.0125)[0]:
                self.read()
            for _ in range(25):
                self.send(method="broker.log", params={"level": "debug", "message": "still here"})


main(FaultyProvider)
