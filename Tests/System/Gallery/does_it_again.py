#!/usr/bin/env python3
"""An action that comes again is done once; it does it twice.

Breaks: duplicate_action
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        self.outcomes.clear()
        super().perform(request, params)


main(FaultyProvider)
