#!/usr/bin/env python3
"""Three telephones that know nothing of each other, and one broker between them.

    demo.py CALLBROKER          the path of the program

Starts a broker on a socket of its own and two telephones of this folder as processes; the broker
itself starts the third, a plugin. Plays the people at both ends, and shows what the broker tells
(`callbroker watch`), with a caption for each scene. Every scene is checked twice: by the events,
and by what the telephones themselves were asked to do, in the order in which they were. The exit
status is 0 if all was as it should be.
"""
import contextlib
import json
import os
import pty
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
SDK = HERE.parent.parent / "plugins" / "sdk" / "python"
sys.path.insert(0, str(SDK))

from callbroker import Observer  # noqa: E402

PATIENCE = 10.0  # seconds for anything that should come
# Such an event has no number of its own, but that of the one before it.
UNNUMBERED = "call.allowed_changed"
WATCHED = ("call.", "action.", "audio.", "provider.", "plugin.")
QUIET = 0.15     # seconds without news after which a scene is over
BOLD, FAINT, PLAIN = ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() else ("", "", "")


class Surprise(Exception):
    """A scene that did not go as it should."""


def reader(stream, lines):
    """Puts the lines of a stream into a queue, from a thread of its own."""
    def read():
        for line in stream:
            lines.put(line.rstrip("\n"))
    threading.Thread(target=read, daemon=True).start()


