#!/usr/bin/env python3
"""Which calls pass do-not-disturb is for the host to decide; it reports none meanwhile.

Breaks: rings_through_dnd
"""
from honest import main, Telephone


class FaultyProvider(Telephone):
    is_quiet = False

    def registered(self, frame):
        super().registered(frame)
        self.ask("events.subscribe", {"topics": ["policy.changed"], "snapshot": False})

    def told(self, method, params):
        super().told(method, params)
        if method == "event":
            self.is_quiet = params["data"]["policy"]["do_not_disturb"]["on"]

    def ring(self, **facts):
        if not self.is_quiet:
            super().ring(**facts)


main(FaultyProvider)
