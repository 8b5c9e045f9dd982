#!/usr/bin/env python3
"""Actions on calls it never had are answered; it says nothing.

Breaks: answers_unknown_call
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] != "start" and params["call"] not in self.calls:
            return
        super().perform(request, params)


main(FaultyProvider)
