"""What went over the wire: a capture of loopback, read by tshark. Every fact has the numbers of its
packets, so that whoever doubts it can look into the file."""
import json
import re
import signal
import socket
import subprocess
import uuid
from typing import NamedTuple, Optional

from phonelab import Program, wait_until

FIELDS = ["frame.number", "frame.time_epoch", "udp.srcport", "udp.dstport", "sip.Call-ID",
          "sip.CSeq", "sip.Method", "sip.Status-Code", "sdp.media_attr", "sdp.media.port",
          "sip.Refer-To", "sipfrag.line", "tcp.dstport", "tcp.payload"]
PORTS = 64                                      # of a telephone: SIP first, then sound


class Packet(NamedTuple):
    """A SIP message."""
    number: int
    at: float
    source: int                                 # its port
    call: str                                   # the Call-ID
    cseq: str
    what: str                                   # the method, or the status
    direction: Optional[str]                    # of the sound; None without a description of it
    media: int                                  # the port for sound in it; 0 if there is none
    party: Optional[str] = None                 # whom a REFER tells to call
    outcome: Optional[str] = None               # of that, in a NOTIFY: `SIP/2.0 486 Busy Here`


class Span(NamedTuple):
    """From which packet to which one a call could be heard in both directions."""
    call: str
    first: int
    last: int

    def __str__(self):
        return f"{self.call.split('-')[0]} from packet {self.first} to {self.last}"


class Capture(Program):
    """Writes down what some telephones send and get, and what a modem is told on a port of TCP."""

    def __init__(self, test, folder, phones, modem_port=None):
        self.modem_port = modem_port
        self.file = folder + "/capture.pcap"
        self.sip_ports = {phone.sip: phone.name for phone in phones}
        condition = " or ".join(f"udp portrange {port}-{port + PORTS - 1}"
                                for port in self.sip_ports)
        if modem_port is not None:
            condition += f" or tcp port {modem_port}"
        super().__init__(test, folder, "tcpdump", [
            "tcpdump", "-i", "lo", "-U", "--immediate-mode", "-w", self.file,
            "-B", "16384", "-s", "4096", condition])    # room for 4,000 packets, not for 64
        try:
            self.wait_for("listening on")
        except AssertionError as error:
            raise AssertionError(f"{error}Run this as root, or let tcpdump capture: sudo setcap "
                                 "cap_net_raw,cap_net_admin+ep $(command -v tcpdump)") from None

    def finish(self):
        """Ends when it has all that was sent until now."""
        self.catch_up()
        self.kill(signal.SIGTERM)

    def wire(self):
        """All that was sent until now, and the capture is over."""
        self.finish()
        lost = re.search(r"(\d+) packets dropped by kernel", self.said())
        if lost is None or lost[1] != "0":
            raise AssertionError("the capture has lost packets, and proves nothing: " + self.said())
        return read(self.file, self.sip_ports, self.modem_port)


    def catch_up(self):
        """Until tcpdump has written all that was sent before: what it has not read when it ends is
        lost, and not counted."""
        mark = uuid.uuid4().bytes
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(mark, ("127.0.0.1", next(iter(self.sip_ports)) + PORTS - 1))
        with open(self.file, "rb") as file:
            wait_until("the capture is behind", lambda: self._has(file, mark))

    @staticmethod
    def _has(file, mark):
        """Whether the mark is in what was written since the last time, which may end within it."""
        at = file.tell()
        if mark in file.read():
            return True
        file.seek(max(at, file.tell() - len(mark)))
        return False


def read(file, sip_ports, modem_port=None):
    """The wire in a file. The ports are those of the telephones, with their names."""
    decode = [word for port in sip_ports for word in ("-d", f"udp.port=={port},sip")]
    out = subprocess.run(
        ["tshark", "-r", file, *decode, "-Y", "udp or tcp.payload", "-T", "json",
         *[word for field in FIELDS for word in ("-e", field)]],
        check=True, capture_output=True, text=True).stdout
    packets, sound, commands = [], [], []
    for packet in json.loads(out):
        layers = packet["_source"]["layers"]
        number = int(layers["frame.number"][0])
        if "tcp.payload" in layers:
            if int(layers["tcp.dstport"][0]) == modem_port:
                said = bytes.fromhex(layers["tcp.payload"][0].replace(":", "")).decode("latin-1")
                commands += [(number, command) for command in said.split()]
            continue
        source = int(layers["udp.srcport"][0])
        if "sip.Call-ID" not in layers:
            sound.append((number, source))
            continue
        said = [attribute for attribute in layers.get("sdp.media_attr", [])
                if re.fullmatch("sendrecv|sendonly|recvonly|inactive", attribute)]
        if not said and "sdp.media.port" in layers:
            said = ["sendrecv"]                 # that is what nothing means
        packets.append(Packet(
            number, float(layers["frame.time_epoch"][0]), source, layers["sip.Call-ID"][0],
            layers["sip.CSeq"][0], (layers.get("sip.Method") or layers["sip.Status-Code"])[0],
            said[0] if said else None,
            int(layers.get("sdp.media.port", ["0"])[0]),
            layers.get("sip.Refer-To", [None])[0], layers.get("sipfrag.line", [None])[0]))
    return Wire(packets, sound, sip_ports, commands)


