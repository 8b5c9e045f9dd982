#!/usr/bin/env python3
"""A request to join two calls is answered; it says nothing.

Breaks: answers_attended_transfer
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "attended_transfer":
            return
        super().perform(request, params)


main(FaultyProvider)
