#!/usr/bin/env python3
"""Several actions at a time are answered; it answers one.

Breaks: several_at_once
"""
import time

from honest import main, Telephone


class FaultyProvider(Telephone):
    last = 0.0

    def perform(self, request, params):
        since, self.last = time.monotonic() - self.last, time.monotonic()
        if since > 0.2 or params["kind"] != "set_muted":
            super().perform(request, params)


main(FaultyProvider)
