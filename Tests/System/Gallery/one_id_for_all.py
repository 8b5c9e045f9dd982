#!/usr/bin/env python3
"""Each call has an id of its own; its calls share one.

Breaks: rings_again
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def ask(self, method, params, *then):
        if method == "call.report_incoming":
            params["call"] = "11111111-0000-4000-8000-000000000000"
        super().ask(method, params, *then)


main(FaultyProvider)
