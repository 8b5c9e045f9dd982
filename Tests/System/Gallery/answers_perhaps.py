#!/usr/bin/env python3
"""A question to the user is answered with allow, deny or later; it answers perhaps.

Breaks: asks_users
Role: ui
"""
from callbroker import Screen

app = Screen("gallery", identity="org.example.gallery", features=["ask"])


@app.on("ui.ask")
async def ask(_):
    return {"answer": "perhaps"}


app.run()
