"""A cellular modem that speaks AT commands over TCP, for ofonod's driver "phonesim": calls without
a network. The test plays the far ends."""
import contextlib
import os
import re
import socket
import socketserver
import subprocess
import threading

from phonelab import ADAPTERS, Program, is_listening, wait_until

ACTIVE, HELD, DIALING, ALERTING, INCOMING, WAITING = range(6)   # as in +CLCC
RING_SECONDS = 1.0                              # between two rings; a network's are 5 apart
ANSWERS = {"AT+CGMI": "Nobody", "AT+CGMM": "Simulated", "AT+CGMR": "1",
           "AT+CGSN": "490154203237518", "AT+CHLD=?": "+CHLD: (0,1,1x,2,2x,3,4)", "AT+VTD?": "1"}

SIM = {                                         # of a modem with a card, at a network
    "AT+SIMSTATE?": "+SIMSTATE: 1", "AT+CPIN?": "+CPIN: READY", "AT+CIMI": "001010123456789",
    "AT+CREG=?": "+CREG: (0-2)", "AT+CREG?": '+CREG: 2,1,"0001","0001"', "AT+CSQ": "+CSQ: 20,99",
    "AT+COPS?": '+COPS: 0,2,"00101"',
    # The files of waiting messages: indicator, and the number of the mailbox.
    "AT+CRSM=192,28618": '+CRSM: 144,0,"000000056FCA040000000001020105"',
    "AT+CRSM=178,28618,1,4,5": '+CRSM: 144,0,"0103000000"',
    "AT+CRSM=192,28617": '+CRSM: 144,0,"000000046FC9040000000001020104"',
    "AT+CRSM=178,28617,1,4,4": '+CRSM: 144,0,"01000000"',
    "AT+CRSM=192,28615": '+CRSM: 144,0,"0000000E6FC704000000000102010E"',
    "AT+CRSM=178,28615,1,4,14": '+CRSM: 144,0,"059151551099FFFFFFFFFFFFFFFF"'}

ERASED = ("", 0)                                # a forwarding that is off: number, seconds

