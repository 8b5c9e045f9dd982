"""A mock of ModemManager, whose package has no voice modem to simulate: written after its
introspection files (test_mocks.py compares them) and the behavior that they describe, with a
simulated modem."""
import re

from dbus_fast import Variant

from bus_mock import BusMock, MockError
from modem import ACTIVE, ALERTING, DIALING, HELD, INCOMING, WAITING, Modem

NAME, ROOT = "org.freedesktop.ModemManager1", "/org/freedesktop/ModemManager1"
MODEM, GSM, VOICE, CALL = (NAME + "." + each for each in (
    "Modem", "Modem.Modem3gpp", "Modem.Voice", "Call"))
OBJECTS, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
CORE = NAME + ".Error.Core."
# MMCallState of a call of the modem, and of one that is not started, and of one that is over
STATES = {DIALING: 1, ALERTING: 2, INCOMING: 3, ACTIVE: 4, HELD: 5, WAITING: 6}
UNKNOWN, TERMINATED = 0, 7
REASONS = {DIALING: 1, INCOMING: 2, WAITING: 2, ACTIVE: 3}      # MMCallStateReason
ENDED, REFUSED_OR_BUSY, ERROR, AUDIO, TRANSFERRED, DEFLECTED = range(4, 10)
DISABLED, REGISTERED = 3, 8                     # MMModemState
IN, OUT = 1, 2                                  # MMCallDirection
WRITTEN = {"State": "i", "StateReason": "i", "Direction": "i", "Number": "s", "Multiparty": "b",
           "AudioPort": "s"}
INTERFACES = (MODEM, VOICE, CALL)               # that have methods here


