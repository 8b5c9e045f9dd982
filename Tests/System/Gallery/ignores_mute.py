#!/usr/bin/env python3
"""A mute is answered; it says nothing.

Breaks: answers_mute
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            return
        super().perform(request, params)


main(FaultyProvider)
