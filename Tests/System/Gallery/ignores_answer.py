#!/usr/bin/env python3
"""An answer is answered; it says nothing.

Breaks: answers_answer
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "answer":
            return
        super().perform(request, params)


main(FaultyProvider)
