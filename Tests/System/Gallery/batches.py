#!/usr/bin/env python3
"""Replies come one by one; it collects them.

Breaks: no_batches
"""
import json

from honest import main, Telephone


class FaultyProvider(Telephone):
    def reply(self, request, result=None, error=None):
        if request["method"] != "provider.perform" or request["params"]["kind"] != "set_muted":
            return super().reply(request, result, error)
        frame = {"jsonrpc": "2.0", "id": request["id"], "result": {}}
        self.write(json.dumps([frame]).encode() + b"\n")


main(FaultyProvider)
