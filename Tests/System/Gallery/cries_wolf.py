#!/usr/bin/env python3
"""A priority caller is reported as one; it claims an emergency.

Breaks: claims_priority
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def ring(self, **facts):
        if facts.get("priority") == "priority_caller":
            facts["priority"] = "emergency"
        super().ring(**facts)


main(FaultyProvider)
