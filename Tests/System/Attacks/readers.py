"""They ask, and do not read; or hardly."""
import array
import os
import signal
import socket
import subprocess
import sys

from attack import attack
from crowds import EVERYTHING, watchers
from field import Failed, frame, hello, live_calls, register, ring

DISCOVER = frame("rpc.discover", 1)


def events(field, count):
    """An app makes so many calls that end at once: two events and more for each."""
    crowd = field.crowd(1, hello("provider", identity="org.example.events") + register(), 2)
    calls = []
    for n in range(count):
        call = f"00000000-0000-4000-8000-{n:012x}"
        calls.append(ring(2 * n + 2, call) + frame(
            "call.report_ended", 2 * n + 3, call=call, reason="remote_ended"))
    crowd.ask(b"".join(calls), 2 * count)


@attack("200 watchers of everything never read, while 5,000 calls come and go", memory_mib=32)
def deaf(field):
    crowd = watchers(field, 200, 4)
    events(field, 5_000)
    crowd.close()


@attack("400 watchers ask for megabytes and read nothing: the limit of a user dismisses them",
        memory_mib=96)
def capped(field):
    crowd = watchers(field, 400, 16)
    for _ in range(3):
        crowd.fill(DISCOVER * 4)
    answered = field.peer()
    for _ in range(20):
        answered.result("broker.ping")
    crowd.close()


@attack("50 clients ask for the whole document again and again, and never read", memory_mib=96)
def documents(field):
    crowd = field.crowd(50, hello(), 1)
    for _ in range(20):
        crowd.fill(DISCOVER * 10)
    peer = field.peer()
    for _ in range(20):
        peer.result("broker.ping")
    crowd.close()


@attack("50 clients ask for the whole document, and read it", memory_mib=96)
def readers(field):
    crowd = field.crowd(50, hello(), 1)
    for _ in range(4):
        crowd.ask(DISCOVER, 1)


@attack("a watcher reads a byte at a time, while 5,000 calls come and go")
def sips(field):
    watcher = field.peer()
    watcher.result("events.subscribe", topics=["*"])
    events(field, 5_000)
    watcher.socket.setblocking(True)
    for _ in range(20_000):
        watcher.socket.recv(1)


@attack("20 watchers are stopped by a signal, while 5,000 calls come and go", quick=True)
def stopped(field):
    program = ("import socket, sys, time; links = [socket.socket(socket.AF_UNIX) for _ in range(20)]\n"
               "for link in links: link.connect(sys.argv[1]); link.sendall(sys.argv[2].encode())\n"
               "for link in links: link.recv(65536)\n"
               "print(flush=True); sys.stdin.read()")
    watchers = field.process(
        sys.executable, "-c", program, field.path, (hello() + EVERYTHING).decode(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    watchers.stdout.readline()
    os.kill(watchers.pid, signal.SIGSTOP)
    events(field, 5_000)


@attack("20 apps with held calls are stopped by a signal, and are noticed", quick=True,
        configuration={"policy": {"heartbeat_ms": 1_000, "limits": {"held_groups": 100}}})
def hung(field):
    program = ("import socket, sys; links = [socket.socket(socket.AF_UNIX) for _ in range(20)]\n"
               "for link, data in zip(links, sys.argv[2:]):\n"
               "    link.connect(sys.argv[1]); link.sendall(data.encode()); link.recv(65536)\n"
               "print(flush=True); sys.stdin.read()")
    opening = [hello("provider", identity=f"org.example.hung{n}")
               + register(calls=live_calls(1)) for n in range(20)]
    watcher = field.peer()
    watcher.result("events.subscribe", topics=["broker.anomaly"], snapshot=False)
    apps = field.process(
        sys.executable, "-c", program, field.path, *(each.decode() for each in opening),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    apps.stdout.readline()
    os.kill(apps.pid, signal.SIGSTOP)
    for _ in range(20):
        told = watcher.until(lambda one: one.get("method") == "event")["params"]["data"]
        if told["anomaly"] != "provider_hung":
            raise Failed(f"{told} was told")


@attack("20 watchers that are far behind ask how things are now", memory_mib=96)
def behind(field):
    crowd = watchers(field, 20, 16)
    events(field, 2_500)
    crowd.fill(frame("call.list", 1))
    field.peer().result("broker.ping")
    crowd.close()


@attack("20 clients come back to events of long ago, again and again", memory_mib=32)
def cursors(field):
    peer = field.peer()
    first = peer.result("events.subscribe", topics=["*"])
    events(field, 1_000)
    back = frame("events.subscribe", 1, topics=["*"],
                 cursor={"epoch": first["epoch"], "seq": first["seq"]})
    for _ in range(3):
        crowd = field.crowd(20, hello(), 1)
        crowd.ask(back + frame("broker.ping", 3), 1_000)
        crowd.close()


@attack("40 clients ask for calls that are over, again and again", memory_mib=32)
def snapshots(field):
    events(field, 1_100)
    crowd = field.crowd(40, hello(), 1)
    for n in range(5):
        crowd.ask(frame("events.subscribe", 2 * n + 1, topics=["call.*"], include_ended=True)
                  + frame("events.unsubscribe", 2 * n + 2, subscription=n + 1), 2)


@attack("clients pass descriptors that nobody wants", quick=True)
def descriptors(field):
    peer = field.peer()
    for n in range(200):
        peer.socket.sendmsg([frame("broker.ping", n)], [
            (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [peer.fileno()] * 100))])
    peer.until(lambda one: one.get("id") == 199)
