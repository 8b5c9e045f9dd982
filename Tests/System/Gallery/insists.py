#!/usr/bin/env python3
"""A background call that is refused with busy is given up; it calls again, as an ordinary one.

Breaks: takes_busy
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def rang(self, call, frame):
        super().rang(call, frame)
        if frame.get("error", {}).get("data", {}).get("reason") == "busy":
            self.ring()


main(FaultyProvider)
