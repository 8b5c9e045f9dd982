#!/usr/bin/env python3
"""A request for text is answered; it says nothing.

Breaks: answers_text
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_text":
            return
        super().perform(request, params)


main(FaultyProvider)
