#!/usr/bin/env python3
"""Many frames may come at once; it takes the first.

Breaks: joined_frames
"""
import json

from honest import main, Telephone


class FaultyProvider(Telephone):
    def read(self):
        data = self.unread + self.socket.recv(65_536)
        line, newline, _ = data.partition(b"\n")
        self.unread = b"" if newline else data
        if newline and line.strip():
            self.take(json.loads(line))


main(FaultyProvider)
