#!/usr/bin/env python3
"""A ping is answered while an action is under way; it has no time.

Breaks: ping_during_action
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            self.rest(5)
        super().perform(request, params)


main(FaultyProvider)
