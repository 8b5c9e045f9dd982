#!/usr/bin/env python3
"""A background call is started as any other; it refuses what it does not know.

Breaks: starts_background
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def act(self, kind, call, arguments):
        if kind == "start" and "background" in arguments:
            return {"error": {"code": -32602, "message": "unknown member: background"}}
        return super().act(kind, call, arguments)


main(FaultyProvider)
