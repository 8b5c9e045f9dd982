#!/usr/bin/env python3
"""A set_group is answered; it says nothing.

Breaks: answers_group
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_group":
            return
        super().perform(request, params)


main(FaultyProvider)
