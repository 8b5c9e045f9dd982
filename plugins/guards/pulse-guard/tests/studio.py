"""A sound server of its own for a test, PulseAudio or PipeWire; the broker; apps with real streams.
Everything is waited for, with a ceiling."""
import array
import asyncio
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import Controller, Provider, new_id, phone  # noqa: E402
from desktop_session import KINDS, DesktopSession  # noqa: E402
from programs import CEILING, start_until, wait_until  # noqa: E402,F401
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "pulse_guard.py")
RATE = 8000
FORM = ["--raw", f"--rate={RATE}", "--channels=1", "--format=s16le", "--latency-msec=50"]
KILLING_PACTL = """\
#!/bin/sh
{pactl} "$@" || exit
case $1 in set-*-mute) [ -e {folder}/killed ] || {{ touch {folder}/killed; kill -9 $PPID; }};; esac
"""
LATE_PACTL = """\
#!/bin/sh
tries=0
case $1 in set-*-mute)
    while [ ! -e {folder}/go ] && [ $tries -lt 2000 ]; do sleep 0.02; tries=$((tries + 1)); done
esac
exec {pactl} "$@"
"""
ONE, TWO = "org.example.one", "org.example.two"


class Studio(DesktopSession):
    """Where apps play and record; `server` is pulseaudio or pipewire."""

    source = "null0.monitor"                    # what apps record

    def __init__(self, test, server, *modules):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.runtime = os.path.join(self.folder, "run")
        os.mkdir(self.runtime, 0o700)
        self.broker = RealBroker()
        test.addCleanup(self.broker.close)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.runtime,
            "BROKER_SOCKET": self.broker.path,
            "PULSE_SERVER": "unix:" + os.path.join(self.runtime, "pulse", "native")}
        self.state = os.path.join(self.folder, "muted.json")
        self.write_tone()
        self.server, self.modules = server, modules
        self.start_server()
        self.user = self.entered(Controller("user", socket=self.broker.path))

    def start_server(self):
        getattr(self, "start_" + self.server)()

    def start_pulseaudio(self):
        os.makedirs(os.path.join(self.runtime, "pulse"), exist_ok=True)
        modules = [f"module-native-protocol-unix socket={self.runtime}/pulse/native "
                   "auth-anonymous=1", "module-null-sink sink_name=null0", *self.modules]
        self.sound = [self.program(
            "sound", "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
            *[word for module in modules for word in ("-L", module)])]
        self.wait_for_sound()

    def stop_server(self):
        for program in reversed(self.sound):
            program.stop()

    # ---- Programs

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def kill_at_first_mute(self):
        """From now on the first to mute is killed before it hears that it is done."""
        self.replace_pactl(KILLING_PACTL)

    def mute_late(self):
        """From now on mutes wait for `let_mute`, or four seconds."""
        self.replace_pactl(LATE_PACTL)

    def let_mute(self):
        with open(os.path.join(self.folder, "bin", "go"), "wb"):
            pass

    def replace_pactl(self, script):
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        with open(os.path.join(folder, "pactl"), "w", encoding="utf-8") as file:
            file.write(script.format(pactl=shutil.which("pactl"), folder=folder))
        os.chmod(file.name, 0o700)
        self.environment["PATH"] = folder + ":" + self.environment["PATH"]

    def start_guard(self, *arguments, apps=(ONE + "=phone-one", TWO + "=phone-two")):
        """The guard, when it follows the calls."""
        named = [word for app in apps for word in ("--app", app)]
        guard = self.program("guard", PROGRAM, "--verbose", "--state", self.state, *named,
                             *arguments)
        guard.wait_for("following")
        return guard

    # ---- Apps

    def write_tone(self, name="tone", hertz=400, amplitude=16000):
        """A minute of a tone for the apps to play."""
        samples = array.array("h", (int(amplitude * math.sin(2 * math.pi * hertz * index / RATE))
                                    for index in range(60 * RATE)))
        with open(os.path.join(self.folder, name), "wb") as file:
            samples.tofile(file)

    def app(self, identity, **members):
        """A provider that does what it is asked, but leaves its streams as they are."""
        provider = Provider(identity, identity, handle_types=["phone"], socket=self.broker.path,
                            **members)
        for kind in ("start", "answer", "end", "set_held"):
            provider.on_action(kind)(lambda action: None)
        return self.entered(provider)

    def deaf_app(self, identity, **members):
        """One that never does what it is asked but answering."""
        provider = self.app(identity, **members)

        @provider.on_set_held
        async def never(action):
            await asyncio.Event().wait()
        return provider

    def playing(self, name, sound="tone", *options):
        """A program of that name that plays."""
        return self.program(name + "-playing", self.copied(name), "--playback", *FORM, *options, sound)

    def copied(self, name):
        """A program that plays or records under that name."""
        program = os.path.join(self.folder, name)
        if not os.path.exists(program):
            shutil.copy(shutil.which("pacat"), program)
        return program

    def streams_of(self, name):
        """A program of that name that plays and records; both streams are there on return."""
        both = [self.playing(name),
                self.program(name + "-recording", self.copied(name), "--record", *FORM,
                             "--device=" + self.source, os.path.join(self.folder, name + ".heard"))]
        self.wait_for_mutes(name, 2)
        return both

    def call(self, provider):
        """An active call of that app; another one that speaks is held."""
        call = new_id()
        provider.report_incoming(call, phone("+15550100")).result(CEILING)
        self.user.answer(call, wait="completed").result(CEILING)
        return call

    # ---- What is muted, and what is heard

    def wait_for_muted(self, name):
        self.wait_for_mutes(name, 2, True)

    def wait_for_unmuted(self, name):
        self.wait_for_mutes(name, 2, False)

    def loudness(self, seconds):
        """Of what is played from now on."""
        recorder = subprocess.Popen(
            ["parec", "--device=null0.monitor", *FORM], env=self.environment, stdout=subprocess.PIPE)
        try:
            recorder.stdout.read(RATE)          # half a second: what was on its way
            return max(map(abs, array.array("h", recorder.stdout.read(int(seconds * RATE) * 2))))
        finally:
            recorder.kill()
            recorder.communicate()