def run_on_terminal(command, environment):
    """Runs a command as a person would, who gets tables and sentences. Its status and its text."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command, env=environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
    os.close(slave)
    said = b""
    with contextlib.suppress(OSError):              # the end of a terminal is an error
        while piece := os.read(master, 65536):
            said += piece
    os.close(master)
    return process.wait(PATIENCE), said.decode().replace("\r\n", "\n")


class Stage:
    """The broker, the two telephones, and everything that can be seen of them."""

    def __init__(self, program, folder):
        self.program = program
        self.environment = dict(
            os.environ, BROKER_SOCKET=str(folder / "broker.sock"), PYTHONPATH=str(SDK))
        self.folder = folder
        self.processes = []
        self.start_broker()
        self.events = []
        self.observer = Observer("demo", socket=self.environment["BROKER_SOCKET"])
        self.observer.on("event")(self.events.append)
        self.observer.__enter__()
        self.told = queue.Queue()
        watch = [program, "watch", *(area + "*" for area in WATCHED)]
        self.watch = self.start(
            watch, stdout=subprocess.PIPE, stderr=open(folder / "watch.log", "w", encoding="utf-8"))
        reader(self.watch.stdout, self.told)
        # One pipe for both telephones: their lines stand in it in the order of their doing.
        ours, theirs = os.pipe()
        self.asked = queue.Queue()
        self.acts = []
        reader(os.fdopen(ours, encoding="utf-8"), self.asked)
        self.desk = self.start([sys.executable, str(HERE / "desk_phone.py")],
                               stdin=subprocess.PIPE, stdout=theirs)
        self.door = self.start(["sh", str(HERE / "door_phone.sh")],
                               stdin=subprocess.PIPE, stdout=theirs)
        os.close(theirs)
        self.expect_event("provider.added", provider="org.example.desk")
        self.expect_event("provider.added", provider="org.example.door")

    def start(self, command, **streams):
        process = subprocess.Popen(
            command, env=self.environment, text=True, start_new_session=True, **streams)
        self.processes.append(process)
        return process

    def start_broker(self):
        log = self.folder / "broker.log"
        began = log.stat().st_size if log.exists() else 0
        self.broker = self.start(
            [self.program, "serve", "--state-dir", str(self.folder / "state"),
             "--plugin-dir", str(HERE / "plugins")],
            stdout=subprocess.DEVNULL, stderr=open(log, "a", encoding="utf-8"))
        self.wait(lambda: "listening on" in log.read_text(encoding="utf-8")[began:],
                  "the broker to listen")

    def kill_broker(self):
        os.killpg(self.broker.pid, signal.SIGKILL)
        self.broker.wait(PATIENCE)

    def close(self):
        self.observer.close()
        for process in reversed(self.processes):
            for how in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, how)
                    process.wait(2)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass

    # -- What people do

    def at_desk(self, line):
        print(line, file=self.desk.stdin, flush=True)

    def at_door(self, line):
        print(line, file=self.door.stdin, flush=True)

    def tool(self, *words, status=0):
        """What somebody types; shown as it is typed."""
        print(f"{FAINT}$ callbroker {' '.join(words)}{PLAIN}", flush=True)
        status_seen, said = run_on_terminal([self.program, *words], self.environment)
        for line in said.splitlines():
            print("  " + line)
        if status_seen != status:
            raise Surprise(f"callbroker {words[0]} ended with {status_seen}, not {status}")
        return said

    # -- What can be seen

    def plugin(self, identity):
        """A plugin as the broker lists it."""
        said = subprocess.run(
            [self.program, "plugin", "list", "--json"], env=self.environment, text=True,
            stdout=subprocess.PIPE, check=True).stdout
        rows = [json.loads(line) for line in said.splitlines()]
        return next(row for row in rows if row["plugin"] == identity)

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise Surprise(f"waited in vain for {what}")
            time.sleep(0.01)

    def expect_event(self, topic, **members):
        """An event that has come, or comes."""
        def is_meant(event):
            data = {**event.get("data", {}), **event}
            return event["topic"] == topic and all(data.get(k) == v for k, v in members.items())
        self.wait(lambda: any(map(is_meant, list(self.events))), f"{topic} {members}")

    def expect_state(self, call, **members):
        """A call as the broker has it."""
        def is_so():
            known = self.observer.calls.get(call)
            return known is not None and all(known.get(k) == v for k, v in members.items())
        self.wait(is_so, f"call {call[:8]} {members}; it is {self.observer.calls.get(call)}")

    def expect_acts(self, *acts):
        """What the telephones were asked to do since the last time, in this order, and no more."""
        acts = [f"{who} {what}" for who, what in acts]
        self.wait(lambda: self.take_acts() >= len(acts), f"the telephones to do {acts}")
        if sorted(self.acts) != sorted(acts) or not self.keeps_order(acts):
            raise Surprise(f"the telephones did {self.acts}, not {acts}")
        self.acts = []

    def take_acts(self):
        while not self.asked.empty():
            self.acts.append(self.asked.get())
        return len(self.acts)

    def keeps_order(self, acts):
        """Those of one group may come in any order; all others as they are expected."""
        verbs = [act.split()[:2] for act in acts]
        return [act.split()[:2] for act in self.acts] == verbs

    def expect_entries(self, said, *entries):
        """The latest calls of a history, each of which says these words."""
        lines = [line for line in said.splitlines() if line][1:]
        for line, words in zip(lines, entries):
            if not all(word in line for word in words):
                raise Surprise(f"the history says {line!r}, and not {words}")
        if len(lines) < len(entries):
            raise Surprise(f"the history has {len(lines)} calls, and not {len(entries)}")

    def show(self):
        """The broker's news since the last time. The lines."""
        lines = []
        with contextlib.suppress(queue.Empty):
            while True:
                lines.append(self.told.get(timeout=QUIET))
                print("  " + lines[-1])
        return lines

    def expect_no_gap(self, seq):
        """Since the event of that number both who watch are told each event once, in order."""
        lines = []

        def is_so():
            lines.extend(self.show())
            there = [int(line.split()[1][1:]) for line in lines if line.split()[2] != UNNUMBERED]
            here = [event["seq"] for event in list(self.events)
                    if event["topic"].startswith(WATCHED) and event["topic"] != UNNUMBERED
                    and event["seq"] > seq]
            return here == sorted(set(here)) == there
        self.wait(is_so, "the same events here and with callbroker watch")
        if "are lost" in (self.folder / "watch.log").read_text(encoding="utf-8"):
            raise Surprise("callbroker watch has lost events")


def play(stage, scenes):
    for number, scene in enumerate(scenes, 1):
        print(f"\n{BOLD}{number}. {scene.__doc__}{PLAIN}", flush=True)
        scene(stage)
        stage.show()


# -- The scenes

GATE = "org.example.gate"
ANN, BOB, CARL, VISITOR = (str(uuid.uuid4()) for _ in range(4))


def ann_calls(stage):
    """Ann calls the desk phone, and it is answered."""
    stage.at_desk(f"ring {ANN} +15550101")
    stage.expect_state(ANN, state="ringing")
    stage.tool("answer")
    stage.expect_state(ANN, state="active")
    stage.expect_event("audio.changed", to=ANN)
    stage.expect_acts(("desk", f"answer {ANN}"))


