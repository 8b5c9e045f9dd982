"""The small SIP world of Tests/System/Phones, with the telephone as `make check` builds it."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import NamedTuple

PLUGIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUPPORT = os.path.join(PLUGIN, "..", "..", "..", "Tests", "System", "Phones", "support")
sys.path.insert(0, SUPPORT)

from phonelab import (  # noqa: E402,F401
    CEILING, LINPHONE_ACCOUNT, Baresip, Callee, Caller, Daemon, Program, Registrar, Sound,
    free_ports, has_listener, has_udp_port, reader_of, udp_sockets, wait_until, with_status)
from callbroker import Controller, Observer  # noqa: E402
from wire import Capture  # noqa: E402,F401

PROGRAM = os.path.join(os.environ.get("OUT", os.path.join(PLUGIN, "build")), "checked")
# What the libraries allocate once and never release is theirs.
ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0"}


class Phone(Program):
    """The telephone, about which the sanitizers must have no complaint in the end."""

    def __init__(self, test, folder, name, broker_socket, *options, sound=None, ports=None,
                 config=""):
        first = ports or free_ports(64)
        self.ports, self.user, self.sip = first, name, first
        own = os.path.join(folder, name)
        os.makedirs(own, exist_ok=True)
        if config:
            with open(own + "/linphonerc", "w", encoding="utf-8") as output:
                output.write(config)
            options += ("--config", own + "/linphonerc")
        environment = {**os.environ, **ENVIRONMENT, "HOME": own, "XDG_RUNTIME_DIR": own}
        environment.pop("PULSE_SERVER", None)
        if sound is not None:
            environment["PULSE_SERVER"] = sound.server
        test.addCleanup(self.look, test)
        super().__init__(test, folder, name, [
            PROGRAM, "--identity", "org.example." + name, "--socket", broker_socket, "--verbose",
            "--address", f"127.0.0.1:{first}", "--user", name, "--rtp",
            f"{first + 4}-{first + 63}", "--folder", own + "/state", *options], environment)

    def look(self, test):
        self.stop()
        test.assertNotRegex(self.said(), "Sanitizer|runtime error")
        test.assertIn(self.process.returncode, (0, 1, -9))

    def wait_for_port(self):
        def opened():
            if self.process.poll() is not None:
                raise RuntimeError(self.said()[-2000:])
            return has_udp_port(self.sip)
        wait_until(f"{self.name} does not listen", opened)


def checked(test, program):
    """A program about which the sanitizers must have no complaint in the end."""
    def look():
        program.stop()
        test.assertNotRegex(program.said(), "Sanitizer|runtime error")
        test.assertIn(program.process.returncode, (0, 1, 2, -9))
    test.addCleanup(look)
    return program


class User(Controller, Observer):
    """Sees what happens and says what is to be done."""

    roles = ("controller", "observer")


def is_so(call, members):
    """Whether a call has these members, or is without them and they mean nothing."""
    known = {"video": "off", "has_text": False, "remote_held": False, "supports_pull": False,
             **call}
    return all(known.get(name) == value for name, value in members.items())


class Side:
    """A telephone with a broker and a user of its own, as on another host."""

    def __init__(self, test, folder, name, *options, **members):
        self.name, self.daemon = name, Daemon(test, folder, "broker-" + name)
        self.user = User("user", socket=self.daemon.socket, features=[
            "alerting", "external_calls", "video_request", "audio_endpoints",
            "text"])
        self.events = []
        self.user.on("event")(self.events.append)
        self.user.__enter__()
        test.addCleanup(self.user.__exit__)
        self.phone = Phone(test, folder, name, self.daemon.socket, *options, **members)
        self.phone.wait_for("registered")
        self.phone.wait_for_port()
        self.sip = self.phone.sip
        self.address = f"sip:{name}@127.0.0.1:{self.sip}"
        self.identity = "org.example." + name

    def do(self, verb, *words, **options):
        """What the user wants, done when the telephone has done it."""
        return getattr(self.user, verb)(*words, wait="completed", **options).result(CEILING)

    def dial(self, address, **options):
        """Calls somebody; the call."""
        started = self.do("start", {"type": "generic", "value": address}, provider=self.identity,
                          **options)
        return started["actions"][-1]["call"]

    def call(self, *states, **members):
        """The call that is in one of these states and has these members, when there is one."""
        def found():
            return next((call for call in list(self.user.calls.values())
                         if call["state"] in states
                         and is_so(call, members)), None)
        return wait_until(lambda: f"{self.name} has no call {states} {members}: "
                                  f"{list(self.user.calls.values())}", found)["call"]

    def has(self, call, **members):
        """Waits until the call has these members."""
        wait_until(lambda: f"{self.name}: not {members}: {self.user.calls.get(call)}",
                   lambda: is_so(self.user.calls.get(call, {}), members))

    def over(self, call):
        """The entry of a call in the history, once it has ended."""
        wait_until(f"{self.name}: the call goes on", lambda: call not in self.user.calls)
        return wait_until("no entry", lambda: next(
            (entry for entry in self.user.list_history().result(CEILING)["entries"]
             if entry["call"] == call), None))


class Desk:
    """Another device of the user's, which is in a call with dan. `dialog` is what there is to say
    of its call."""

    def __init__(self, test, folder):
        self.dan = Side(test, folder, "dan", "--sound", "none")
        capture = Capture(test, folder, [self.dan.phone])
        self.callee = Callee(test, folder, "desk-callee", scenario="answering_callee.xml")
        self.call = self.dan.dial(self.callee.address)      # as dan has it
        self.dan.has(self.call, state="active")
        answer = next(each for each in read_messages(capture) if each.what == "200")
        self.dialog = {"call": answer.headers["call-id"],
                       "local": answer.headers["to"].partition("tag=")[2],
                       "remote": answer.headers["from"].partition("tag=")[2],
                       "target": self.dan.address}


def watched_device(port, dialog, scenario="watched_device.xml"):
    """The command of sipp as a device that is watched, and that has this dialog."""
    keys = [word for name, value in dialog.items() for word in ("-key", name, value)]
    return ["sipp", "-sf", os.path.join(PLUGIN, "tests", scenario), "-i", "127.0.0.1", "-p",
            str(port), "-m", "1", "-nostdin", *keys]


def caller_with(test, folder, phone, name, *headers, to="", sender=""):
    """sipp calls with further headers, to another address than that of the telephone if there is
    one, and from another name and address (without its host)."""
    return Caller(test, folder, name, phone, caller_scenario(folder, name, *headers, to=to, sender=sender))


def caller_scenario(folder, name, *headers, to="", sender=""):
    """The file for sipp, the same without them."""
    with open(os.path.join(SUPPORT, "caller.xml"), encoding="utf-8") as source:
        text = source.read()
    text = text.replace("    Contact:", "".join(f"    {each}\n" for each in headers)
                        + "    Contact:", 1)
    if to:
        text = text.replace("To: <sip:[service]@[remote_ip]:[remote_port]>", f"To: <{to}>")
    if sender:
        text = text.replace('"[caller]" <sip:[caller]', sender)
    scenario = os.path.join(folder, name + ".xml")
    with open(scenario, "w", encoding="utf-8") as output:
        output.write(text)
    return scenario


class Message(NamedTuple):
    """A SIP message as it was on the wire."""
    number: int                                 # of its packet
    source: int                                 # the port
    what: str                                   # the method, or the status
    headers: dict                               # the first of each name, in lower case
    media: dict                                 # the direction by kind; None: there is none

    @property
    def method(self):
        """Its own, or that of the request that it answers."""
        return self.headers["cseq"].split()[1]


def read_media(body):
    """The direction of each kind of media in a description."""
    found, kind = {}, None
    for line in body.splitlines():
        if line.startswith("m="):
            kind, port = line[2:].split()[:2]
            found[kind] = "sendrecv" if port != "0" else None
        elif kind and found[kind] and re.fullmatch("a=(sendrecv|sendonly|recvonly|inactive)", line):
            found[kind] = line[2:]
    return found


def read_messages(capture):
    """The messages of a capture, which is over then; each once, also where it was sent again."""
    capture.finish()
    lines = subprocess.run(
        ["tshark", "-r", capture.file, "-T", "fields", "-e", "frame.number", "-e", "udp.srcport",
         "-e", "udp.payload"], check=True, capture_output=True, text=True).stdout.splitlines()
    messages = {}
    for number, source, payload in (line.split("\t") for line in lines):
        text = bytes.fromhex(payload).decode("latin-1")
        head, _, body = text.partition("\r\n\r\n")
        first, *rest = head.split("\r\n")
        if not re.match(r"SIP/2\.0 \d|[A-Z]+ sip:", first):
            continue                            # sound, or a picture
        headers = {}
        for name, _, value in (line.partition(":") for line in rest):
            headers.setdefault(name.strip().lower(), value.strip())
        what = first.split()[1] if first.startswith("SIP/2.0") else first.split()[0]
        message = Message(int(number), int(source), what, headers, read_media(body))
        messages.setdefault((source, what, headers["call-id"], headers["cseq"]), message)
    return list(messages.values())


class PairTests(unittest.TestCase):
    """Two telephones with a broker each, as on two hosts: linda and dan, and what is on the wire."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.linda, self.dan = (Side(self, self.folder, name, "--sound", "none")
                                for name in ("linda", "dan"))
        self.capture = Capture(self, self.folder, [self.linda.phone, self.dan.phone])

    def talk(self, **options):
        """Linda calls dan, who answers; the call at her side and at his."""
        hers = self.linda.dial(self.dan.address, **options)
        his = self.dan.call("ringing")
        self.dan.do("answer", his)
        self.linda.has(hers, state="active")
        return hers, his
