#!/usr/bin/env python3
"""Doing nothing costs nothing; it looks all the time.

Breaks: idle_cpu
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def serve(self):
        self.socket.setblocking(False)
        while not self.must_stop:
            try:
                self.read()
            except BlockingIOError:
                pass


main(FaultyProvider)
