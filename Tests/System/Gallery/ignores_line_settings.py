#!/usr/bin/env python3
"""A request to change a setting of its line is answered; it says nothing.

Breaks: answers_line_setting
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def change_setting(self, request):
        pass


main(FaultyProvider)
