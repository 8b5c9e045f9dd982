#!/usr/bin/python3
"""A telephone that does not run until its server pushes a call to it, and leaves after the call.

It stands for an app with a server of its own: where such an app would connect to the server, this
one only reports the call that the push announces.
"""
import asyncio
import os

from callbroker import BrokerError, Provider, new_id

LEAVING_SECONDS = 0.2                           # for the last reply

app = Provider("org.example.pushphone", "Push phone", handle_types=["phone", "generic"],
               push_types=["voip"])


@app.on("push.token")
async def send_to_server(address):
    """An app sends it to its server, with which this user is logged in; here it is in a file."""
    path = os.path.join(os.environ["XDG_RUNTIME_DIR"], "push-phone.address")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(address["token"] or "")
    os.replace(path + ".new", path)


@app.on_push
async def ring(kind, payload):
    """A push may come twice: the server's id of the call makes it the same call."""
    try:
        await app.report_incoming(payload.get("call") or new_id(), payload["caller"],
                                  display_name=payload.get("display_name"))
    except BrokerError as refusal:              # blocked, do-not-disturb, or the same push again
        print("does not ring:", refusal.reason)


@app.on_answer
async def answer(action):
    print("connecting")


@app.on_end
async def end(action):
    asyncio.get_running_loop().call_later(LEAVING_SECONDS, app.close)


if __name__ == "__main__":
    asyncio.run(app.serve_beside())
