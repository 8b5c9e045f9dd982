#!/usr/bin/env python3
"""A ringing call is declined by an end; it says nothing.

Breaks: declines
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "end" and self.calls[params["call"]]["state"] == "ringing":
            return
        super().perform(request, params)


main(FaultyProvider)
