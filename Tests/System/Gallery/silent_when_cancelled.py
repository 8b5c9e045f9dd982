#!/usr/bin/env python3
"""An action that is taken back is answered; it drops it.

Breaks: cancel_before_answer
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def read(self):
        self.postponed = []
        super().read()
        for request in self.postponed:
            super().perform(request, request["params"])

    def perform(self, request, params):
        self.postponed.append(request)

    def told(self, method, params):
        if method == "broker.cancel":
            self.postponed = [one for one in self.postponed if one["id"] != params["request"]]
        super().told(method, params)


main(FaultyProvider)
