#!/usr/bin/env python3
"""An emergency is started like any other call; it says nothing.

Breaks: starts_emergency
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "start" and params["arguments"].get("emergency"):
            return
        super().perform(request, params)


main(FaultyProvider)
