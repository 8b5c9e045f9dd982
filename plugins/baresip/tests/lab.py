"""A small SIP world on loopback, without sound hardware: baresips with configurations made for the
test, sipp as the callers, a capture as the evidence. Everything is waited for, with a ceiling."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
SDK = os.path.join(os.path.dirname(PLUGIN), "python")
sys.path[:0] = [PLUGIN, SDK, os.path.join(SDK, "tests")]

from ctrl_tcp import Netstrings, netstring  # noqa: E402

CEILING = float(os.environ.get("CEILING", 30.0))
MODULES = "/usr/lib/baresip/modules"

CONFIG = """\
poll_method         epoll
sip_listen          127.0.0.1:{sip}
net_interface       127.0.0.1
call_local_timeout  60
call_max_calls      4
audio_buffer        20-160
audio_source        ausine,440
audio_player        aufile,{folder}/heard.wav
audio_alert         aufile,{folder}/alert.wav
ausrc_srate         48000
ausrc_channels      {channels}
rtp_ports           {rtp}-{rtp_last}
rtcp_mux            no
jitter_buffer_delay 5-10
statmode_default    off
module_path         {modules}
module              g711.so
module              ausine.so
module              aufile.so
module_tmp          uuid.so
module_tmp          account.so
module_app          menu.so
module_app          debug_cmd.so
module_app          ctrl_tcp.so
ctrl_tcp_listen     127.0.0.1:{control}
"""
ACCOUNT = ("<sip:{name}@127.0.0.1:{sip};transport=udp>;regint=0;answermode=manual;"
           "audio_codecs=PCMU/8000/1,PCMA/8000/1\n")


def ceiling(what):
    """Calls itself again until it is true; an error when that takes too long."""
    def until(condition, *arguments):
        end = time.monotonic() + CEILING
        while True:
            result = condition(*arguments)
            if result:
                return result
            if time.monotonic() > end:
                raise TimeoutError(what)
            time.sleep(0.01)
    return until


def free_ports(count, kind=socket.SOCK_STREAM):
    """Consecutive ports that nobody has, neither for UDP nor for TCP."""
    while True:
        with socket.socket(socket.AF_INET, kind) as probe:
            probe.bind(("127.0.0.1", 0))
            first = probe.getsockname()[1]
        held = []
        try:
            for port in range(first, first + count):
                for each in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                    held.append(socket.socket(socket.AF_INET, each))
                    held[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for probe in held:
                probe.close()


class Program:
    """A process that ends with the test; what it says is in a file."""

    def __init__(self, test, folder, name, arguments, **options):
        self.name = name
        self.log = os.path.join(folder, name + ".log")
        with open(self.log, "wb") as output:
            self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=output,
                                            stderr=subprocess.STDOUT, cwd=folder, **options)
        test.addCleanup(self.stop)

    def said(self):
        with open(self.log, encoding="utf-8", errors="replace") as file:
            return file.read()

    def wait_for(self, words):
        def ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} has ended: {self.said()[-2000:]}")
            return words in self.said()
        ceiling(f"{self.name} does not say {words!r}")(ready)

    def wait(self):
        return self.process.wait(CEILING)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Baresip(Program):
    """A baresip with a configuration of its own. It does not answer by itself."""

    def __init__(self, test, folder, name, channels=2, ports=None):
        first = ports or free_ports(64)
        self.ports, self.user = first, name
        self.sip, self.control = first, first + 3       # TLS is on the port after SIP's
        own = os.path.join(folder, name)
        os.makedirs(own, exist_ok=True)
        values = {"name": name, "sip": self.sip, "control": self.control, "folder": own,
                  "rtp": first + 4, "rtp_last": first + 63, "channels": channels,
                  "modules": MODULES}
        for file, text in (("config", CONFIG), ("accounts", ACCOUNT), ("contacts", "")):
            with open(os.path.join(own, file), "w", encoding="utf-8") as output:
                output.write(text.format(**values))
        super().__init__(test, own, "baresip", ["baresip", "-f", own, "-v"])
        ceiling(f"{name} does not listen")(self._listens)

    def _listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(self.said()[-2000:])
        with open("/proc/net/tcp", encoding="ascii") as sockets:
            return f":{self.control:04X} 00000000:0000 0A" in sockets.read()


    def command(self, command, params=None):
        """One command, as a user's. Only while nobody else is at the control port."""
        message = {"command": command, "token": "1", **({"params": params} if params else {})}
        with socket.create_connection(("127.0.0.1", self.control)) as port:
            port.settimeout(CEILING)
            port.sendall(netstring(json.dumps(message).encode()))
            netstrings, parts = Netstrings(), []
            while not any(b'"response":true' in part for part in parts):
                parts = netstrings.feed(port.recv(65_536))


