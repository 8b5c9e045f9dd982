#!/usr/bin/env python3
"""A background call that came in and makes way is held, and goes on afterwards; it hangs up.

Breaks: makes_way_for_a_start
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    background = set()

    def may_ring(self, report, frame):
        if report.get("priority") == "background":
            self.background.add(report["call"])
        super().may_ring(report, frame)

    def perform(self, request, params):
        super().perform(request, params)
        if params["kind"] == "set_held" and params["call"] in self.background:
            self.calls.pop(params["call"], None)
            self.ask("call.report_ended", {"call": params["call"], "reason": "remote_ended"})


main(FaultyProvider)