def visitor_rings(stage):
    """A visitor rings at the door meanwhile: another app, so nobody is interrupted."""
    stage.at_door(f"{VISITOR} visitor")
    stage.expect_state(VISITOR, state="waiting")
    stage.expect_state(ANN, state="active")
    stage.tool("calls")
    stage.expect_acts()


def hold_and_accept(stage):
    """Hold & Accept: the desk phone holds Ann first, and only then is the visitor answered."""
    stage.tool("answer", "--hold")
    stage.expect_state(ANN, state="held", held_because_of=VISITOR)
    stage.expect_state(VISITOR, state="active")
    stage.expect_acts(("desk", f"hold {ANN}"), ("door", f"answer {VISITOR}"))


def swap(stage):
    """The two change places."""
    stage.tool("swap")
    stage.expect_state(VISITOR, state="held")
    stage.expect_state(ANN, state="active")
    stage.expect_acts(("door", f"hold {VISITOR}"), ("desk", f"resume {ANN}"))


def merge(stage):
    """Bob calls the desk phone too, is answered, and Ann and he become a conference."""
    stage.at_desk(f"ring {BOB} +15550102")
    stage.expect_state(BOB, state="waiting")
    stage.tool("answer")
    stage.expect_acts(("desk", f"hold {ANN}"), ("desk", f"answer {BOB}"))
    stage.tool("merge", BOB, ANN)
    for call in (ANN, BOB):
        stage.expect_state(call, state="active", group=ANN)
    stage.expect_acts(("desk", f"set_group {BOB}"), ("desk", f"resume {ANN}"))


def stubborn(stage):
    """The visitor shall speak again, but the desk phone refuses to hold: nothing is lost."""
    stage.at_desk("behave stubborn")
    said = stage.tool("resume", VISITOR, status=1)
    if "hold_failed" not in said:
        raise Surprise("the refusal does not say hold_failed")
    stage.expect_state(VISITOR, state="held")
    for call in (ANN, BOB):
        stage.expect_state(call, state="active")
    stage.expect_acts(("desk", "behaves stubborn"), ("desk", f"hold {ANN}"), ("desk", f"hold {BOB}"))
    stage.tool("explain", VISITOR)


def deaf(stage):
    """Once more, and now it does not react at all: silence costs the silent calls."""
    stage.at_desk("behave deaf")
    stage.tool("resume", VISITOR)
    stage.expect_state(VISITOR, state="active")
    for call in (ANN, BOB):
        stage.expect_event("call.changed", call=call, state="ended", end_reason="failed")
        stage.expect_event("action.timed_out", call=call, kind="set_held")
    # It takes the ends of its calls late, but it takes them.
    stage.wait(lambda: stage.take_acts() >= 6, "the telephones to end the calls")
    did = [act.split()[1:] for act in stage.acts]
    order = [did.index(["hold", ANN]), did.index(["hold", BOB]), did.index(["resume", VISITOR])]
    if max(order) != order[2]:
        raise Surprise(f"the visitor was resumed before the holds were over: {stage.acts}")
    stage.acts = []


def restart(stage):
    """Carl calls and is answered. Then the broker itself is killed, and started again: the calls go on."""
    stage.at_desk("behave well")
    stage.at_desk(f"ring {CARL} +15550103")
    stage.expect_state(CARL, state="waiting")
    stage.tool("answer", CARL)
    stage.expect_acts(
        ("desk", "behaves well"), ("door", f"hold {VISITOR}"), ("desk", f"answer {CARL}"))
    stage.expect_state(CARL, state="active")
    stage.show()
    last = max(event["seq"] for event in stage.events)
    print(f"{FAINT}$ kill -9 {stage.broker.pid}; callbroker serve{PLAIN}", flush=True)
    stage.kill_broker()
    stage.start_broker()
    for phone in ("org.example.desk", "org.example.door"):
        stage.expect_event("provider.resumed", provider=phone)
    stage.expect_state(CARL, state="active", provider_connected=True)
    stage.expect_state(VISITOR, state="held", provider_connected=True, held_because_of=CARL)
    stage.tool("calls")
    # Hanging up works as ever: the visitor was held for Carl, and comes back.
    stage.tool("end", CARL)
    stage.expect_acts(("desk", f"end {CARL}"), ("door", f"resume {VISITOR}"))
    stage.expect_state(VISITOR, state="active")
    stage.expect_event("audio.changed", to=VISITOR)
    stage.expect_no_gap(last)


