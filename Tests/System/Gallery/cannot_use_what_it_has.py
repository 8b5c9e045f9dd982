#!/usr/bin/env python3
"""The endpoint that is in use can be chosen again; it does not know its own.

Breaks: uses_endpoint
Role: audio
"""
import asyncio

from callbroker import AudioHost, Failed

app = AudioHost("gallery", identity="org.example.gallery")


@app.on("audio.use_endpoint")
async def use(_):
    raise Failed("no_such_endpoint")


async def report():
    while not app.connected:
        await asyncio.sleep(0.01)
    await app.report_endpoints([{"endpoint": "built-in", "kind": "speaker", "state": "in_use"}])


asyncio.run(app.serve_beside(report()))
