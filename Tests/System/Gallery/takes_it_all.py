#!/usr/bin/env python3
"""Transactions are refused unless it said that it takes them; it takes them.

Breaks: execute_as_declared
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if frame.get("method") == "provider.execute":
            return self.reply(frame, {"taken": True})
        super().take(frame)


main(FaultyProvider)
