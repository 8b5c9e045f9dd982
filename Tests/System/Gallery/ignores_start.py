#!/usr/bin/env python3
"""A start is answered; it says nothing.

Breaks: answers_start
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "start":
            return
        super().perform(request, params)


main(FaultyProvider)
