#!/usr/bin/env python3
"""A reply has a result or an error; it has both.

Breaks: legal_replies
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] != "set_muted":
            return super().perform(request, params)
        self.send(id=request["id"], result={}, error={"code": -32000, "message": "or not"})


main(FaultyProvider)
