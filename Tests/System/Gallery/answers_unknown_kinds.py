#!/usr/bin/env python3
"""A kind it does not know is refused; it says that it is done.

Breaks: refuses_unknown_kind
"""
from honest import KINDS, main, Telephone


class FaultyProvider(Telephone):
    def act(self, kind, call, arguments):
        return super().act(kind, call, arguments) if kind in KINDS else {}


main(FaultyProvider)
