#!/usr/bin/env python3
"""A late cancel changes nothing; it is answered.

Breaks: late_cancel
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    def told(self, method, params):
        if method == "broker.cancel":
            self.send(id=params["request"], error={"code": -32010, "message": "cancelled"})
        super().told(method, params)


main(FaultyProvider)
