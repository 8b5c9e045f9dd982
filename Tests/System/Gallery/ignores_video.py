#!/usr/bin/env python3
"""A request for video is answered; it says nothing.

Breaks: answers_video
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def perform(self, request, params):
        if params["kind"] == "set_video":
            return
        super().perform(request, params)


main(FaultyProvider)
