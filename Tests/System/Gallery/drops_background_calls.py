#!/usr/bin/env python3
"""A background call that makes way is held, and goes on afterwards; it hangs up.

Breaks: makes_way
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    background = set()

    def perform(self, request, params):
        if params["kind"] == "start" and params["arguments"].get("background"):
            self.background.add(params["call"])
        super().perform(request, params)
        if params["kind"] == "set_held" and params["call"] in self.background:
            self.calls.pop(params["call"], None)
            self.ask("call.report_ended", {"call": params["call"], "reason": "remote_ended"})


main(FaultyProvider)
