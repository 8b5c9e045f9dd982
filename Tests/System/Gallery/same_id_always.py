#!/usr/bin/env python3
"""An id is used again after its reply; it has only one.

Breaks: own_ids
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def ask(self, method, params, *then):
        self.last_id = 0
        super().ask(method, params, *then)


main(FaultyProvider)
