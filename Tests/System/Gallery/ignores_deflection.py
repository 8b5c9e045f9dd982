#!/usr/bin/env python3
"""A request to send a call on is answered; it says nothing.

Breaks: answers_deflect
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "deflect":
            return
        super().perform(request, params)


main(FaultyProvider)
