#!/usr/bin/env python3
"""A push of its server is answered; it says nothing.

Breaks: answers_push
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def receive_push(self, request):
        pass


main(FaultyProvider)
