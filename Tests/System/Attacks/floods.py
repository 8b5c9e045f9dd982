"""Requests that are right, and far too many."""
import time

from attack import attack
from field import HANDLE, Failed, frame, hello, live_calls, new, register, ring
from lines import flood

MANY_CALLS = {"policy": {"limits": {"ringing": 1_000_000, "held_groups": 1_000_000,
                                    "calls": 1_000_000, "calls_per_provider": 1_000_000}}}
GROUPS = {"max_call_groups": 1_000_000, "max_calls_per_group": 1_000_000}


def pages(field, calls):
    """An app that has so many held calls."""
    peer = field.peer("provider", "controller", identity="org.example.many")
    for first in range(0, calls, 200):
        peer.result("provider.register", display_name="Many", handle_types=["phone"], grace_ms=0,
                    **GROUPS, calls=live_calls(200), more=first + 200 < calls)


@attack("50 clients ping as fast as they can", quick=True)
def pings(field):
    flood(field, 50, 4, b"".join(frame("broker.ping", n) for n in range(500)), 500)


@attack("200 clients have 64 requests each under way, and leave", memory_mib=24)
def pending(field):
    calls = live_calls(1, "active")
    app = field.app("silent", calls)
    # It never answers what it is asked to perform.
    crowd = field.crowd(200, hello("controller"), 1)
    crowd.push(b"".join(frame("call.set_muted", n, call=calls[0]["call"], muted=n % 2 == 1,
                              wait="completed", transaction=new()) for n in range(64)))
    field.crowd(1, frame("broker.ping", 1), 1)
    crowd.close()
    app.close()


@attack("60,000 requests, each under a transaction id of its own", memory_mib=48)
def transactions(field):
    crowd = field.crowd(4, hello("controller"), 1)
    call = live_calls(1, "held")
    field.app("keeper", call)
    data = b"".join(frame("call.set_held", n, call=call[0]["call"], held=True, transaction=new())
                    for n in range(1, 15_001))
    crowd.ask(data, 15_000)


@attack("60,000 calls ring and end: the history is faster than the store", memory_mib=96)
def calls(field):
    crowd = field.crowd(4)
    crowd.ask(lambda n: hello("provider", identity=f"org.example.app{n}") + register(), 2)
    for _ in range(15):
        crowd.ask(lambda n: rounds(1_000), 2_000)
    stored(field)


def rounds(count):
    data = []
    for n in range(1, count + 1):
        call = new()
        data += [ring(2 * n, call),
                 frame("call.report_ended", 2 * n + 1, call=call, reason="remote_ended")]
    return b"".join(data)


@attack("120,000 missed calls are reported", memory_mib=96)
def missed(field):
    crowd = field.crowd(4)
    crowd.ask(lambda n: hello("provider", identity=f"org.example.app{n}") + register(), 2)
    at_ms = int(time.time() * 1_000) - 60_000
    for _ in range(15):
        crowd.ask(lambda n: b"".join(
            frame("call.report_missed", n, call=new(), remote=HANDLE, reason="caller_gave_up",
                  at_ms=at_ms) for n in range(2, 2_002)), 2_000)
    stored(field)


def stored(field):
    """Until the store has what it was given before this."""
    field.peer("controller").result("history.list", limit=1)


@attack("a filter that fits none of 100,000 calls, 200 times", configuration=MANY_CALLS,
        once=True)
def filters(field):
    pages(field, 100_000)
    field.stay()
    crowd = field.crowd(10, hello("controller"), 1)
    for state in ("ringing", "dialing"):
        for _ in range(10):
            crowd.ask(frame("call.list", 1, filter={"state": state}), 1)


# Their events, and what can be asked about the latest thousand, stay; over and over no more than this.
@attack("2,000 calls end at once, with the app that has them", configuration=MANY_CALLS,
        memory_mib=24)
def ends(field):
    pages(field, 2_000)


@attack("an app registers and goes, 5,000 times", memory_mib=24)
def registrations(field):
    crowd = field.crowd(4)
    crowd.ask(lambda n: hello("provider", identity=f"org.example.app{n}"), 1)
    crowd.ask(lambda n: (register(1) + frame("provider.unregister", 2)) * 1_250, 2_500)


