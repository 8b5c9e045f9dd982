#!/usr/bin/env python3
"""A frame comes in pieces; it takes each read for a frame.

Breaks: split_frames
"""
import json

from honest import Ended, main, Telephone


class FaultyProvider(Telephone):
    def read(self):
        data = self.socket.recv(65_536)
        if not data:
            raise Ended
        for line in data.split(b"\n"):
            if line.strip():
                self.take(json.loads(line))


main(FaultyProvider)
