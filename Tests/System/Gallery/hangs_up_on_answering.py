#!/usr/bin/env python3
"""A call that was answered is there; it reports its end.

Breaks: answered_call_is_active
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        super().perform(request, params)
        if params["kind"] == "answer" and self.calls.pop(params["call"], None):
            self.ask("call.report_ended", {"call": params["call"], "reason": "failed"})


main(FaultyProvider)
