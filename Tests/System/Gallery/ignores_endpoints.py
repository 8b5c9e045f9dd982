#!/usr/bin/env python3
"""A request to move the sound of a call is answered; it says nothing.

Breaks: answers_endpoint
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_endpoint":
            return
        super().perform(request, params)


main(FaultyProvider)
