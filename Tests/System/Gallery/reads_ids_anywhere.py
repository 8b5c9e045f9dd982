#!/usr/bin/env python3
"""A name that looks like a frame is a name; it reads an id in it.

Breaks: names_like_frames
"""
import json
import re

from honest import main, Telephone


class FaultyProvider(Telephone):
    def take(self, frame):
        text = json.dumps(frame, ensure_ascii=False).replace('\\"', '"')
        ids = re.findall(r'"id": ?(\d+)', text)
        if "method" in frame and ids:
            frame["id"] = int(ids[-1])
        super().take(frame)


main(FaultyProvider)
