#!/usr/bin/env python3
"""Every action is answered; this one keeps silent.

Breaks: answers_end
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "start":
            super().perform(request, params)


main(FaultyProvider)
