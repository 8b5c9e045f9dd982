#!/usr/bin/python3
"""A plugin for the machines of the tests: a provider that connects by itself, with a call that rings, and a telephone
of its own. Says on standard error what it does."""
import signal
import socket
import subprocess
import sys

from callbroker import Provider, new_id, phone

ANN = phone("+15550100")


def say(word):
    print(word, file=sys.stderr, flush=True)


socket.socket(socket.AF_INET).close()
say("network")
telephone = subprocess.Popen(["sleep", "infinity"], start_new_session=True)
say(f"telephone {telephone.pid}")
app = Provider("org.example.phone", "Phone", handle_types=["phone"])
call = new_id()
state = "ringing"


@app.reconcile
def live_calls():
    return [{"call": call, "direction": "incoming", "state": state, "remote": ANN}] if state == "active" else []


def perform(kind, then):
    @app.on_action(kind)
    def performed(action):
        global state
        state = then
        say(kind)


perform("answer", "active")
perform("end", "ended")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
with app:
    app.report_incoming(call, ANN, display_name="Ann").result()
    signal.pause()
