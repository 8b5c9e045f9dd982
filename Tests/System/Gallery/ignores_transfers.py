#!/usr/bin/env python3
"""A transfer is answered; it says nothing.

Breaks: answers_transfer
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "transfer":
            return
        super().perform(request, params)


main(FaultyProvider)
