#!/usr/bin/env python3
"""Whether a caller has priority is true or false; it is a word.

Breaks: screens_calls
Role: screener
"""
from callbroker import Screener

app = Screener("gallery", identity="org.example.gallery")


@app.on("screener.check")
async def check(_):
    return {"verdict": "continue", "priority": "high"}


app.run()
