#!/usr/bin/env python3
"""An app in a process of its own, to be killed: mortal.py SOCKET IDENTITY MEMBERS [CALL]. It has a
call that rings, does everything that it is asked, and comes back when the broker was gone. CALL is
one that an earlier process had. Whenever the broker has the call, its id is written to standard
output."""
import json
import select
import sys
import uuid

from clients import PROTOCOL
from wire import Link

REMOTE = {"type": "phone", "value": "+15550100"}


def live(path, identity, members, call, key):
    """One connection, from beginning to end: the call, if the broker has it, and the key."""
    link = Link(path)
    link.send(id=1, method="broker.hello", params={
        "protocol": PROTOCOL, "roles": ["provider"], "identity": identity,
        "client": {"name": "mortal", "version": "1"}, **({"resume": key} if key else {})})
    listed = {"call": call, "direction": "incoming", "state": "ringing", "remote": REMOTE}
    link.send(id=2, method="provider.register", params={
        "display_name": "mortal", "handle_types": ["phone"], **members,
        "calls": [listed] if call else []})
    new = call or str(uuid.uuid4())
    if not call:
        link.send(id=3, method="call.report_incoming", params={"call": new, "remote": REMOTE})
    while not link.is_over:
        select.select([link], [], [])
        for frame in link.receive():
            if "method" in frame and "id" in frame:
                link.send(id=frame["id"], result={})
            elif frame.get("id") == 1 and "result" in frame:
                key = {name: frame["result"]["session"][name] for name in ("session", "secret")}
            elif frame.get("id") == (2 if call else 3) and "result" in frame:
                call = new
                print(call, flush=True)
    link.close()
    return call, key


def main():
    path, identity, members, *call = sys.argv[1:]
    call, key = call[0] if call else None, None
    while True:
        call, key = live(path, identity, json.loads(members), call, key)
        select.select([], [], [], 0.02)


main()
