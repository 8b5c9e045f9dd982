#!/usr/bin/env python3
"""Its callers have addresses of its kind; they have another.

Breaks: rings
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def ask(self, method, params, *then):
        if method == "call.report_incoming":
            params["remote"] = {"type": "email", "value": "ann@example.org"}
        super().ask(method, params, *then)


main(FaultyProvider)
