#!/usr/bin/env python3
"""A pull of a call on another device is answered; it says nothing.

Breaks: answers_pull
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        state = self.calls.get(params["call"], {}).get("state")
        if (params["kind"], state) != ("answer", "external"):
            super().perform(request, params)


main(FaultyProvider)
