#!/usr/bin/env python3
"""No number has a fraction; its times do.

Breaks: no_fractions
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            return self.reply(request, {"at_ms": 1767225600000.5})
        super().perform(request, params)


main(FaultyProvider)
