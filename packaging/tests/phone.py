"""A provider for the machines of the tests: reports a call, and prints what it is asked to do, a line each."""
import sys

from callbroker import Provider, new_id, phone

ANN = phone("+15550100")
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
        print(kind, flush=True)


perform("answer", "active")
perform("end", "ended")
with app:
    app.report_incoming(call, ANN, display_name="Ann").result()
    print("ringing", flush=True)
    sys.stdin.read()
