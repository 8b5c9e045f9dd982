"""Two telephones of different makers under one broker, those who call them, and a user. The broker
is the program CALLBROKER, or .build/debug/callbroker of this repository."""
import json
import shutil
import socket
import tempfile
import threading
import unittest

import phonelab as lab
from callbroker import Controller, Observer
from wire import Capture


class User(Controller, Observer):
    """Sees what happens and says what is to be done."""

    roles = ("controller", "observer")

    def __init__(self, name, **options):
        super().__init__(name, **options)
        self.events = []
        self.on("event")(self.events.append)

    def happened(self, topic, **data):
        """The events of a topic whose data has these members."""
        return [event for event in list(self.events) if event["topic"] == topic
                and {**event.get("data", {}), **data} == event.get("data", {})]

    def state(self, call):
        known = self.calls.get(call)
        return known["state"] if known else "ended"


class World(unittest.TestCase):
    """`ann` is a baresip, `linda` a linphone. Nobody answers by himself."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.daemon = lab.Daemon(self, self.folder)
        self.sound = lab.Sound(self, self.folder)
        self.ann = lab.Baresip(self, self.folder, "ann", **self.baresip_options())
        self.linda = lab.Linphone(self, self.folder, "linda", self.sound, calls=16)
        self.capture = Capture(self, self.folder, [self.ann, self.linda], self.modem_port())
        self.user = User("user", socket=self.daemon.socket, backoff=(0.05, 0.2),
                         features=["alerting"])
        self.user.__enter__()
        self.addCleanup(self.user.__exit__)
        self.adapters = {}
        for phone in (self.ann, self.linda):
            self.attach(phone)

    def baresip_options(self):
        return {}

    def modem_port(self):
        return None

    def attach(self, phone, broker_socket=None):
        """Makes a telephone a provider."""
        make = lab.baresip_provider if phone is self.ann else lab.linphone_provider
        self.adapters[phone] = make(self, self.folder, phone, broker_socket or self.daemon.socket,
                                    self.identity(phone))
        self.adapters[phone].wait_for("attached")

    @staticmethod
    def identity(phone):
        return "org.example." + phone.user

    # ---- What people do

    def called(self, phone, name, scenario="caller.xml"):
        """Somebody calls a telephone: the call's id and the caller, when it rings."""
        caller = lab.Caller(self, self.folder, name, phone, scenario)
        return self.ringing(name, caller), caller

    def ringing(self, name, caller):
        def found():
            if caller.process.poll() is not None:
                raise RuntimeError(f"{name} has given up: {caller.said()[-500:]}")
            return next((call["call"] for call in list(self.user.calls.values())
                         if call.get("display_name") == name
                         and call["state"] in ("ringing", "waiting")), None)
        return lab.wait_until(f"{name} does not ring", found)

    def do(self, verb, *words, **options):
        """What the user wants, done when everybody has done it."""
        return getattr(self.user, verb)(*words, wait="completed", **options).result(lab.CEILING)

    def answered(self, phone, name, scenario="caller.xml"):
        call, caller = self.called(phone, name, scenario)
        self.do("answer", call)
        return call, caller

    def over(self, *callers):
        """Their calls went as they were written."""
        for caller in callers:
            self.assertEqual(caller.wait(), 0, caller.said()[-500:])

    # ---- What can be seen

    def until(self, call, *states):
        """Until the call is in one of these states, and nothing is under way."""
        lab.wait_until(
            lambda: f"the call does not become {states}; it is {self.user.state(call)}",
            lambda: self.user.state(call) in states
            and "pending_action" not in self.user.calls.get(call, {}))

    def states(self, *calls):
        return [self.user.state(call) for call in calls]

    def proven(self, *callers):
        """The wire, after looking that no two calls could be heard at the same moment."""
        wire = self.capture.wire()
        self.assert_one_talks(wire, *callers)
        return wire

    def assert_one_talks(self, wire, *callers):
        """The check that the broker exists for."""
        together = wire.at_once(*callers)
        self.assertEqual(together, [], "two calls could be heard at once: " + "; ".join(
            f"{one}, {other}" for one, other in together)
            + "\n" + "\n".join(wire.story(*callers)))

    def assert_order(self, *facts):
        """Facts are (what, number of its packet); they came in this order."""
        numbers = [number for _, number in facts]
        told = ", ".join(f"{what}: packet {number}" for what, number in facts)
        self.assertNotIn(None, numbers, told)
        self.assertEqual(numbers, sorted(numbers), told)

    def assert_held_before(self, wire, first, second):
        """The first call is on hold, and the far end agrees, before the second is answered."""
        answered = wire.answered(second)
        hold = next(((offer, agreed) for offer, agreed in wire.holds(first)), (None, None))
        self.assert_order((f"a=sendonly to {first}", hold[0]), (f"{first} agrees", hold[1]),
                          (f"{second} is answered", answered))


class WithoutHolds:
    """A way to the broker on which holds get lost: it is told that they are done, and the telephone
    never hears of them. What a check is worth shows when it fails here."""

    def __init__(self, test, folder, broker_socket):
        self.path = folder + "/without-holds.sock"
        self.broker_socket = broker_socket
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        self.sockets = [self.listener]
        test.addCleanup(self.close)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        try:
            while True:
                near = self.listener.accept()[0]
                far = socket.socket(socket.AF_UNIX)
                far.connect(self.broker_socket)
                self.sockets += [near, far]
                for source, target, change in ((near, far, self._nothing),
                                               (far, near, self._hold)):
                    threading.Thread(target=self._pass_on, args=(source, target, change),
                                     daemon=True).start()
        except OSError:
            pass

    @staticmethod
    def _nothing(line, _):
        return line

    @staticmethod
    def _hold(line, broker):
        frame = json.loads(line)
        if frame.get("method") != "provider.perform" or frame["params"]["kind"] != "set_held":
            return line
        broker.sendall(json.dumps({"jsonrpc": "2.0", "id": frame["id"], "result": {}}).encode()
                       + b"\n")
        return b""

    @staticmethod
    def _pass_on(source, target, change):
        try:
            for line in source.makefile("rb"):
                target.sendall(change(line, source))
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        for each in self.sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()
