#!/usr/bin/env python3
"""A telephone with several lines, whose network is its standard input.

    ring CALL NUMBER    somebody calls
    hang_up CALL        the other side hangs up
    elsewhere CALL NUMBER DEVICE
                        another device of the account has a call; an answer brings it here
    behave HOW          well; stubborn: refuses to hold; deaf: does nothing when asked to hold

Run it beside a broker: `PYTHONPATH=../../plugins/sdk/python python3 desk_phone.py`. Each action that it
performs is a line on its standard output.
"""
import asyncio
import sys
import threading

from callbroker import Action, BrokerError, Failed, LiveCall, Provider, phone

desk = Provider(
    "org.example.desk", "Desk phone", handle_types=["phone"], action_deadlines={"set_held": 1000})
manners = "well"
lines: dict[str, LiveCall] = {}                 # the calls that it has now


def saw(what: str) -> None:
    print("desk", what, flush=True)


@desk.on_answer
@desk.on_end
@desk.on_set_group
def perform(action: Action) -> None:
    saw(f"{action.kind} {action.call}")
    if action.kind == "answer":
        lines[action.call]["state"] = "active"
    elif action.kind == "end":
        lines.pop(action.call, None)


@desk.on_set_held
async def hold(action: Action) -> None:
    held = action.arguments["held"]
    saw(f"{'hold' if held else 'resume'} {action.call}")
    if held and manners == "stubborn":
        raise Failed("remote_refused", "the other side does not want to wait")
    if held and manners == "deaf":
        await asyncio.Event().wait()
    lines[action.call]["state"] = "held" if held else "active"


@desk.reconcile
def live_calls() -> list[LiveCall]:
    """What there is after a restart of the broker, or a lost connection."""
    return list(lines.values())


@desk.on_dropped
def dropped(calls: list[str]) -> None:
    """What was over before it could be told so."""
    for call in calls:
        lines.pop(call, None)


@desk.on("provider.reset")
def reset(_: object) -> None:
    lines.clear()


def network() -> None:
    global manners
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "ring":
            remote = phone(words[1])
            lines[words[0]] = {
                "call": words[0], "direction": "incoming", "state": "ringing", "remote": remote}
            try:
                desk.report_incoming(words[0], remote).result()
            except BrokerError as refusal:          # it must not ring
                lines.pop(words[0])
                saw(f"refused {words[0]} {refusal.reason}")
        elif verb == "elsewhere":
            remote, device = phone(words[1]), " ".join(words[2:])
            lines[words[0]] = {
                "call": words[0], "direction": "incoming", "state": "external", "remote": remote,
                "elsewhere": device, "supports_pull": True}
            desk.report_external(words[0], remote, elsewhere=device, supports_pull=True).result()
        elif verb == "hang_up":
            lines.pop(words[0], None)
            desk.report_ended(words[0], "remote_ended").result()
        elif verb == "behave":
            manners = words[0]
            saw(f"behaves {manners}")
    desk.close()


threading.Thread(target=network, daemon=True).start()
desk.run()
