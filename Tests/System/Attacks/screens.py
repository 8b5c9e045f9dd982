"""Whoever presents calls may be a screen that shows nothing."""
import time

from attack import attack
from field import Failed, HANDLE, frame, hello, new

# The first may miss its 2 s; all the others are asked after that.
SHOWN_SECONDS = 4.0


def claims(n):
    return (hello("ui", identity=f"org.example.screen{n}")
            + frame("ui.claim", 1, priority=100 - n))


@attack("15 screens are silent, and another one shows the call")
def silent_screens(field):
    field.crowd(15).ask(claims, 2)
    screen = field.peer("ui", identity="org.example.real")
    screen.result("ui.claim", priority=0)
    app = field.app("rings")
    start = time.monotonic()
    app.result("call.report_incoming", call=new(), remote=HANDLE)
    shown = screen.until(lambda one: one.get("method") == "ui.present")
    screen.send(id=shown["id"], result={"presented": True})
    if time.monotonic() > start + SHOWN_SECONDS:
        raise Failed(f"the call was shown after {time.monotonic() - start:.0f} s")


@attack("15 screens claim and release without end while a call rings", memory_mib=24)
def fickle_screens(field):
    app = field.app("rings")
    app.result("call.report_incoming", call=new(), remote=HANDLE)
    crowd = field.crowd(15)
    crowd.ask(lambda n: hello("ui", identity=f"org.example.screen{n}"), 1)
    for _ in range(10):
        crowd.ask(b"".join(frame("ui.claim", 2 * n, priority=n) + frame("ui.release", 2 * n + 1)
                           for n in range(1, 101)), 200)
