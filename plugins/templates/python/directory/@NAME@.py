#!/usr/bin/env python3
"""@TITLE@: a directory: it names callers by a list of numbers."""
import asyncio
import signal

from callbroker import Directory

NAMES = {"+15550123": "Example Ltd"}

app = Directory("@NAME@", identity="@IDENTITY@")


@app.on("directory.lookup")
async def look_up(params):              # a ringing call shows the name
    name = NAMES.get(params["remote"]["value"])
    return {"display_name": name} if name else {}


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, app.close)
    await app.serve()


if __name__ == "__main__":
    asyncio.run(main())
