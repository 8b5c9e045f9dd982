#!/usr/bin/env python3
"""Two real telephones, a baresip and a linphone, one broker between them, and what the packets say.

    demo_phones.py CALLBROKER          the path of the program

Starts a broker, both telephones and their adapters on loopback, without sound hardware, lets sipp
call them, and captures everything. Each scene shows what somebody types, and what then goes over
the wire. At the end the capture is read once more: the exit status is 0 only if it proves that the
first call was on hold before the second was answered, and that no two calls were ever heard at
once.
"""
import contextlib
import functools
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "demo"), str(HERE.parent.parent / "Tests" / "System" / "Phones" / "support")]

import phonelab as lab  # noqa: E402
from demo import BOLD, FAINT, PLAIN, Surprise, run_on_terminal  # noqa: E402
from wire import Capture, read  # noqa: E402
from world import User  # noqa: E402

CAROL, DAVE = "carol", "dave"


class Stage(contextlib.ExitStack):
    """The broker, the telephones, and everything that can be seen of them."""

    def __init__(self, callbroker, folder):
        super().__init__()
        self.addCleanup = self.callback
        self.folder, self.callbroker = folder, callbroker
        self.callers, self.shown = {}, 0

    def set_up(self):
        """Starts them all. What has been started ends with the stage, also if the rest fails."""
        folder = self.folder
        os.environ["CALLBROKER"] = self.callbroker
        self.daemon = lab.Daemon(self, folder)
        self.environment = dict(os.environ, BROKER_SOCKET=self.daemon.socket)
        self.baresip = lab.Baresip(self, folder, "ann")
        self.linphone = lab.Linphone(self, folder, "linda", lab.Sound(self, folder))
        self.capture = Capture(self, folder, [self.baresip, self.linphone])
        self.user = self.enter_context(User("demo", socket=self.daemon.socket))
        for make, phone in ((lab.baresip_provider, self.baresip),
                            (lab.linphone_provider, self.linphone)):
            make(self, folder, phone, self.daemon.socket, "org.example." + phone.user).wait_for(
                "attached")
        lab.wait_until(
            "the providers are not there", lambda: len(self.user.happened("provider.added")) == 2)

    def calls(self, name, phone):
        """Somebody calls a telephone, and it rings."""
        self.callers[name] = lab.Caller(self, self.folder, name, phone)
        lab.wait_until(f"{name} does not ring", lambda: self.call(name))

    def call(self, name):
        return next((call for call in list(self.user.calls.values())
                     if call.get("display_name") == name), None)

    def expect(self, **states):
        """Until the calls of these people are like that, or over, and nothing is under way."""
        def is_so():
            return all((self.call(name) or {"state": "over"})["state"] == state
                       and "pending_action" not in (self.call(name) or {})
                       for name, state in states.items())
        lab.wait_until(f"expected {states}", is_so)

    def tool(self, *words):
        """What somebody types; shown as it is typed."""
        typed = " ".join(words).replace(self.folder, "$HOME")
        print(f"{FAINT}$ callbroker {typed}{PLAIN}", flush=True)
        status, said = run_on_terminal([self.callbroker, *words], self.environment)
        for line in said.splitlines():
            print("  " + line)
        if status != 0:
            raise Surprise(f"callbroker {words[0]} ended with {status}")

    def show_wire(self):
        """What has gone over it since the last time."""
        self.capture.catch_up()

        def seen():                             # tcpdump may be writing still
            with contextlib.suppress(subprocess.CalledProcessError, ValueError):
                return read(self.capture.file, self.capture.sip_ports).story(CAROL, DAVE)
            return None
        lines = lab.wait_until("the capture cannot be read", seen)
        for line in lines[self.shown:]:
            print("  " + line)
        self.shown = len(lines)


# -- The scenes

def first_call(stage):
    """Carol calls the baresip, and it is answered."""
    stage.calls(CAROL, stage.baresip)
    stage.tool("answer")
    stage.expect(carol="active")


def second_call(stage):
    """Dave calls the linphone meanwhile, which knows nothing of the other: nobody is interrupted."""
    stage.calls(DAVE, stage.linphone)
    stage.expect(carol="active", dave="waiting")
    stage.tool("calls")


def hold_and_accept(stage):
    """Hold & Accept: Carol hears a=sendonly and agrees; only then is Dave answered."""
    stage.tool("answer", "--hold")
    stage.expect(carol="held", dave="active")


def swap(stage):
    """The two change places."""
    stage.tool("swap")
    stage.expect(carol="active", dave="held")


def end(stage):
    """The call with Carol is ended, and Dave's, which was held for it, comes back by itself."""
    stage.tool("end", stage.call(CAROL)["call"][:8])
    stage.expect(carol="over", dave="active")


def hang_up(stage):
    """And the last one."""
    stage.tool("end")
    stage.expect(carol="over", dave="over")
    for name, caller in stage.callers.items():
        if caller.wait() != 0:
            raise Surprise(f"for {name} it was not as a call should be: {caller.said()[-300:]}")


def shown_with_packets(scene):
    """The scene, and then what went over the wire in it."""
    @functools.wraps(scene)
    def shown(stage):
        scene(stage)
        stage.show_wire()
    return shown


SCENES = [first_call, second_call, hold_and_accept, swap, end, hang_up]


def prove(wire):
    """Says what the capture proves, with the numbers of the packets; a Surprise if it does not."""
    answered, back = wire.answered(DAVE), wire.talking(DAVE)
    if not wire.holds(CAROL) or answered is None:
        raise Surprise("the capture has no hold of Carol's call, or no answer to Dave's")
    offer, agreed = wire.holds(CAROL)[0]
    print(f"  Carol's call: a=sendonly in packet {offer}, her 200 OK in packet {agreed}")
    print(f"  Dave's call: 200 OK in packet {answered}")
    if not offer < agreed < answered:
        raise Surprise("Dave was answered before Carol's call was on hold")
    for span in wire.talking(CAROL) + back:
        print(f"  heard in both directions: {span}")
    if len(wire.talking(CAROL)) != 2 or len(back) != 2:
        raise Surprise("each of the two should have been heard twice: once before the swap or the "
                       "hold, and once after")
    if together := wire.at_once(CAROL, DAVE):
        raise Surprise(f"heard at once: {together}")
    print("  at no moment were two calls heard at once")


def play(make_stage, scenes, prove):
    """Plays the scenes, and then looks at the capture. Returns the exit status: 0 if all was as it
    should be."""
    began = time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))     # and everything with it
    with tempfile.TemporaryDirectory(prefix="callbroker-demo") as name:
        try:
            with make_stage(os.path.abspath(sys.argv[1]), name) as stage:
                stage.set_up()
                for number, scene in enumerate(scenes, 1):
                    print(f"\n{BOLD}{number}. {scene.__doc__}{PLAIN}", flush=True)
                    scene(stage)
                print(f"\n{BOLD}What the capture proves{PLAIN}")
                prove(stage, stage.capture.wire())
        except (Surprise, TimeoutError, AssertionError, RuntimeError) as surprise:
            print(f"\n{BOLD}This did not go as it should:{PLAIN} {surprise}")
            return 1
        except KeyboardInterrupt:
            return 130
    print(f"\nEvery scene went as it should, in {time.monotonic() - began:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(play(Stage, [shown_with_packets(scene) for scene in SCENES],
                  lambda _, wire: prove(wire)))
