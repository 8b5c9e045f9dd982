"""The real GNOME Calls, with its own dummy in the place of a network: it takes what is dialed, and rings at
SIGUSR1. Nothing else of the desktop is there."""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
ROOT = os.path.abspath(os.path.join(PLUGIN, "..", "..", ".."))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from callbroker import Controller, InvalidState, Observer, Provider, new_id, phone  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "gnome_calls_provider.py")
BUS = os.path.join(ROOT, "plugins", "screens", "dialers", "own-bus.conf")
IDENTITY = "org.callbroker.gnome-calls"
CALLER = "0987654321"                           # of the dummy


class User(Controller, Observer):
    """The user at a screen."""

    roles = ("controller", "observer")


class GnomeCallsTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)
        self.user = self.entered(User("user", socket=self.broker.path, topics=["*"]))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "BROKER_SOCKET": self.broker.path, "LANG": "C.UTF-8", "NO_AT_BRIDGE": "1",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + os.path.join(self.folder, "bus"),
            "GSETTINGS_BACKEND": "memory"}
        self.program("dbus", "dbus-daemon", "--config-file=" + BUS, "--nofork", "--print-address=1",
                     "--address=" + self.environment["DBUS_SESSION_BUS_ADDRESS"]).wait_for("unix:")
        self.start_screen()

    def entered(self, client):
        client.__enter__()
        self.addCleanup(client.__exit__, None, None, None)
        return client

    def program(self, name, *arguments):
        return Program(self, self.folder, name, arguments, self.environment)

    def start_screen(self):
        screen = self.program("xvfb", "Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24",
                              "-noreset", "-nolisten", "tcp")
        self.environment["DISPLAY"] = ":" + wait_until(
            "a display", lambda: re.findall(r"^(\d+)\n", screen.said(), re.MULTILINE))[0]

    def start(self, *arguments):
        """GNOME Calls and the program, attached."""
        self.calls = self.program("calls", "gnome-calls", "-p", "dummy")
        subprocess.run(["gdbus", "wait", "--session", f"--timeout={CEILING:.0f}", "org.gnome.Calls"],
                       env=self.environment, check=True)
        self.adapter = self.program("adapter", PROGRAM, "--verbose", *arguments)
        wait_until("the provider", lambda: IDENTITY in self.providers())

    def providers(self):
        return {each["provider"]: each
                for each in self.user.list_providers().result(CEILING)["providers"]}

    def mine(self):
        """The calls of GNOME Calls that last."""
        return [call for call in list(self.user.calls.values())
                if call["provider"] == IDENTITY and call["state"] != "ended"]

    def wait_for(self, *states):
        """The calls of GNOME Calls, once they have these states."""
        wait_until(lambda: f"{states}: {self.mine()}", lambda: tuple(
            call["state"] for call in self.mine()) == states)
        return self.mine()

    def rings(self):
        # The program has its handler once it is on the bus, as it was when the adapter attached.
        self.calls.process.send_signal(signal.SIGUSR1)
        return self.wait_for("ringing")[0]

    def test_a_call_rings_is_answered_and_ended_by_the_broker(self):
        self.start("--modem")
        call = self.rings()
        self.assertEqual(call["remote"], {"type": "phone", "value": CALLER})
        self.user.answer(call["call"], wait="completed").result(CEILING)
        active, = self.wait_for("active")
        self.assertEqual((active["supports_holding"], sorted(active["allowed"])),
                         (False, ["end", "mute", "play_dtmf"]))
        self.user.play_dtmf(call["call"], "1#", wait="completed").result(CEILING)
        self.user.end(call["call"], wait="completed").result(CEILING)
        self.wait_for()
        self.assertEqual(self.user.list_history().result(CEILING)["entries"][0]["end_reason"],
                         "local_ended")

    def test_one_that_is_declined(self):
        self.start("--modem")
        call = self.rings()
        self.user.end(call["call"], wait="completed").result(CEILING)
        self.wait_for()
        self.assertEqual(self.user.list_history().result(CEILING)["entries"][0]["end_reason"],
                         "declined")

    def test_the_broker_dials(self):
        self.start("--modem")
        call = new_id()
        self.user.start(phone("+15550102"), call=call, provider=IDENTITY,
                        wait="completed").result(CEILING)
        self.assertEqual(self.wait_for("active")[0]["call"], call)

    def test_what_the_user_dials_in_the_app_waits_for_nobody_and_is_listed(self):
        self.start("--modem")
        subprocess.run(["gnome-calls", "--dial", "+15550103"], env=self.environment, check=True,
                       timeout=CEILING, capture_output=True)
        self.assertEqual(self.wait_for("active")[0]["remote"]["value"], "+15550103")

    def test_it_cannot_be_held_for_another(self):
        self.start("--modem")
        call = self.rings()
        self.user.answer(call["call"], wait="completed").result(CEILING)
        desk = Provider("org.example.desk", "Desk", handle_types=["phone"], socket=self.broker.path)
        desk.on_answer(lambda action: None)
        self.entered(desk)
        other = new_id()
        desk.report_incoming(other, phone("+15550101")).result(CEILING)
        with self.assertRaises(InvalidState) as refused:
            self.user.answer(other, wait="completed").result(CEILING)
        self.assertEqual(refused.exception.reason, "cannot_hold")
        self.user.answer(other, "end_and_answer", wait="completed").result(CEILING)
        self.wait_for()

    def test_calls_of_a_modem_are_left_to_others_if_nobody_says_otherwise(self):
        self.start()
        self.assertEqual(self.providers()[IDENTITY]["url_schemes"], ["sip"])
        self.calls.process.send_signal(signal.SIGUSR1)
        subprocess.run(["gnome-calls", "--dial", "+15550103"], env=self.environment, check=True,
                       timeout=CEILING, capture_output=True)
        self.adapter.stop()                     # it has seen both, and reported none
        self.assertEqual(self.mine(), [])

    def test_a_restarted_adapter_finds_the_call_and_the_app_may_go(self):
        self.start("--modem")
        call = self.rings()
        self.user.answer(call["call"], wait="completed").result(CEILING)
        self.adapter.stop(signal.SIGKILL)
        wait_until("its end is noticed", lambda: not self.mine()[0]["provider_connected"])
        self.adapter = self.program("again", PROGRAM, "--verbose", "--modem")
        wait_until("it is back", lambda: self.mine() and self.mine()[0]["provider_connected"])
        self.assertEqual([(each["call"], each["state"]) for each in self.mine()],
                         [(call["call"], "active")])
        self.calls.stop(signal.SIGKILL)
        wait_until("the provider is gone", lambda: IDENTITY not in self.providers())
        self.calls = self.program("anew", "gnome-calls", "-p", "dummy")
        wait_until("the provider is back", lambda: IDENTITY in self.providers())

    def test_it_says_once_what_it_waits_for(self):
        adapter = self.program("adapter", PROGRAM, "--modem")
        adapter.wait_for("start it, or let it start with the session: gnome-calls --daemon")
        self.calls = self.program("calls", "gnome-calls", "-p", "dummy")
        wait_until("the provider", lambda: IDENTITY in self.providers())
        self.assertEqual(adapter.said().count("waiting for GNOME Calls"), 1)


if __name__ == "__main__":
    unittest.main()
