#!/usr/bin/env python3
"""Text to send is answered; it says nothing.

Breaks: answers_send_text
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def send_text(self, request):
        pass


main(FaultyProvider)
