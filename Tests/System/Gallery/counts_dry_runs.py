#!/usr/bin/env python3
"""A question whether a call may ring is no call; it lets through who has asked before.

Breaks: screens_questions
Role: screener
"""
from callbroker import Screener

app = Screener("gallery", identity="org.example.gallery")
callers = set()


@app.on("screener.check")
async def check(params):
    caller = str(params["remote"])
    known = caller in callers
    callers.add(caller)
    return {"verdict": "allow" if known else "block"}


app.run()
