#!/usr/bin/env python3
"""Members of a result that it does not know are ignored; it dies of them.

Breaks: new_result_members
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def replied(self, frame):
        if any(name.startswith("x_") for name in frame.get("result", {})):
            raise SystemExit("what is that?")
        super().replied(frame)


main(FaultyProvider)
