#!/usr/bin/env python3
"""A connection that has ended is left; it waits for more.

Breaks: notices_the_end
"""
from honest import Ended, main, Telephone


class FaultyProvider(Telephone):
    def read(self):
        try:
            super().read()
        except Ended:
            self.rest(60)


main(FaultyProvider)
