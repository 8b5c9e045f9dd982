#!/usr/bin/env python3
"""It subscribes to events when an action comes again, which is not to perform the action."""
from honest import main, Telephone


class LateObserver(Telephone):
    def perform(self, request, params):
        if params["attempt"] > 1:
            self.ask("events.subscribe", {"topics": ["call.*"]})
        super().perform(request, params)


main(LateObserver)