BUS = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
"""


class Modem:
    """`calls` are its calls by number of the line: [is incoming, state, is in conference, number].
    `story` is what it was asked to do to them."""

    def __init__(self, test, sim=None):
        self.answers = {**ANSWERS, **(sim or {})}
        self.calls, self.story, self.refused = {}, [], set()
        self.dialed = DIALING                   # the state of a call that it has dialed
        self.forwarding = dict.fromkeys(range(4), ERASED)  # by reason: always, busy, no reply, away
        self.call_waiting, self.hides_number = True, 0      # 0 as the network likes, 1 hidden, 2 not
        self.lock = threading.RLock()
        self.output, self.is_over = None, threading.Event()
        modem = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                modem.output = self.wfile
                buffer = b""
                with contextlib.suppress(ConnectionError):      # ofonod was killed
                    while piece := self.request.recv(4096):
                        *commands, buffer = re.split(rb"[\r\n]+", buffer + piece)
                        for command in filter(None, commands):
                            modem.take(command.decode())

        socketserver.ThreadingTCPServer.allow_reuse_address = True
        socketserver.ThreadingTCPServer.daemon_threads = True
        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)
        test.addCleanup(self.is_over.set)

    def say(self, *lines):
        try:
            self.output.write("".join(f"\r\n{line}\r\n" for line in lines).encode())
        except (OSError, ValueError):
            pass                                # ofonod has gone

    # ---- What ofonod asks for

    def take(self, command):
        with self.lock:
            if command == "AT+CLCC":
                self.say(*[f'+CLCC: {line},{int(incoming)},{state},0,{int(joined)},"{number}",145'
                           for line, (incoming, state, joined, number)
                           in sorted(self.calls.items())], "OK")
                return
            if command in self.answers:
                self.say(self.answers[command], "OK")
                return
            if command.startswith("AT+COPS=3,"):        # the form of the operator's name
                name = "00101" if command.endswith("2") else "Testnet"
                self.answers["AT+COPS?"] = f'+COPS: 0,{command[-1]},"{name}"'
            if re.match(r"AT\+(CCFC|CCWA|CLIR)", command):
                self._set_line(command[3:])
                return
            if command.startswith("AT+CRSM="):
                self.say("+CRSM: 106,130", "OK")    # there is no such file
                return
            done = self._do(command.partition(";")[0])
            self.say("OK" if done else "ERROR")

    def _do(self, command):
        if re.match(r"AT(D\d|D\+|A$|H|\+CHUP|\+CHLD=|\+CTFR=|\+VTS=)", command):
            self.story.append(command[2:])
            if command[2:] in self.refused:
                return False
        if command.startswith("ATD"):
            self._swap(ACTIVE, HELD)
            self.add(False, self.dialed, command[3:])
        elif command == "ATA":
            self._change(INCOMING, ACTIVE)
        elif command in ("ATH", "AT+CHUP"):
            self._end(ACTIVE, DIALING, ALERTING, INCOMING)
        elif command.startswith("AT+CHLD="):
            return self._supplementary(command[8:])
        elif command.startswith("AT+CTFR="):
            self._end(WAITING, INCOMING)        # the network calls somebody else
        return True

    def _set_line(self, command):
        """What the network keeps for the line: 3GPP 27.007, sections 7.7, 7.11 and 7.12."""
        name, *values = re.split(r"[=,]", command.replace('"', ""))
        if ",".join(command.split(",")[:2]) in self.refused:
            self.say("ERROR")
        elif name == "CCFC" and values[1] == "2":
            number, seconds = self.forwarding[int(values[0])]
            time = f",,,{seconds}" if seconds else ""
            self.say(f'+CCFC: 1,1,"{number}",145{time}' if number else "+CCFC: 0,7", "OK")
        elif name == "CCFC":
            self.story.append(command)
            is_on = values[1] in ("1", "3")
            seconds = int(values[7]) if len(values) > 7 else 0
            self.forwarding[int(values[0])] = (values[2], seconds) if is_on else ERASED
            self.say("OK")
        elif name == "CCWA" and values[1:2] == ["2"]:
            self.say(f"+CCWA: {int(self.call_waiting)},1", "OK")
        elif name == "CCWA":
            if len(values) > 1:                 # else it is about announcing them
                self.story.append(command)
                self.call_waiting = values[1] == "1"
            self.say("OK")
        elif name == "CLIR?":
            self.say(f"+CLIR: {self.hides_number},4", "OK")
        else:
            self.story.append(command)
            self.hides_number = int(values[0])
            self.say("OK")

    def _supplementary(self, what):
        """GSM 02.30, section 4.5.5.1."""
        line = int(what[1:] or 0)
        if what == "0":
            waits = any(call[1] in (WAITING, INCOMING) for call in self.calls.values())
            self._end(*((WAITING, INCOMING) if waits else (HELD,)))
        elif what == "1":
            self._end(ACTIVE)
            self._change(WAITING, ACTIVE) or self._change(HELD, ACTIVE)
        elif what[0] == "1":
            self.calls.pop(line, None)
        elif what == "2":
            if any(call[1] == WAITING for call in self.calls.values()):
                if {ACTIVE, HELD} <= {call[1] for call in self.calls.values()}:
                    return False                # there is room for one on hold
                self._change(ACTIVE, HELD)
                self._change(WAITING, ACTIVE)
            else:
                self._swap(ACTIVE, HELD)
        elif what[0] == "2":
            for number, call in self.calls.items():
                call[1:3] = [ACTIVE if number == line else HELD, call[2] and number != line]
        elif what == "4":
            if sorted(call[1] for call in self.calls.values()) != [ACTIVE, HELD]:
                return False                    # one of each is joined with the other
            self.calls.clear()
        elif what == "3":
            for call in self.calls.values():
                call[1:3] = [ACTIVE, True]
        self._leave()
        return True

    def _change(self, old, new):
        found = [call for call in self.calls.values() if call[1] == old]
        for call in found:
            call[1] = new
        return bool(found)

    def _swap(self, one, other):
        for call in self.calls.values():
            call[1] = {one: other, other: one}.get(call[1], call[1])

    def _end(self, *states):
        self.calls = {line: call for line, call in self.calls.items() if call[1] not in states}
        self._leave()

    def _leave(self):
        """A conference of one is none."""
        for state in (ACTIVE, HELD):
            joined = [call for call in self.calls.values() if call[2] and call[1] == state]
            if len(joined) == 1:
                joined[0][2] = False

    # ---- What the network does

    def registers(self, status):
        """The network takes the modem (1), has not found it yet (2), or refuses it (3)."""
        with self.lock:
            self.answers["AT+CREG?"] = f"+CREG: 2,{status}"
            self.say(f"+CREG: {status}")

    def add(self, incoming, state, number):
        line = next(line for line in range(1, 8) if line not in self.calls)
        self.calls[line] = [incoming, state, False, number]
        return line

    def rings(self, number):
        """Somebody calls."""
        with self.lock:
            if any(call[1] in (ACTIVE, HELD) for call in self.calls.values()):
                self.add(True, WAITING, number)
                self.say(f'+CCWA: "{number}",145,1')
                return
            call = self.calls[self.add(True, INCOMING, number)]
        threading.Thread(target=self._ring, args=(call,), daemon=True).start()

    def _ring(self, call):
        """Again and again, as modems do: a ring that comes while ofonod asks for the maker of the
        modem is taken for a part of the answer, and is lost."""
        while not self.is_over.is_set():
            with self.lock:
                if call[1] != INCOMING or call not in self.calls.values():
                    return
                self.say("+CRING: VOICE", f'+CLIP: "{call[3]}",145')
            self.is_over.wait(RING_SECONDS)

    def far_end(self, number, state):
        """The far end rings (ALERTING), answers (ACTIVE), or is gone (None)."""
        with self.lock:
            line = next(line for line, call in self.calls.items() if call[3] == number)
            if state is not None:
                self.calls[line][1] = state
                return
            del self.calls[line]
            self._leave()
            self.say("NO CARRIER")

    def states(self):
        """By number."""
        with self.lock:
            return {call[3]: call[1] for call in self.calls.values()}


class Bus:
    """A bus of its own, in the place of the system's or of a session's."""

    def __init__(self, test, folder, name="bus"):
        path = os.path.join(folder, name)
        self.address = "unix:path=" + path
        with open(path + ".conf", "w", encoding="utf-8") as file:
            file.write(BUS.format(path=path))
        self.program = Program(test, folder, name + "-daemon", [
            "dbus-daemon", "--nofork", f"--config-file={path}.conf"])
        wait_until("there is no bus", is_listening, path)


class Ofono:
    """An ofonod on a bus of its own, with a modem, and with others by their names."""

    def __init__(self, test, folder, modem, **others):
        self.test, self.folder, self.modem = test, folder, modem
        self.address = Bus(test, folder).address
        with open(os.path.join(folder, "phonesim.conf"), "w", encoding="utf-8") as file:
            for name, each in {"phonesim": modem, **others}.items():
                file.write(f"[{name}]\nAddress=127.0.0.1\nPort={each.port}\n")
        self.user = "modem"
        self.start()

    def start(self):
        self.program = Program(
            self.test, self.folder, "ofonod", ["ofonod", "-n", "-d"], environment={
                **os.environ, "DBUS_SYSTEM_BUS_ADDRESS": self.address,
                "OFONO_PHONESIM_CONFIG": os.path.join(self.folder, "phonesim.conf")})
        self.program.wait_for("oFono version")

    def kill(self):
        self.program.kill()

    def method(self, member, *arguments, path="/phonesim", interface="VoiceCallManager"):
        """What another program on the bus does, such as a telephone's own screen; the reply."""
        return subprocess.run(
            ["dbus-send", "--bus=" + self.address, "--print-reply", "--dest=org.ofono", path,
             f"org.ofono.{interface}.{member}", *arguments],
            check=True, capture_output=True, text=True).stdout


def ofono_provider(test, folder, bus, broker_socket, identity, *options, **environment):
    """plugins/adapters/ofono at a bus, with the interpreter that has its library."""
    return Program(test, folder, identity, [
        "/usr/bin/python3", os.path.join(ADAPTERS, "ofono", "ofono_provider.py"),
        "--bus", bus.address, "--identity", identity, "--socket", broker_socket,
        "--memory", os.path.join(folder, identity + ".json"), "--verbose", *options],
        environment={**os.environ, **environment})
