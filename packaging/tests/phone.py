"""A provider for the machines of the tests: reports a call, and says what it is asked to do, a word each."""
import sys

from callbroker import Provider, new_id, phone

ANN = phone("+15550100")


def run(say, wait):
    """Lives until `wait` returns."""
    app = Provider("org.example.phone", "Phone", handle_types=["phone"])
    call = new_id()
    state = "ringing"

    @app.reconcile
    def live_calls():
        return [{"call": call, "direction": "incoming", "state": state, "remote": ANN}] if state == "active" else []

    def perform(kind, then):
        @app.on_action(kind)
        def performed(action):
            nonlocal state
            state = then
            say(kind)

    perform("answer", "active")
    perform("end", "ended")
    with app:
        app.report_incoming(call, ANN, display_name="Ann").result()
        say("ringing")
        wait()


if __name__ == "__main__":
    run(lambda word: print(word, flush=True), sys.stdin.read)
