#!/usr/bin/env python3
"""@TITLE@: a provider of calls. Somebody rings by writing to $XDG_RUNTIME_DIR/@NAME@.fifo."""
import asyncio
import os
import signal

from callbroker import BrokerError, Disconnected, Failed, Provider, generic, new_id

FIFO = os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/tmp"), "@NAME@.fifo")

app = Provider("@IDENTITY@", "@TITLE@", handle_types=["generic"])
calls = {}                              # what the broker has to know of each call that lives


@app.on_answer
async def answer(action):               # returning means: done
    live(action)["state"] = "active"


@app.on_end
async def end(action):
    live(action)
    del calls[action.call]


@app.on_set_muted
async def mute(action):
    live(action)


@app.reconcile
async def live_calls():                 # asked for in each new session
    return list(calls.values())


@app.on_dropped
async def dropped(ids):
    for call in ids:
        calls.pop(call, None)


@app.on("provider.reset")
async def reset(_):
    calls.clear()


def live(action):
    if action.call not in calls:
        raise Failed("no_such_call")
    return calls[action.call]


async def ring(who):
    call = new_id()
    calls[call] = {"call": call, "direction": "incoming", "state": "ringing",
                   "remote": generic(who), "supports_holding": False}
    try:
        await app.report_incoming(call, generic(who), supports_holding=False)
    except Disconnected:
        pass                            # the next session is told of it
    except BrokerError:
        calls.pop(call, None)           # it may not ring


async def main():
    if not os.path.exists(FIFO):
        os.mkfifo(FIFO, 0o600)
    bell = os.open(FIFO, os.O_RDWR | os.O_NONBLOCK)
    rings = set()                       # or nobody would hold them

    def pressed():
        for who in os.read(bell, 4096).decode(errors="replace").splitlines():
            task = asyncio.ensure_future(ring(who[:60]))
            rings.add(task)
            task.add_done_callback(rings.discard)
    loop = asyncio.get_running_loop()
    loop.add_reader(bell, pressed)
    loop.add_signal_handler(signal.SIGTERM, app.close)
    await app.serve()


if __name__ == "__main__":
    asyncio.run(main())
