#!/usr/bin/env python3
"""A screener answers with a verdict; it answers without one.

Breaks: screens_calls
Role: screener
"""
from callbroker import Screener

app = Screener("gallery", identity="org.example.gallery")


@app.on("screener.check")
async def check(_):
    return {"label": "Survey"}


app.run()