class Wire:
    """What can be said about it. Calls are named by the beginning of their Call-ID."""

    def __init__(self, packets, sound, sip_ports, commands):
        self.packets, self.sound, self.sip_ports = packets, sound, sip_ports
        self.commands = commands                # to the modem: number of the packet, and words

    def of(self, call):
        return [packet for packet in self.packets if packet.call.startswith(call)]

    def answered(self, call):
        """The number of the packet with which it was answered; None if it never was."""
        return next((packet.number for packet in self.of(call)
                     if packet.what == "200" and packet.cseq.endswith("INVITE")), None)

    def holds(self, call):
        """Each hold of the telephone that the far end agreed to: numbers of offer and answer."""
        offers, found = {}, []
        for packet in self.of(call):
            if packet.what == "INVITE" and packet.source in self.sip_ports \
                    and packet.direction in ("sendonly", "inactive"):
                offers.setdefault(packet.cseq, packet.number)
            elif packet.what == "200" and packet.cseq in offers:
                found.append((offers.pop(packet.cseq), packet.number))
        return found

    def commanded(self, command):
        """The numbers of the packets with which the modem was told to."""
        return [number for number, words in self.commands if words.startswith(command)]

    def ended(self, call):
        """The number of the packet with which it was ended; None if nobody said so."""
        return next((packet.number for packet in self.of(call)
                     if packet.what in ("BYE", "CANCEL")), None)

    def said(self, what, call=""):
        """The packets with that method or status, in one call or in all. What is said twice counts
        once."""
        found = {}
        for packet in self.of(call):
            if packet.what == what:
                found.setdefault((packet.source, packet.call, packet.cseq), packet)
        return list(found.values())

    def talking(self, call):
        """When it could be heard in both directions. What counts is the answer to an offer."""
        spans, first, answers = [], None, set()
        for packet in self.of(call):
            if packet.what == "200" and packet.cseq.endswith("INVITE") and packet.direction \
                    and packet.cseq not in answers:
                answers.add(packet.cseq)
                both_ways = packet.direction == "sendrecv"
                if both_ways and first is None:
                    first = packet.number
                elif not both_ways and first is not None:
                    spans.append(Span(call, first, packet.number))
                    first = None
            elif packet.what == "BYE" and first is not None:
                spans.append(Span(call, first, packet.number))
                first = None
        if first is not None:
            spans.append(Span(call, first, self.last_sound(call)))
        return spans

    def last_sound(self, call):
        """The last packet that the telephone sent in the call, which nobody has ended: perhaps it
        was killed."""
        return max(self.sounds(call), default=self.packets[-1].number)

    def sounds(self, call):
        """The packets of sound that the telephone sent in the call."""
        ports = {packet.media for packet in self.of(call) if packet.source in self.sip_ports}
        return [number for number, source in self.sound if source in ports]

    def at_once(self, *calls):
        """Pairs of spans in which two calls could be heard at the same moment."""
        spans = [span for call in calls for span in self.talking(call)]
        return [(one, other) for index, one in enumerate(spans) for other in spans[index + 1:]
                if one.call != other.call and one.first < other.last and other.first < one.last]

    def story(self, *calls):
        """For people: the messages that matter, one line each."""
        names = {call: call.split("-")[0] for call in calls}
        lines = []
        for packet in self.packets:
            name = next((names[call] for call in calls if packet.call.startswith(call)), None)
            if name is None or packet.what in ("100", "ACK", "180"):
                continue
            who = self.sip_ports.get(packet.source, name)
            what = packet.what if not packet.what.isdigit() else \
                f"{packet.what} to {packet.cseq.split()[1]}"
            lines.append(f"packet {packet.number:5}  {who:>8}: {what}, call with {name}"
                         + (f", a={packet.direction}" if packet.direction else ""))
        return lines


def held_before(wire, first, second):
    """Whether the hold of the first call was agreed to before the second call was answered: the
    check that the broker exists for."""
    answered = wire.answered(second)
    if answered is None:
        raise AssertionError(f"{second} was not answered")
    return any(agreed < answered for _, agreed in wire.holds(first))
