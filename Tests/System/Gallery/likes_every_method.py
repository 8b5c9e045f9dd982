#!/usr/bin/env python3
"""A method it does not know is refused; it agrees to anything.

Breaks: refuses_unknown_method
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        if "id" in frame and frame.get("method", "provider.perform") != "provider.perform":
            return self.reply(frame, {"fine": True})
        super().take(frame)


main(FaultyProvider)
