#!/usr/bin/env python3
"""@TITLE@: a screen: it shows incoming calls as lines of its log."""
import asyncio
import signal
import sys

from callbroker import Screen

app = Screen("@NAME@", identity="@IDENTITY@")       # its manifest claims the screen


def show(line):
    print(line, file=sys.stderr, flush=True)


@app.on("ui.present")
async def present(call):                # buttons request call.answer, call.end, ...
    show(f"{call['call'][:8]} rings; possible: {', '.join(call['actions'])}")
    return {"presented": True}          # false: another screen may show it


@app.on("ui.dismiss")
async def dismiss(params):
    show(f"{params['call'][:8]} is gone: {params['reason']}")


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.close)
    await app.serve()


if __name__ == "__main__":
    asyncio.run(main())
