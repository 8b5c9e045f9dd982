#!/usr/bin/env python3
"""The team's app: an intercom that rings once, and opens the door to whoever presses 9.

    intercom.py VISITOR
"""
import sys
import threading

from callbroker import BrokerError, Provider, generic, new_id


class Intercom:
    """One visitor at the door."""

    def __init__(self, visitor):
        self.over = threading.Event()
        self.call = new_id()
        self.visitor = visitor
        self.app = Provider("com.example.intercom", "Intercom", handle_types=["generic"])
        self.app.on_answer(lambda action: print("talking", flush=True))
        self.app.on_set_held(self.hold)
        self.app.on_play_dtmf(self.press)
        self.app.on_end(lambda action: self.over.set())

    def hold(self, action):
        print("held" if action.arguments["held"] else "talking", flush=True)

    def press(self, action):
        if "9" in action.arguments["digits"]:
            print("open", flush=True)

    def ring(self):
        """Until the call is over."""
        with self.app:
            try:
                self.app.report_incoming(self.call, generic("door"),
                                         display_name=self.visitor).result()
            except BrokerError as error:
                sys.exit(f"nobody hears the bell: {error}")
            self.over.wait()


if __name__ == "__main__":
    Intercom(sys.argv[1]).ring()
