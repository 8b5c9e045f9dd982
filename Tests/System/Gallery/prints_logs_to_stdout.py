#!/usr/bin/env python3
"""Nothing but frames goes where frames go; it logs there.

Breaks: only_frames
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        self.write(b"performing " + params["kind"].encode() + b"\n")
        super().perform(request, params)


main(FaultyProvider)
