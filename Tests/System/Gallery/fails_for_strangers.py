#!/usr/bin/env python3
"""A directory answers each lookup; it fails for numbers that it does not know.

Breaks: names_callers
Role: directory
"""
from callbroker import Directory, Failed

app = Directory("gallery", identity="org.example.gallery")


@app.on("directory.lookup")
async def look_up(params):
    if params["remote"]["value"] == "+15550123":
        return {"display_name": "Ada"}
    raise Failed("unknown_number")


app.run()
