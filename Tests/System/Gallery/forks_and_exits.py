#!/usr/bin/env python3
"""The process that was started goes on; its child does.

Breaks: stays
"""
import os

from honest import main, Telephone


class FaultyProvider(Telephone):
    def registered(self, frame):
        super().registered(frame)
        if os.fork():
            os._exit(0)


main(FaultyProvider)
