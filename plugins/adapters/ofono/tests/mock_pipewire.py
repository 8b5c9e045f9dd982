"""A mock of PipeWire's Bluetooth telephony, which Debian 12 does not have: written after the
introspection data and the code of its `spa/plugins/bluez5/telephony.c`, with a simulated modem as
the mobile phone. It has the interfaces that are those of ofono, and those alone."""
import re

from dbus_fast import Variant

from bus_mock import BusMock, MockError
from modem import Modem

NAME, ROOT = "org.pipewire.Telephony", "/org/pipewire/Telephony"
MANAGER, CALLS, CALL = "org.ofono.Manager", "org.ofono.VoiceCallManager", "org.ofono.VoiceCall"
STATES = ("active", "held", "dialing", "alerting", "incoming", "waiting", "disconnected")


class PipeWireMock(Modem):
    """The service with one mobile phone, or none."""

    modem = ROOT + "/ag1"

    def __init__(self, test, address):
        super().__init__(test)
        self.mock, self.known, self.is_connected = BusMock(test, address, NAME), {}, True
        self.mock.methods.update({
            (MANAGER, "GetModems"): ("", "a{oa{sv}}", self.get_modems),
            (CALLS, "GetCalls"): ("", "a{oa{sv}}", self.get_calls),
            (CALLS, "Dial"): ("s", "", self.dial),
            (CALLS, "SendTones"): ("s", "", self.send_tones),
            (CALL, "Answer"): ("", "", lambda path: self.do("A")),
            (CALL, "Hangup"): ("", "", self.hang_up)})
        for member, command in (("SwapCalls", "+CHLD=2"), ("HoldAndAnswer", "+CHLD=2"),
                                ("ReleaseAndAnswer", "+CHLD=1"), ("ReleaseAndSwap", "+CHLD=1"),
                                ("CreateMultiparty", "+CHLD=3"), ("HangupAll", "+CHUP")):
            self.mock.methods[CALLS, member] = (
                "", "", lambda path, command=command: self.do(command))

    # ---- The phone

    def say(self, *lines):
        """Instead of a serial port: what has changed is signaled."""
        self.follow()

    def far_end(self, number, state):
        super().far_end(number, state)
        self.follow()

    def connects(self, is_connected):
        """The phone comes, or goes with its calls."""
        self.is_connected = is_connected
        if is_connected:
            self.mock.emit(ROOT, MANAGER, "ModemAdded", "oa{sv}", self.modem, {})
            return
        self.calls.clear()
        self.follow()
        self.mock.emit(ROOT, MANAGER, "ModemRemoved", "o", self.modem)

    def path(self, line):
        return f"{self.modem}/call{line}"

    @staticmethod
    def properties(call):
        _, state, is_joined, number = call
        return {"LineIdentification": Variant("s", number), "IncomingLine": Variant("s", ""),
                "Name": Variant("s", ""), "Multiparty": Variant("b", is_joined),
                "State": Variant("s", STATES[state])}

    def follow(self):
        """Signals what is different from what was signaled last."""
        with self.lock:
            for line in [line for line in self.known if line not in self.calls]:
                self.known.pop(line)
                self.changed(line, {"State": Variant("s", "disconnected")})
                self.mock.emit(self.modem, CALLS, "CallRemoved", "o", self.path(line))
            for line, call in self.calls.items():
                properties = self.properties(call)
                before = self.known.get(line)
                self.known[line] = properties
                if before is None:
                    self.mock.emit(self.modem, CALLS, "CallAdded", "oa{sv}", self.path(line),
                                   properties)
                else:
                    self.changed(line, {name: value for name, value in properties.items()
                                        if value != before[name]})

    def changed(self, line, properties):
        for name, value in properties.items():
            self.mock.emit(self.path(line), CALL, "PropertyChanged", "sv", name, value)

    # ---- What programs ask for

    def do(self, command):
        """A command of the hands-free profile."""
        with self.lock:
            is_done = self._do("AT" + command)
            self.follow()
        if not is_done:
            raise MockError(NAME + ".Error.Failed", "Method call failed")

    def get_modems(self, path):
        assert path == ROOT, path
        return {self.modem: {}} if self.is_connected else {}

    def get_calls(self, path):
        with self.lock:
            return {self.path(line): self.properties(call) for line, call in self.calls.items()}

    def dial(self, path, number):
        if not re.fullmatch(r"[0-9A-D#*+,]{1,80}", number):
            raise MockError(NAME + ".Error.InvalidFormat", "Invalid phone number or tones")
        self.do("D" + number)

    def send_tones(self, path, tones):
        for tone in tones:
            self.do("+VTS=" + tone)

    def hang_up(self, path):
        line = int(path[len(self.path("")):])
        with self.lock:
            waits = {4: "+CHUP", 5: "+CHLD=0"}
            self.do(waits.get(self.calls[line][1], f"+CHLD=1{line}"))

    def another_program(self, member, call=None):
        """What another program on the bus asks for."""
        if call is None:
            self.mock.methods[CALLS, member][2](self.modem)
        else:
            self.mock.methods[CALL, member][2](self.path(call))
