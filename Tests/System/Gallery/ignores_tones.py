#!/usr/bin/env python3
"""Tones are answered; it says nothing.

Breaks: answers_dtmf
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "play_dtmf":
            return
        super().perform(request, params)


main(FaultyProvider)
