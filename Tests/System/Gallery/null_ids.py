#!/usr/bin/env python3
"""A reply has the id of its request; it has none.

Breaks: ids_as_sent
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            request = {**request, "id": None}
        super().perform(request, params)


main(FaultyProvider)
