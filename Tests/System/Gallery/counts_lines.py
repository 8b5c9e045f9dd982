#!/usr/bin/env python3
"""Blank lines mean nothing; it reads them.

Breaks: blank_lines
"""
import json

from honest import Ended, main, Telephone


class FaultyProvider(Telephone):
    def read(self):
        data = self.socket.recv(65_536)
        if not data:
            raise Ended
        lines = (self.unread + data).split(b"\n")
        self.unread = lines.pop()
        for line in lines:
            self.take(json.loads(line))


main(FaultyProvider)
