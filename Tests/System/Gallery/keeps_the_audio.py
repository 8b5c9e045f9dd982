#!/usr/bin/env python3
"""A request to be ready for the audio of a call is answered; it is never ready.

Breaks: delays_audio
Role: observer
"""
import asyncio

from callbroker import Observer

app = Observer("gallery", identity="org.example.gallery")


@app.on("audio.handover")
async def prepare(_):
    await asyncio.Event().wait()


app.run()
