#!/usr/bin/env python3
"""A screen says whether it presents a call; it leaves that open.

Breaks: presents_calls
Role: ui
"""
from callbroker import Screen

app = Screen("gallery", identity="org.example.gallery")


@app.on("ui.present")
async def present(_):
    return {}


app.run()
