#!/usr/bin/env python3
"""After a reset it has no calls; it keeps them.

Breaks: reset_frees_its_line
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method != "provider.reset":
            super().told(method, params)


main(FaultyProvider)
