#!/usr/bin/env python3
"""A call about which it only asks is none; it lists it as its own.

Breaks: asks_first
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def may_ring(self, report, _):
        self.calls[report["call"]] = {
            "direction": "incoming", "state": "ringing", "remote": report["remote"]}


main(FaultyProvider)
