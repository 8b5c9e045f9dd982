#!/usr/bin/env python3
"""When the time is over all is said; it says it again.

Breaks: timed_out
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    latest = None

    def perform(self, request, params):
        self.latest = request
        super().perform(request, params)

    def told(self, method, params):
        if method == "provider.timed_out":
            self.reply(self.latest)
        super().told(method, params)


main(FaultyProvider)
