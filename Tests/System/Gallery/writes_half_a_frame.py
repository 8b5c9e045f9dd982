#!/usr/bin/env python3
"""A frame is written to its end; it stops in the middle.

Breaks: whole_frames
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            return self.write(b'{"jsonrpc":"2.0","id":1,"res')
        super().perform(request, params)


main(FaultyProvider)
