#!/usr/bin/env python3
"""A background call that another one silences rings on; it gives up.

Breaks: waits_in_background
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def ask(self, method, params, then=lambda frame: None):
        if method == "broker.hello":
            params["features"] = ["presentation"]
        super().ask(method, params, then)

    def told(self, method, params):
        super().told(method, params)
        if method == "call.presentation" and params["presentation"] != "ring":
            self.calls.pop(params["call"], None)
            self.ask("call.report_ended", {"call": params["call"], "reason": "remote_ended"})


main(FaultyProvider)