@attack("20,000 apps take 20,000 names and leave", memory_mib=24)
def identities(field):
    for first in range(0, 20_000, 500):
        crowd = field.crowd(500)
        crowd.ask(lambda n: hello("provider", identity=f"org.example.n{first + n}") + register(), 2)
        crowd.close()


@attack("20,000 wrong secrets for a session of somebody else", quick=True)
def secrets(field):
    owner = field.app("owner", live_calls(1))
    session = owner.hello["session"]["session"]
    wrong = b"".join(hello("provider", identity="org.example.owner", id=n, resume={
        "session": session, "secret": f"{n:032x}"}) for n in range(500))
    flood(field, 10, 4, wrong, 500)
    if "result" not in owner.ask("provider.update", display_name="Still here"):
        raise Failed("the owner has lost its identity")


@attack("explain is asked for a call with hundreds of decisions, 2,000 times", memory_mib=32)
def explanations(field):
    call = live_calls(1, "active")[0]["call"]
    app = field.crowd(1)
    app.ask(hello("provider", "controller", identity="org.example.told") + register(grace_ms=0, calls=[
        {"call": call, "direction": "incoming", "state": "active", "remote": HANDLE}]), 2)
    app.ask(b"".join(frame("call.report_held", n, call=call, held=n % 2 == 1)
                     for n in range(2, 1_002)), 1_000)
    flood_of(field, 20, hello("controller"), frame("call.explain", 1, call=call), 100)


def flood_of(field, clients, greeting, request, times):
    crowd = field.crowd(clients, greeting, 1)
    for _ in range(times):
        crowd.ask(request, 1)


@attack("10,000 strings of tones for one call", memory_mib=24)
def tones(field):
    calls = live_calls(1, "active")
    field.app("tones", calls)
    crowd = field.crowd(4, hello("controller"), 1)
    crowd.ask(b"".join(frame("call.play_dtmf", n, call=calls[0]["call"], digits="1234567890*#" * 5)
                       for n in range(1, 2_501)), 2_500)


@attack("calls are grouped and taken apart, 20,000 times", configuration=MANY_CALLS,
        memory_mib=32)
def groups(field):
    calls = live_calls(64)
    app = field.app("groups", calls, **GROUPS)
    names = [call["call"] for call in calls]
    frames = []
    for n in range(20_000):
        one, other = names[n % 63 + 1], names[0]
        frames.append(frame("call.report_group", n + 1, call=one,
                            **{"with": other if n // 63 % 2 == 0 else None}))
    for first in range(0, len(frames), 2_000):
        app.backlog += b"".join(frames[first:first + 2_000])
        app.until(lambda one, last=first + 2_000: one.get("id") == last)
        app.heard.clear()


@attack("the policy is set 5,000 times")
def policies(field):
    crowd = field.crowd(4, hello("controller"), 1)
    crowd.ask(b"".join(frame("policy.set", n, button_active=("end", "mute")[n % 2])
                       for n in range(1, 1_251)), 1_250)


@attack("20,000 subscriptions begin and end", memory_mib=24)
def subscriptions(field):
    crowd = field.crowd(10, hello(), 1)
    for first in range(1, 2_001, 10):
        crowd.ask(b"".join(
            frame("events.subscribe", n, topics=["*"], snapshot=False)
            + frame("events.unsubscribe", n, subscription=n) for n in range(first, first + 10)), 20)


@attack("20,000 lines for the log, at once", quick=True)
def lines(field):
    crowd = field.crowd(50, hello(), 1)
    crowd.ask(frame("broker.log", level="error", message="x" * 4_000) * 400
              + frame("broker.ping", 1), 1)


@attack("calls to answer, to hold and to end: 20,000 requests that are refused")
def refusals(field):
    call = live_calls(1, "held")
    field.app("held", call)
    crowd = field.crowd(10, hello("controller"), 1)
    crowd.ask(b"".join(
        frame(method, n, call=call[0]["call"]) for n in range(1, 1_001)
        for method in ("call.answer", "call.split")), 2_000)


@attack("dry runs of the largest transactions, 5,000 times")
def dry_runs(field):
    field.app("plans", live_calls(4))
    actions = [{"kind": "start", "provider": "org.example.plans",
                "arguments": {"remote": HANDLE}} for _ in range(8)]
    crowd = field.crowd(10, hello("controller"), 1)
    crowd.ask(b"".join(frame("transaction.request", n, actions=actions, dry_run=True)
                       for n in range(1, 501)), 500)
