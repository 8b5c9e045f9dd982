#!/usr/bin/env python3
"""@TITLE@: a screener: it blocks callers without a number."""
import asyncio
import signal

from callbroker import Screener

app = Screener("@NAME@", identity="@IDENTITY@")


@app.on("screener.check")
async def check(call):                  # every call waits for it before it rings
    if call["remote"] is None:
        return {"verdict": "block", "explain": "the caller has no number"}
    return {"verdict": "continue"}      # or allow, silence, block


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.close)
    await app.serve()


if __name__ == "__main__":
    asyncio.run(main())