class Caller(Program):
    """sipp calls a baresip, 20 times a second if often, and stays until that one hangs up. Exit
    status 0: all as written."""

    def __init__(self, test, folder, name, baresip, scenario="caller.xml", calls=1):
        self.sip = free_ports(4)
        self.events = os.path.join(folder, name + ".events")
        super().__init__(test, folder, name, [
            "sipp", "-sf", os.path.join(HERE, scenario), "-i", "127.0.0.1", "-p", str(self.sip),
            "-mi", "127.0.0.1", "-mp", str(self.sip + 2), "-m", str(calls), "-r", "20",
            "-nostdin", "-timeout", "60s",
            "-timeout_error", "-trace_logs", "-log_file", self.events, "-s", baresip.user,
            "-key", "caller", name, "-cid_str", name + "-%u-%p@%s",
            f"127.0.0.1:{baresip.sip}"])

    def logged(self):
        """What happened: `answered`, and the direction of each re-INVITE."""
        try:
            with open(self.events, encoding="utf-8") as file:
                return [line.split()[0] if "asked" not in line else line.split()[-1]
                        for line in file if line.strip()]
        except FileNotFoundError:
            return []


class Capture(Program):
    """What goes over loopback, and what tshark makes of it."""

    def __init__(self, test, folder, ports):
        self.file = os.path.join(folder, "capture.pcap")
        self.ports = list(ports)
        condition = " or ".join(f"udp port {port}" for port in self.ports)
        super().__init__(test, folder, "tcpdump", [
            "tcpdump", "-i", "lo", "-U", "--immediate-mode", "-w", self.file, condition])
        self.wait_for("listening on")

    def messages(self):
        """Every SIP message: time, Call-ID, CSeq, method or status, direction of the sound."""
        self.stop()
        fields = ["frame.time_epoch", "sip.Call-ID", "sip.CSeq", "sip.Method", "sip.Status-Code",
                  "sdp.media_attr"]
        decode = [word for port in self.ports for word in ("-d", f"udp.port=={port},sip")]
        out = subprocess.run(
            ["tshark", "-r", self.file, *decode, "-Y", "sip", "-T", "json",
             *[word for field in fields for word in ("-e", field)]],
            check=True, capture_output=True, text=True).stdout
        found = []
        for packet in json.loads(out):
            layers = packet["_source"]["layers"]
            direction = [a for a in layers.get("sdp.media_attr", [])
                         if re.fullmatch("sendrecv|sendonly|recvonly|inactive", a)]
            found.append({
                "at": float(layers["frame.time_epoch"][0]), "call": layers["sip.Call-ID"][0],
                "cseq": layers["sip.CSeq"][0], "what": (
                    layers.get("sip.Method") or layers.get("sip.Status-Code"))[0],
                "direction": direction[0] if direction else
                ("sendrecv" if "sdp.media_attr" in layers else None)})
        return found


def held_before(messages, first, second):
    """Whether the hold of the first call was answered before the second call was: the check that
    the broker exists for. Calls are named by the beginning of their Call-ID."""
    offers = {}
    held_at = answered_at = None
    for message in messages:
        key = message["call"], message["cseq"]
        if message["call"].startswith(first):
            if message["what"] == "INVITE" and message["direction"] in ("sendonly", "inactive"):
                offers[key] = message["at"]
            elif message["what"] == "200" and key in offers and held_at is None:
                held_at = message["at"]
        elif message["call"].startswith(second):
            if message["what"] == "200" and message["cseq"].endswith("INVITE") \
                    and answered_at is None:
                answered_at = message["at"]
    if answered_at is None:
        raise AssertionError("the second call was not answered")
    return held_at is not None and held_at < answered_at


def talking(messages, call):
    """From when to when a call could be heard in both directions, by its beginning."""
    spans, since, offered = [], None, {}
    for message in messages:
        if not message["call"].startswith(call):
            continue
        if message["what"] == "INVITE":
            offered[message["cseq"]] = message["direction"]
        elif message["what"] == "200" and message["cseq"] in offered:
            if since is None and offered[message["cseq"]] == "sendrecv":
                since = message["at"]
            elif since is not None and offered[message["cseq"]] != "sendrecv":
                spans.append((since, message["at"]))
                since = None
        elif message["what"] == "BYE" and since is not None:
            spans.append((since, message["at"]))
            since = None
    return spans


def at_once(messages, first, second):
    """Whether both calls could be heard at the same moment."""
    return any(start < other_end and other_start < end
               for start, end in talking(messages, first)
               for other_start, other_end in talking(messages, second))


def provider(test, folder, baresip, broker_socket, identity, *options):
    """The program under test, attached to a baresip."""
    return Program(test, folder, identity, [
        sys.executable, os.path.join(PLUGIN, "baresip_provider.py"),
        "--control", f"127.0.0.1:{baresip.control}", "--identity", identity,
        "--socket", broker_socket, "--memory", os.path.join(folder, identity + ".json"),
        "--verbose", *options])


class Daemon(Program):
    """A broker of its own: the program CALLBROKER, or the one that was built here."""

    def __init__(self, test, folder, name="broker"):
        program = os.environ.get("CALLBROKER") or os.path.join(
            PLUGIN, "..", "..", ".build", "debug", "callbroker")
        self.socket = os.path.join(folder, name + ".sock")
        self.arguments = [os.path.abspath(program), "serve", "--socket", self.socket,
                          "--state-dir", os.path.join(folder, name + "-state")]
        super().__init__(test, folder, name, self.arguments)
        self.wait_for("listening on")
