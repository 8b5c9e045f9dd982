#!/usr/bin/env python3
"""A resume is answered; it says nothing.

Breaks: answers_resume
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["arguments"].get("held") is False:
            return
        super().perform(request, params)


main(FaultyProvider)
