"""A user's place for a test: session bus, broker, apps, and the program with its keys. Everything is
waited for, with a ceiling."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(PLUGIN, "..", "..", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import Controller, Provider, new_id, phone  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "keys.py")


# It starts nothing by itself: what is on it is what the test wants.
BARE_BUS = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""


class Place:
    """As much of it as the test wants."""

    def __init__(self, test):
        self.test = test
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        test.addCleanup(self.broker.close)
        self.user = self.entered(Controller("user", socket=self.broker.path))
        self.performed = []
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "BROKER_SOCKET": self.broker.path, "LC_MESSAGES": "C"}

    def entered(self, client):
        client.__enter__()
        self.test.addCleanup(client.__exit__, None, None, None)
        return client

    def program(self, name, *arguments, **options):
        return Program(self.test, self.folder, name, arguments, self.environment, **options)

    def output(self, *arguments):
        return subprocess.run(arguments, env=self.environment, check=True, text=True,
                              timeout=CEILING, stdout=subprocess.PIPE).stdout

    def start_bus(self):
        config, address = (os.path.join(self.folder, name) for name in ("bus.conf", "session-bus"))
        with open(config, "w", encoding="utf-8") as file:
            file.write(BARE_BUS)
        bus = self.program("bus", "dbus-daemon", "--config-file=" + config, "--nofork",
                           "--print-address", "--address=unix:path=" + address)
        bus.wait_for("unix:path=")
        # The system bus is this one, too: no test asks the machine whether it is locked.
        for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"):
            self.environment[name] = "unix:path=" + address
        return bus

    def start_keys(self, *arguments):
        """The program, when it follows the calls."""
        self.keys = self.program("keys", PROGRAM, "--verbose", *arguments)
        self.keys.wait_for("following")
        return self.keys

    # ---- Calls

    def app(self, identity="org.example.phone", **members):
        provider = Provider(identity, identity, handle_types=["phone"], socket=self.broker.path,
                            **members)
        for kind in ("start", "answer", "end", "set_held", "set_muted"):
            provider.on_action(kind)(
                lambda action: self.performed.append((action.kind, action.call)))
        return self.entered(provider)

    def rings(self, app, number="+15550100", **update):
        call = new_id()
        app.report_incoming(call, phone(number), **update).result(CEILING)
        return call

    def talks(self, app, number="+15550100", **update):
        """A call that was answered, elsewhere than with a key."""
        call = self.rings(app, number, **update)
        self.user.answer(call, wait="completed").result(CEILING)
        return call

    def state(self, call):
        """What the call does; empty once it is over."""
        for each in self.user.list_calls().result(CEILING)["calls"]:
            if each["call"] == call:
                return each
        return {"state": ""}

    def wait_for_state(self, call, state):
        wait_until(lambda: f"{state} of {self.state(call)['state']}: {self.keys.said()[-2000:]}",
                   lambda: self.state(call)["state"] == state)

    def wait_for_mute(self, call, is_muted):
        wait_until(lambda: f"muted {is_muted}: {self.keys.said()[-2000:]}",
                   lambda: self.state(call).get("muted", False) is is_muted)

    def words(self):
        """What the calls were to the program, in order."""
        return re.findall(r"^keys: calls: (\w+)$", self.keys.said(), re.MULTILINE)

    def wait_for_word(self, word, after=0):
        """Until the program knows that the calls are so, now or after so many words."""
        wait_until(lambda: f"calls {word}: {self.keys.said()[-2000:]}",
                   lambda: self.words()[after:][-1:] == [word])

    def presses(self):
        """What the program has acted on, in order."""
        words = "short|long|end|hold|mute|muted|unmuted|silence"
        return re.findall(rf"^keys: ({words})$", self.keys.said(), re.MULTILINE)

    def drops(self):
        """How many presses it has dropped."""
        return len(re.findall(r"^keys: \w+: dropped, ", self.keys.said(), re.MULTILINE))
