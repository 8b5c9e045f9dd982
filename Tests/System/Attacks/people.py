"""What the store keeps for the user, and whoever is asked before a call rings."""
import json
import os
import time

from attack import attack
from field import FROZEN_SECONDS, Failed, Frozen, HANDLE, frame, hello, new, register, ring
from floods import flood_of, missed


@attack("10,000 blocks and contacts are put, and listed meanwhile", memory_mib=48)
def blocks(field):
    crowd = field.crowd(4, hello("controller"), 1)
    crowd.ask(lambda client: b"".join(
        frame("block.add", 2 * n, handle={"type": "phone", "value": f"+1555{client}{n:06}"})
        + frame("contact.put", 2 * n + 1, name=f"Ann {n}", handles=[
            {"type": "phone", "value": f"+1556{client}{n:06}"}]) for n in range(1, 1_251)), 2_500)
    flood_of(field, 10, hello("controller"), frame("block.list", 1), 20)
    flood_of(field, 10, hello("controller"), frame("contact.list", 1), 20)


@attack("a long history is searched for what is not there, 200 times", memory_mib=96)
def history(field):
    missed(field)
    flood_of(field, 10, hello("controller"),
             frame("history.list", 1, filter={"provider": "org.example.none"}), 20)


@attack("40 directories are loaded, and none is finished", memory_mib=48, once=True)
def directories(field):
    for n in range(40):
        peer = field.peer("admin")
        for part in range(4):
            peer.result("directory.put_entries", source=f"org.example.d{n}", generation=1,
                        final=False, entries=[
                            {"number": 15_550_000 + part * 500 + entry, "label": "x" * 60}
                            for entry in range(500)])
        peer.close()


def screener(name):
    """The manifest of a program that connects by itself."""
    return {"manifest": 1, "identity": name, "roles": ["screener", "directory"],
            "screener": {"budget_ms": 1_500}, "directory": {}}


def screeners(folder):
    os.makedirs(os.path.join(folder, "plugins"))
    for n in range(20):
        name = f"org.example.screener{n}"
        path = os.path.join(folder, "plugins", f"{name}.plugin.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump(screener(name), file)


@attack("20 screeners never answer, and 200 apps report calls", before=screeners,
        options=["--plugin-dir", "{folder}/plugins"])
def silent_screeners(field):
    for n in range(20):
        peer = field.peer("screener", "directory", identity=f"org.example.screener{n}")
        if peer.hello["denied_roles"]:
            raise Failed(f"a screener is denied {peer.hello['denied_roles']}")
    crowd = field.crowd(200)
    crowd.ask(lambda n: hello("provider", identity=f"org.example.app{n}") + register(), 2)
    crowd.ask(lambda n: ring(2, new()), 1)


@attack("a screener answers with megabytes, and with what nobody asked for", before=screeners,
        options=["--plugin-dir", "{folder}/plugins"])
def loud_screener(field):
    peer = seat(field)
    app = field.app("asked")
    for n in range(20):
        call = new()
        app.send(id=n, method="call.report_incoming", params={"call": call, "remote": HANDLE})
        check = peer.until(lambda one: one.get("method") == "screener.check")
        peer.send(id=check["id"], result={"verdict": "allow", "x_more": "x" * 60_000})
        for id in range(500):
            peer.send(id=id, result={"verdict": "block"})
        app.until(lambda one, n=n: one.get("id") == n)
        app.result("call.report_ended", call=call, reason="remote_ended")


def seat(field):
    """A screener. While what another connection of its name has sent is still being read, it waits."""
    end = time.monotonic() + FROZEN_SECONDS
    while time.monotonic() < end:
        peer = field.peer("screener", identity="org.example.screener0")
        if not peer.hello["denied_roles"]:
            return peer
        peer.close()
    raise Frozen("the seat of a screener that has left is not free")
