#!/usr/bin/env python3
"""Four apps that were written for iPhones, and one broker between them.

    demo_callkit.py CALLBROKER      the path of the program, beside which the apps are

Speakerbox and Homing Pigeon use CallKit, Town Crier LiveCommunicationKit, MonkeyCall Xamarin's CallKit
in C#. Plays the people at both ends, and shows what the apps print. Each scene is checked by the
broker's events, and at no time do two calls talk. The exit status is 0 if all was as it should be."""
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "plugins" / "sdk" / "python"))

from callbroker import Observer  # noqa: E402

PATIENCE = 60       # seconds for anything that should come
MONKEY = ROOT / "plugins" / "sdk" / "csharp" / "build" / "MonkeyCall.exe"


class Surprise(Exception):
    """A scene that did not go as it should."""


class Calls:
    """The calls as an observer is told of them, by the names of their apps."""

    def __init__(self, path):
        self.news = threading.Condition()
        self.calls = {}
        self.overlaps = []
        self.observer = Observer("demo", socket=path)
        self.observer.on("event")(self.happened)
        self.observer.__enter__()

    def happened(self, event):
        with self.news:
            data = event["data"]
            if event["topic"] in ("call.added", "call.changed"):
                self.calls[data["call"]] = (data["provider"].rsplit(".", 1)[-1], data["state"])
            elif event["topic"] == "call.removed":
                self.calls.pop(data["call"], None)
            talking = [call for call in self.calls.values() if call[1] == "active"]
            if len(talking) > 1:
                self.overlaps.append(talking)
            self.news.notify_all()

    def wait(self, **expected):
        """Waits until these apps have one call each, in these states, and no other app has any."""
        def holds():
            return sorted(self.calls.values()) == sorted((name, state) for name, state in expected.items())
        with self.news:
            if not self.news.wait_for(holds, PATIENCE):
                raise Surprise(f"not {expected}, but {sorted(self.calls.values())}")
        print("   " + ", ".join(f"{name} {state}" for name, state in expected.items()) if expected else "   no calls",
              flush=True)


class Stage:
    def __init__(self, program, folder):
        self.program = program
        self.environment = dict(os.environ, BROKER_SOCKET=f"{folder}/broker.sock", HOME=folder, XDG_CACHE_HOME=folder)
        self.processes = []
        broker = self.start([program, "serve", "--state-dir", f"{folder}/state"], stderr=subprocess.PIPE)
        if not any("listening on" in line for line in broker.stderr):
            raise Surprise("the broker does not listen")
        threading.Thread(target=broker.stderr.read, daemon=True).start()
        self.calls = Calls(self.environment["BROKER_SOCKET"])
        beside = Path(program).resolve().parent
        self.speakerbox = self.app(beside / "Speakerbox")
        self.pigeon = self.app(beside / "HomingPigeon")
        self.crier = self.app(beside / "TownCrier")
        self.monkey = self.app("mono", MONKEY)

    def start(self, command, **streams):
        process = subprocess.Popen([str(word) for word in command], env=self.environment, text=True, bufsize=1, **streams)
        self.processes.append(process)
        return process

    def app(self, *command):
        """Starts an app, and waits until it is ready."""
        process = self.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for line in process.stdout:
            if line.strip() == "ready":
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return process
        raise Surprise(f"{command[-1]} has ended")

    def types(self, app, line):
        print(f"$ {Path(app.args[-1]).stem}: {line}", flush=True)
        app.stdin.write(line + "\n")

    def tool(self, *words):
        print("$ callbroker " + " ".join(f"'{word}'" if "{" in word else word for word in words), flush=True)
        ran = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        if ran.returncode != 0:
            raise Surprise(ran.stdout + ran.stderr)

    def close(self):
        self.calls.observer.close()
        for process in reversed(self.processes):
            process.terminate()
            process.wait(PATIENCE)


def play(stage):
    wait = stage.calls.wait
    print("1. The server of Speakerbox pushes a call, and the user answers it.")
    stage.tool("push", "local.Speakerbox", '{"handle":"+15550101"}')
    wait(Speakerbox="ringing")
    stage.tool("answer")
    wait(Speakerbox="active")
    print("2. Ann calls by Homing Pigeon: the answer holds Speakerbox's call.")
    stage.types(stage.pigeon, "receive ann")
    wait(HomingPigeon="waiting", Speakerbox="active")
    stage.tool("answer")
    wait(HomingPigeon="active", Speakerbox="held")
    print("3. Bob calls by MonkeyCall, and is declined.")
    stage.types(stage.monkey, "ring bob")
    wait(HomingPigeon="active", MonkeyCall="waiting", Speakerbox="held")
    stage.tool("decline")
    wait(HomingPigeon="active", Speakerbox="held")
    print("4. The user calls Cy and Dora by Town Crier: Ann is held for them.")
    stage.types(stage.speakerbox, "gone")
    wait(HomingPigeon="active")
    stage.types(stage.crier, "gather cy dora")
    wait(HomingPigeon="held", TownCrier="active")
    print("5. All leave, and Ann is back.")
    stage.types(stage.crier, "leave")
    wait(HomingPigeon="active")
    stage.types(stage.pigeon, "gone")
    wait()
    print("6. The user calls Emil by MonkeyCall, from outside the app.")
    stage.tool("dial", "monkeycall://emil")
    wait(MonkeyCall="dialing")
    stage.types(stage.monkey, "alert")
    wait(MonkeyCall="connecting")
    stage.types(stage.monkey, "connect")
    wait(MonkeyCall="active")
    stage.tool("end")
    wait()


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    subprocess.run(["make", "-s", "-C", ROOT / "examples" / "monkey-call"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(os.path.abspath(sys.argv[1]), folder)
        try:
            play(stage)
            if stage.calls.overlaps:
                raise Surprise(f"two calls talked at once: {stage.calls.overlaps}")
            print("All as it should be: no two calls talked at once.")
        except Surprise as surprise:
            raise SystemExit(f"demo: {surprise}") from None
        finally:
            stage.close()


if __name__ == "__main__":
    main()
