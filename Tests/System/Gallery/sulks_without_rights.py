#!/usr/bin/env python3
"""With fewer rights it comes back, and works with those that are left; it sulks.

Breaks: loses_rights
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    sulks = False

    def told(self, method, params):
        if method == "broker.goodbye" and params.get("reason") == "rights_changed":
            self.sulks = True
        super().told(method, params)

    def rest(self, seconds):
        super().rest(600 if self.sulks else seconds)


main(FaultyProvider)
