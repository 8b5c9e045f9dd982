#!/usr/bin/env python3
"""The process that was started goes on; its child does.

Breaks: stays
"""
import os
import time

from honest import main, Telephone


class FaultyProvider(Telephone):
    def registered(self, frame):
        super().registered(frame)
        parent = os.getpid()
        if os.fork():
            os._exit(0)
        while os.getppid() == parent:           # it answers when the first one has gone
            time.sleep(0.001)


main(FaultyProvider)
