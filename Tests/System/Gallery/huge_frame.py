#!/usr/bin/env python3
"""No frame is longer than the limit; this one is.

Breaks: frames_in_limit
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            return self.reply(request, {"noise": "a" * 70_000})
        super().perform(request, params)


main(FaultyProvider)