class ModemManagerMock(Modem):
    """The service with one modem.

    Attributes:
        reason: why calls that end from now on are over.
        objects: the properties of the calls, by path, until somebody deletes them.
    """

    modem = ROOT + "/Modem/0"

    def __init__(self, test, address, state=REGISTERED, plugin="generic"):
        super().__init__(test)
        self.reason, self.objects, self.lines, self.numbers = ENDED, {}, {}, 0
        self.call_waiting = None                # whether it is on; None if the modem cannot tell
        self.about = {
            MODEM: {"State": Variant("i", state), "Model": Variant("s", "Simulated"),
                    "Plugin": Variant("s", plugin), "OwnNumbers": Variant("as", ["+15550100"])},
            GSM: {"OperatorName": Variant("s", "Testnet"), "RegistrationState": Variant("u", 1)},
            VOICE: {"EmergencyOnly": Variant("b", False)}}
        self.mock = BusMock(test, address, NAME)
        self.mock.methods.update({
            (OBJECTS, "GetManagedObjects"): ("", "a{oa{sa{sv}}}", self.managed),
            (PROPERTIES, "GetAll"): ("s", "a{sv}", self.get_all),
            (MODEM, "Enable"): ("b", "", lambda path, on: self.has_state(
                REGISTERED if on else DISABLED)),
            (VOICE, "ListCalls"): ("", "ao", lambda path: list(self.objects)),
            (VOICE, "CreateCall"): ("a{sv}", "o", self.create),
            (VOICE, "DeleteCall"): ("o", "", self.delete),
            (VOICE, "HoldAndAccept"): ("", "", lambda path: self.do("+CHLD=2")),
            (VOICE, "Transfer"): ("", "", lambda path: self.do("+CHLD=4", TRANSFERRED)),
            (VOICE, "CallWaitingQuery"): ("", "b", self.query_call_waiting),
            (VOICE, "CallWaitingSetup"): ("b", "", self.set_call_waiting),
            (CALL, "Start"): ("", "", self.start),
            (CALL, "Accept"): ("", "", lambda path: self.do("A")),
            (CALL, "Hangup"): ("", "", self.hang_up),
            (CALL, "SendDtmf"): ("s", "", self.send_dtmf),
            (CALL, "Deflect"): ("s", "", self.deflect),
            (CALL, "JoinMultiparty"): ("", "", self.join),
            (CALL, "LeaveMultiparty"): ("", "", lambda path: self.do(f"+CHLD=2{self.line(path)}"))})

    # ---- The modem

    def say(self, *lines):
        """Instead of a serial port: what has changed is signaled."""
        self.follow()

    def far_end(self, number, state, reason=ENDED):
        self.reason = reason
        super().far_end(number, state)
        self.follow()
        self.reason = ENDED

    def has_state(self, state):
        """The modem is switched on or off, and says so."""
        old = self.about[MODEM]["State"].value
        self.changes(MODEM, State=Variant("i", state))
        self.mock.emit(self.modem, MODEM, "StateChanged", "iiu", old, state, 1)

    def changes(self, interface, **properties):
        """Properties of the modem are others."""
        self.about[interface].update(properties)
        self.mock.emit(self.modem, PROPERTIES, "PropertiesChanged", "sa{sv}as", interface,
                       properties, [])

    def line(self, path):
        return next(line for line, each in self.lines.items() if each == path)

    def path(self, number):
        """The object of a call that goes on, by the number of its far end."""
        return next(self.lines[line] for line, call in self.calls.items() if call[3] == number)

    def add_object(self, direction, number, state=UNKNOWN):
        path = f"{ROOT}/Call/{self.numbers}"
        self.numbers += 1
        self.objects[path] = {"State": state, "StateReason": 0, "Direction": direction,
                              "Number": number, "Multiparty": False, "AudioPort": ""}
        self.mock.emit(self.modem, PROPERTIES, "PropertiesChanged", "sa{sv}as", VOICE, {
            "Calls": Variant("ao", list(self.objects))}, [])
        self.mock.emit(self.modem, VOICE, "CallAdded", "o", path)
        return path

    def follow(self):
        """Signals what is different from what was signaled last."""
        with self.lock:
            for line in [line for line in self.lines if line not in self.calls]:
                self.becomes(self.lines.pop(line), TERMINATED, self.reason)
            for line, (is_incoming, state, is_joined, number) in self.calls.items():
                if line not in self.lines:
                    self.lines[line] = self.add_object(IN if is_incoming else OUT, number,
                                                       STATES[state])
                path = self.lines[line]
                self.becomes(path, STATES[state], REASONS.get(state, 0))
                self.set_properties(path, Multiparty=is_joined, Number=number)

    def becomes(self, path, state, reason):
        old = self.objects[path]["State"]
        if old != state:
            self.set_properties(path, State=state, StateReason=reason)
            self.mock.emit(path, CALL, "StateChanged", "iiu", old, state, reason)

    def set_properties(self, path, **values):
        changed = {name: value for name, value in values.items()
                   if self.objects[path][name] != value}
        self.objects[path].update(changed)
        if changed:
            self.mock.emit(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", CALL,
                           written(changed), [])

    # ---- What programs ask for

    def do(self, command, reason=ENDED):
        """A command of the modem; `reason` is why it ends calls."""
        with self.lock:
            self.reason = reason
            is_done = self._do("AT" + command)
            self.follow()
            self.reason = ENDED
        if not is_done:
            raise MockError(CORE + "Failed", "the modem says ERROR")

    def managed(self, path):
        assert path == ROOT, path
        is_on = self.about[MODEM]["State"].value >= REGISTERED
        return {self.modem: {name: each for name, each in self.about.items()
                             if is_on or name == MODEM}}

    def get_all(self, path, interface):
        with self.lock:
            if path in self.objects and interface == CALL:
                return written(self.objects[path])
            if path == self.modem and interface in self.about:
                return self.about[interface]
        raise MockError("org.freedesktop.DBus.Error.UnknownObject", "there is none")

    def create(self, path, properties):
        number = properties["number"].value
        if not re.fullmatch(r"\+?[0-9*#]+", number):
            raise MockError(CORE + "InvalidArgs", "the number is none")
        with self.lock:
            return self.add_object(OUT, number)

    def start(self, path):
        with self.lock:
            number = self.objects[path]["Number"]
            before = set(self.calls)
            is_done = self._do("ATD" + number)
            if is_done:
                (line,) = set(self.calls) - before
                self.lines[line] = path
            else:
                self.becomes(path, TERMINATED, REFUSED_OR_BUSY)
            self.follow()
        if not is_done:
            raise MockError(NAME + ".Error.Connection.Busy", "busy")

    def delete(self, path, call):
        with self.lock:
            if call not in self.objects:
                raise MockError(CORE + "NotFound", "there is no such call")
            del self.objects[call]
            self.mock.emit(self.modem, VOICE, "CallDeleted", "o", call)

    def hang_up(self, path):
        with self.lock:
            line = self.line(path)
            rings = {INCOMING: "+CHUP", WAITING: "+CHLD=0"}
            self.do(rings.get(self.calls[line][1], f"+CHLD=1{line}"))

    def send_dtmf(self, path, tone):
        if not re.fullmatch("[0-9A-D*#]", tone):
            raise MockError(CORE + "InvalidArgs", "one tone at a time")
        self.do("+VTS=" + tone)

    def deflect(self, path, number):
        if not re.fullmatch(r"\+[0-9]+", number):
            raise MockError(CORE + "InvalidArgs", "the number is none")
        self.do(f"+CTFR={number[1:]},145", DEFLECTED)

    def join(self, path):
        with self.lock:
            if self.calls[self.line(path)][1] != HELD:
                raise MockError(CORE + "WrongState", "the call is not held")
            self.do("+CHLD=3")

    def query_call_waiting(self, path):
        if self.call_waiting is None:
            raise MockError(CORE + "Unsupported", "the modem cannot query call waiting")
        return self.call_waiting

    def set_call_waiting(self, path, is_on):
        self.call_waiting = is_on

    def another_program(self, member, call=None):
        """What another program on the bus asks for, in ofono's words."""
        if call is None:
            self.do({"SwapCalls": "+CHLD=2", "HoldAndAnswer": "+CHLD=2",
                     "CreateMultiparty": "+CHLD=3"}[member])
        else:
            member = {"Answer": "Accept"}.get(member, member)
            self.mock.methods[CALL, member][2](self.lines[call])


def written(properties):
    """Properties of a call with their types."""
    return {name: Variant(WRITTEN[name], value) for name, value in properties.items()}
