"""Apps that are no plugins and that a call starts: by a real session bus, and by desktop files."""
import json
import os
import shutil
import sys
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
sys.path[:0] = [SDK, os.path.join(SDK, "tests")]

from callbroker import Admin, BrokerError  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

IDENTITY = "org.example.phone"
PYTHON = "/usr/bin/python3"

# The app: owns its name on the bus if it has one, answers each method call, and places calls.
APP = """\
import json, os, sys, threading
sys.path.insert(0, {sdk!r})
from callbroker import Provider

def own(name):
    from jeepney import HeaderFields, MessageType, new_method_return
    from jeepney.bus_messages import message_bus
    from jeepney.io.blocking import open_dbus_connection
    bus = open_dbus_connection(bus="SESSION")
    bus.send_and_get_reply(message_bus.RequestName(name))
    def answer():
        while True:
            message = bus.receive()
            if message.header.message_type is MessageType.method_call:
                note(method=message.header.fields.get(HeaderFields.member))
                bus.send(new_method_return(message))
    threading.Thread(target=answer, daemon=True).start()

def note(**members):
    with open({notes!r}, "a", encoding="utf-8") as file:
        file.write(json.dumps(members) + "\\n")

note(pid=os.getpid(), session=os.getsid(0), arguments=sys.argv[1:], folder=os.getcwd())
start_by = json.loads(sys.argv[1])
if "dbus" in start_by or "own" in sys.argv:
    own("org.example.Phone")
app = Provider({identity!r}, "Phone", handle_types=["phone"], url_schemes=["tel"], start_by=start_by,
               push_types=["voip"])

@app.on_push
async def push(kind, payload):
    await app.report_incoming(payload["call"], {{"type": "phone", "value": payload["from"]}})

@app.on_action("start")
def start(action):
    note(dialed=action.arguments["remote"]["value"])

with app:
    note(ready=True)
    threading.Event().wait()
"""


class StartByTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.notes = os.path.join(self.folder, "notes")
        self.program = self.write("my app/phone.py", APP.format(
            sdk=SDK, notes=self.notes, identity=IDENTITY))
        self.addCleanup(self.end_app)
        # The same for the bus, the broker, and what they start.
        variables = {
            "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder,
            "XDG_DATA_HOME": os.path.join(self.folder, "data"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.folder}/bus",
            "BROKER_SOCKET": os.path.join(self.folder, "broker.sock")}
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)
        bus = Program(self, self.folder, "bus", [
            "dbus-daemon", "--session", "--nofork", "--print-address",
            "--address", variables["DBUS_SESSION_BUS_ADDRESS"]])
        bus.wait_for("unix:path=")
        self.broker = RealBroker("--log-level", "info")
        self.addCleanup(lambda: self.broker.close())
        os.symlink(self.broker.path, variables["BROKER_SOCKET"])
        self.open_user()

    def open_user(self):
        self.user = Admin("user", socket=self.broker.path)
        self.user.__enter__()
        self.addCleanup(self.user.__exit__, None, None, None)

    # -- The files

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def service(self, start_by):
        self.write("data/dbus-1/services/org.example.Phone.service", "\n".join([
            "[D-BUS Service]", "Name=org.example.Phone",
            f"Exec={PYTHON} '{self.program}' '{json.dumps(start_by)}' own", ""]))

    def desktop(self, *lines, name="org.example.Phone.desktop"):
        self.write(f"data/applications/{name}", "\n".join([
            "[Desktop Entry]", "Type=Application", "Name=Phone", *lines, ""]))

    # -- The app

    def noted(self, member):
        if not os.path.exists(self.notes):
            return []
        with open(self.notes, encoding="utf-8") as file:
            return [note for note in map(json.loads, file) if member in note]

    def is_running(self, pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def end_app(self):
        for note in self.noted("pid"):
            if self.is_running(note["pid"]):
                os.kill(note["pid"], 9)

    def list(self):
        return self.user.request("provider.list", {}).result(CEILING)

    def register_once(self, start_by):
        """The app runs, says how it is started, and ends."""
        app = Program(self, self.folder, "first", [PYTHON, self.program, json.dumps(start_by)])
        wait_until(app.said, lambda: self.noted("ready"))
        app.stop()
        wait_until("the app has left", lambda: not self.list()["providers"])
        self.assertEqual([each["start_by"] for each in self.list()["startable"]], [start_by])
        os.remove(self.notes)

    def dial(self):
        return self.user.request("call.dial", {
            "uri": "tel:+15550123", "wait": "completed"}).result(CEILING)

    def assert_dialed(self):
        self.assertEqual(self.dial()["state"], "completed")
        self.assertEqual([note["dialed"] for note in self.noted("dialed")], ["+15550123"])

    def assert_not_dialed(self, words):
        with self.assertRaises(BrokerError) as caught:
            self.dial()
        self.assertEqual(caught.exception.reason, "provider_gone")
        self.assertEqual(self.noted("pid"), [])
        # Another thread of the broker writes its log.
        wait_until(self.log, lambda: f"cannot start {IDENTITY}: {words}" in self.log())

    def log(self):
        with open(os.path.join(self.broker.folder, "log"), encoding="utf-8") as log:
            return log.read()

    # -- Tests

    def test_the_session_bus_starts_the_app(self):
        start_by = {"dbus": "org.example.Phone"}
        self.service(start_by)
        self.register_once(start_by)
        self.assert_dialed()

    def test_a_push_starts_the_app_which_rings(self):
        start_by = {"dbus": "org.example.Phone"}
        self.service(start_by)
        self.register_once(start_by)
        call = "7b0c7c52-6a3e-4c1f-9f4b-0d3a5e1c2b01"
        reply = self.user.deliver_push(
            IDENTITY, {"call": call, "from": "+15550123"}, wait="completed").result(CEILING)
        self.assertTrue(reply["reported_call"])
        self.assertEqual(len(self.noted("pid")), 1)
        self.assertEqual(self.user.request("call.get", {"call": call}).result(CEILING)["state"],
                         "ringing")

    def test_a_desktop_file_starts_it_by_its_command_line(self):
        start_by = {"desktop": "org.example.Phone.desktop"}
        words = json.dumps(start_by).replace('"', '\\\\"')
        self.desktop(f'Exec={PYTHON} "{self.program}" "{words}" %U a%%b "$HOME; exit" %i --from=%c',
                     f"Path={self.folder}")
        self.register_once(start_by)
        self.assert_dialed()
        app = self.noted("pid")[0]
        self.assertEqual(app["arguments"][1:], ["a%b", "$HOME; exit", "--from=Phone"])
        self.assertEqual(app["folder"], self.folder)
        self.assertEqual(app["session"], app["pid"])
        # It is no part of the broker, and lives on without it.
        self.broker.kill()
        self.assertTrue(self.is_running(app["pid"]))
        self.broker.start()

    def test_a_desktop_file_can_leave_it_to_the_bus(self):
        start_by = {"desktop": "org.example.Phone.desktop"}
        self.service(start_by)
        self.desktop("DBusActivatable=true", "Exec=false")
        self.register_once(start_by)
        self.assert_dialed()
        wait_until(lambda: self.noted("method"), lambda: {"method": "Activate"} in self.noted("method"))

    def test_the_broker_remembers_it_over_its_own_end(self):
        start_by = {"dbus": "org.example.Phone"}
        self.service(start_by)
        self.register_once(start_by)
        self.broker.kill()
        os.remove(self.broker.path)
        self.broker.start()
        self.open_user()
        self.assert_dialed()

    def test_a_dry_run_starts_nothing(self):
        start_by = {"dbus": "org.example.Phone"}
        self.service(start_by)
        self.register_once(start_by)
        plan = self.user.request("call.dial", {"uri": "tel:+15550123", "dry_run": True})
        self.assertEqual(plan.result(CEILING)["would_start"], [IDENTITY])
        self.assertEqual(self.noted("pid"), [])

    def test_a_name_that_the_bus_does_not_know_fails_the_call(self):
        self.register_once({"dbus": "org.example.Phone"})
        self.assert_not_dialed("the session bus has no service for its name")

    def test_a_desktop_file_that_is_gone_fails_the_call(self):
        self.register_once({"desktop": "org.example.Phone.desktop"})
        self.assert_not_dialed("there is no desktop file with its id")

    def test_a_desktop_file_without_a_program_fails_the_call(self):
        self.register_once({"desktop": "org.example.Phone.desktop"})
        for lines in (["Exec=/nowhere/phone"], ["Exec=phone", "Terminal=true"], ["Name=a"],
                      [f"Exec={PYTHON}", "TryExec=/nowhere/phone"]):
            with self.subTest(lines=lines):
                self.desktop(*lines)
                self.assert_not_dialed("its desktop file names no program")

    def test_a_hidden_file_hides_those_of_the_host(self):
        self.register_once({"desktop": "org.example.Phone.desktop"})
        self.desktop("Exec=true", "Hidden=true")
        self.assert_not_dialed("there is no desktop file with its id")


if __name__ == "__main__":
    unittest.main()
