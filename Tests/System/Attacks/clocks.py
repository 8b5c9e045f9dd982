"""A wall clock that is wrong: `clock.c` is loaded into the broker, and lies to it."""
import os
import subprocess
import time

import roads
from attack import attack
from field import HANDLE, Failed, new

DAY = 86_400


def clock(folder):
    """The broker's clock is ahead by what the file says."""
    library, path = os.path.join(folder, "clock.so"), os.path.join(folder, "clock")
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library,
                    os.path.join(roads.HERE, "clock.c")], check=True)
    with open(path, "w", encoding="ascii") as file:
        file.write("0")
    return {"LD_PRELOAD": library, "CLOCK_AHEAD": path}


def set_clock(field, ahead):
    path = field.file("clock")
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(str(ahead))
    os.rename(path + ".new", path)


def call(app):
    """A call that rings, and is over."""
    call = new()
    app.result("call.report_incoming", call=call, remote=HANDLE)
    app.result("call.report_ended", call=call, reason="remote_ended")


def survives(field, ahead):
    app, user = field.app("rings"), field.peer("controller")
    for _ in range(100):
        call(app)
    set_clock(field, ahead)
    if abs(field.peer().hello["clock"]["now_at_ms"] / 1_000 - time.time() - ahead) > DAY:
        raise Failed("the clock of the broker was not moved")
    call(app)
    set_clock(field, 0)
    call(app)
    kept = length(user)
    if kept != 102:
        raise Failed(f"of 102 calls the history has {kept}")


def length(user):
    """Of the history, page by page."""
    page = user.result("history.list")
    count = len(page["entries"])
    while "next" in page:
        page = user.result("history.list", after=page["next"])
        count += len(page["entries"])
    return count


@attack("the clock is ten years ahead while a call ends: the history stays", environment=clock, once=True)
def ahead(field):
    survives(field, 3_650 * DAY)


@attack("the clock is ten years behind while a call ends: the history stays", environment=clock, once=True)
def behind(field):
    survives(field, -3_650 * DAY)


@attack("the clock is four months ahead while a call ends: the history stays", environment=clock, once=True)
def months(field):
    survives(field, 120 * DAY)


@attack("do-not-disturb that was on for an hour is on when the clock has been set back",
        environment=clock, once=True)
def jumps(field):
    user = field.peer("controller")
    app = field.app("rings")
    until = int(time.time() * 1_000) + 3_600_000
    user.result("policy.set", do_not_disturb={"on": True, "until_at_ms": until})
    set_clock(field, 3_650 * DAY)
    call_is_let_in(app)
    set_clock(field, 0)
    if call_is_let_in(app):
        raise Failed("do-not-disturb is gone for good")


def call_is_let_in(app):
    return "result" in app.ask("call.report_incoming", call=new(), remote={
        "type": "phone", "value": f"+1555{int(new()[:6], 16):08}"})
