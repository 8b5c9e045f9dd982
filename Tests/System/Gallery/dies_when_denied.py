#!/usr/bin/env python3
"""It takes provider.authorization_changed; it dies of it.

Breaks: authorization
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "provider.authorization_changed":
            raise SystemExit("provider.authorization_changed")
        super().told(method, params)


main(FaultyProvider)
