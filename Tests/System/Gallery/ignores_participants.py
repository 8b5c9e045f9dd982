#!/usr/bin/env python3
"""A request to change a participant is answered; it says nothing.

Breaks: answers_participant
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def change_participant(self, request):
        pass


main(FaultyProvider)
