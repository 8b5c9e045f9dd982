#!/usr/bin/env python3
"""It registers; it hangs up when it is welcomed.

Breaks: registers
"""
import sys

from honest import main, Telephone


class FaultyProvider(Telephone):
    def welcomed(self, frame):
        sys.exit(0)


main(FaultyProvider)
