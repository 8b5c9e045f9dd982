#!/usr/bin/env python3
"""A request is answered once; it is answered again.

Breaks: answers_once
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def reply(self, request, result=None, error=None):
        super().reply(request, result, error)
        if request["method"] == "provider.perform":
            super().reply(request, result, error)


main(FaultyProvider)
