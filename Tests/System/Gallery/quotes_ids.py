#!/usr/bin/env python3
"""A reply has the id as the integer it is; it makes it a string.

Breaks: ids_as_sent
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_muted":
            request = {**request, "id": str(request["id"])}
        super().perform(request, params)


main(FaultyProvider)
