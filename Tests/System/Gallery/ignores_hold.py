#!/usr/bin/env python3
"""A hold is answered; it says nothing.

Breaks: answers_hold
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_held":
            return
        super().perform(request, params)


main(FaultyProvider)