def killed(stage):
    """The door phone is killed in the middle of its call: the broker notices at once."""
    os.killpg(stage.door.pid, signal.SIGKILL)
    stage.expect_event("provider.removed", provider="org.example.door", reason="process_exited")
    stage.expect_event("call.changed", call=VISITOR, state="ended", end_reason="failed")
    stage.expect_event("audio.changed", to=None)
    stage.wait(lambda: not stage.observer.calls, "all calls to be over")
    stage.tool("calls")


# -- Calls that the user does not take

SURVEY, STRANGER, DAN = (str(uuid.uuid4()) for _ in range(3))


def blocked(stage):
    """A number that the user has blocked calls: nobody sees it, and the desk phone is told why."""
    stage.tool("block", "add", "+15550199", "--reason", "a survey")
    stage.at_desk(f"ring {SURVEY} +15550199")
    stage.expect_acts(("desk", f"refused {SURVEY} block_list"))
    stage.expect_event("call.refused", call=SURVEY, reason="block_list", rule="32")
    if SURVEY in stage.observer.calls:
        raise Surprise("a blocked call is to be seen")


def silenced(stage):
    """Who is in no contact may not make a sound: a stranger rings in silence, and gives up."""
    stage.tool("contact", "put", "Dan", "+15550104")
    stage.tool("policy", "set", "unknown_callers=silence")
    stage.at_desk(f"ring {STRANGER} +15550198")
    stage.expect_state(STRANGER, state="ringing", silenced=True)
    stage.at_desk(f"hang_up {STRANGER}")
    stage.expect_event("call.changed", call=STRANGER, state="ended")


def missed(stage):
    """Dan is a contact: he rings aloud, and gives up before anybody answers."""
    stage.at_desk(f"ring {DAN} +15550104")
    stage.expect_state(DAN, state="ringing", silenced=False,
                       caller={"name": "Dan", "source": "contacts"})
    stage.at_desk(f"hang_up {DAN}")
    stage.expect_event("call.changed", call=DAN, state="ended")


def history(stage):
    """What was missed, and why, is in the history."""
    stage.expect_entries(
        stage.tool("history"), ("Dan", "<- missed", "caller gave up"),
        ("+15550198", "<- missed", "rang silently", "(the policy for unknown callers)"),
        ("+15550199", "<-", "kept from ringing by the block list"), ("visitor", "<-", "failed"))
    stage.expect_entries(
        stage.tool("history", "--missed"), ("Dan", "caller gave up"),
        ("+15550198", "rang silently"))


# -- Plugins


def plugin(stage):
    """The gate is a plugin: the broker starts it when it is called, and again when it was killed."""
    call = call_gate(stage)
    stage.show()
    first = stage.plugin(GATE)
    print(f"{FAINT}$ kill -9 {first['pid']}{PLAIN}", flush=True)
    os.kill(first["pid"], signal.SIGKILL)
    stage.expect_event("call.changed", call=call, state="ended", end_reason="failed")
    stage.expect_event("plugin.state", plugin=GATE, state="backoff", exit={"signal": 9})
    stage.wait(lambda: stage.plugin(GATE)["state"] == "ready", "the gate to be back")
    stage.show()
    stage.tool("plugin", "list")
    second = stage.plugin(GATE)
    if second["starts"] != 2 or second["pid"] == first["pid"]:
        raise Surprise(f"the gate was not started a second time: {second}")
    stage.tool("end", call_gate(stage))
    stage.wait(lambda: not stage.observer.calls, "all calls to be over")


def call_gate(stage):
    """Calls the gate, where somebody answers. The call."""
    stage.tool("dial", "--provider", GATE, "tel:+15550104")
    stage.wait(lambda: any(call["state"] == "active" for call in stage.observer.calls.values()),
               "the gate to answer")
    return next(iter(stage.observer.calls))


SCENES = [ann_calls, visitor_rings, hold_and_accept, swap, merge, stubborn, deaf, restart, killed,
          blocked, silenced, missed, history, plugin]


def main():
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="callbroker-demo") as name:
        os.chmod(name, 0o700)
        stage = Stage(os.path.abspath(sys.argv[1]), Path(name))
        try:
            play(stage, SCENES)
        except Surprise as surprise:
            stage.show()
            print(f"\n{BOLD}This did not go as it should:{PLAIN} {surprise}")
            return 1
        finally:
            stage.close()
    print(f"\nEvery scene went as it should, in {time.monotonic() - began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
