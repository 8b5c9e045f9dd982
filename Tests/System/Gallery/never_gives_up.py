#!/usr/bin/env python3
"""A call that rang long enough is ended; it says nothing.

Breaks: rings_until_its_time
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["cause"].get("origin") == "timeout":
            return
        super().perform(request, params)


main(FaultyProvider)
