#!/usr/bin/env python3
"""A call that waits can be answered as one that rings; it refuses.

Breaks: answers_urgent_first
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    waiting = set()

    def rang(self, call, frame):
        if frame.get("result", {}).get("state") == "waiting":
            self.waiting.add(call)
        super().rang(call, frame)

    def act(self, kind, call, arguments):
        if kind == "answer" and call in self.waiting:
            return {"error": {"code": -32000, "message": "it does not ring"}}
        return super().act(kind, call, arguments)


main(FaultyProvider)
