#!/usr/bin/env python3
"""What is asked for again is answered; it says nothing.

Breaks: action_again
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["attempt"] > 1:
            return
        super().perform(request, params)


main(FaultyProvider)
