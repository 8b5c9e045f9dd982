#!/usr/bin/env python3
"""Calls from before a reset are over; it lists them again.

Breaks: lists_no_reset_calls
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    attic = {}

    def told(self, method, params):
        if method == "provider.reset":
            self.attic.update(self.calls)
        super().told(method, params)

    def connect(self):
        self.calls.update(self.attic)
        super().connect()


main(FaultyProvider)
