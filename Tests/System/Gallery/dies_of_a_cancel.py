#!/usr/bin/env python3
"""A cancel of what it does not have is ignored; it dies of it.

Breaks: cancel_unknown
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    asked = set()

    def perform(self, request, params):
        self.asked.add(request["id"])
        super().perform(request, params)

    def told(self, method, params):
        if method == "broker.cancel":
            self.asked.remove(params["request"])
        super().told(method, params)


main(FaultyProvider)
