#!/usr/bin/env python3
"""Strings come back as they were; it thinks that they are Latin-1.

Breaks: strings
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if frame.get("method") == "broker.ping":
            payload = frame.get("params", {}).get("payload")
            if isinstance(payload, str):
                frame["params"]["payload"] = payload.encode("latin-1", "replace").decode("latin-1")
        super().take(frame)


main(FaultyProvider)
