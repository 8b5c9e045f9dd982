#!/usr/bin/env python3
"""It calls itself what its manifest says; it takes another name.

Breaks: has_its_identity
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    identity = "org.example.somebody-else"


main(FaultyProvider)
