"""A small SIP world on loopback, without sound hardware: real telephones with configurations made
for the test, and sipp as those who call them. Everything is waited for, with a ceiling."""
import json
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", "..", "..", ".."))
PLUGINS = os.path.join(ROOT, "plugins")
ADAPTERS = os.path.join(PLUGINS, "adapters")
SDK = os.path.join(PLUGINS, "sdk", "python")
sys.path[:0] = [os.path.join(ADAPTERS, "baresip"), SDK, os.path.join(SDK, "tests")]

from ctrl_tcp import Netstrings, netstring  # noqa: E402
from programs import CEILING, Program, wait_until  # noqa: E402

MODULES = "/usr/lib/baresip/modules"

CONFIG = """\
poll_method         epoll
sip_listen          127.0.0.1:{sip}
net_interface       127.0.0.1
call_local_timeout  {ring}
call_max_calls      {calls}
audio_buffer        20-160
audio_source        ausine,440
audio_player        {player}
audio_alert         aufile,{folder}/alert.wav
ausrc_srate         48000
ausrc_channels      {channels}
rtp_ports           {rtp}-{rtp_last}
rtcp_mux            no
rtcp_stats          yes
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
LINPHONERC = """\
[sip]
sip_port={sip}
sip_tcp_port=0
sip_tls_port=0
bind_address=127.0.0.1
use_ipv6=0
guess_hostname=0
contact="{name}" <sip:{name}@127.0.0.1:{sip}>
inc_timeout=600
max_calls={calls}
[rtp]
bind_address=127.0.0.1
audio_rtp_port={rtp}-{rtp_last}
nortp_timeout=3600
[audio_codec_0]
mime=PCMU
rate=8000
channels=1
enabled=1
[video]
enabled=0
capture=0
display=0
automatically_initiate=0
automatically_accept=0
"""
LINPHONE_ACCOUNT = """\
[proxy_{number}]
reg_proxy=<sip:127.0.0.1:{port};transport=udp>
reg_identity={identity}
reg_expires=600
reg_sendregister=1
publish=0
"""
ACCOUNT = ("<sip:{name}@127.0.0.1:{sip};transport=udp>;regint=0;answermode=manual;"
           "audio_codecs=PCMU/8000/1,PCMA/8000/1\n")


def kill_all(listed):
    """Kills these processes; one may have ended since it was listed."""
    for process in listed:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def processes(name, word):
    """The numbers of the processes of that name that go on and have that word on their command
    line."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", encoding="utf-8") as file:
                words = file.read().split("\0")
            with open(f"/proc/{number}/stat", encoding="utf-8") as file:
                is_over = file.read().rpartition(")")[2].split()[0] == "Z"
        except (OSError, UnicodeDecodeError):
            continue
        if words[0] == name and word in words and not is_over:
            found.append(int(number))
    return found


class Ports:
    """Ports of this process alone, so that two suites can run at once: a range that it has for as
    long as it lives, below those that the kernel gives away. Who has a range has the abstract
    socket of its number, which is as wide as the ports are: one host, or one network namespace."""

    FIRST, SIZE, RANGES = 10_240, 2_048, 11
    MARK = "callbroker-ports"                   # in the abstract namespace, with the number of the range

    def __init__(self):
        self._first = self._next = self._mark = None

    def free(self, count):
        """Consecutive ports that nobody has, neither for UDP nor for TCP."""
        if self._first is None:
            self._first = self._next = self._range()
        for _ in range(self.SIZE):
            if self._next + count > self._first + self.SIZE:
                self._next = self._first
            first = self._next
            taken = next((port for port in reversed(range(first, first + count))
                          if not is_free(port)), None)
            if taken is None:
                self._next += count
                return first
            self._next = taken + 1
        raise RuntimeError(f"no {count} free ports from {self._first} to "
                           f"{self._first + self.SIZE - 1}; who has them? ss -lnp tells")

    def close(self):
        """Leaves the range to others."""
        self._mark.close()

    def _range(self):
        for number in range(self.RANGES):
            self._mark = socket.socket(socket.AF_UNIX)
            try:
                self._mark.bind(f"\0{self.MARK}-{number}")
                return self.FIRST + number * self.SIZE
            except OSError:
                self._mark.close()
        raise RuntimeError(f"{self.RANGES} programs have telephones for tests already; end one")


def is_free(port):
    """Whether nobody has it."""
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                return False
    return True


free_ports = Ports().free


class Sound(Program):
    """A PulseAudio that plays to nobody. Without one linphone sends no sound."""

    def __init__(self, test, folder):
        path = os.path.join(folder, "pulse")
        os.makedirs(path, exist_ok=True)
        socket_path = os.path.join(path, "native")
        self.server = "unix:" + socket_path
        super().__init__(test, folder, "pulseaudio", [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1",
            "-L", f"module-native-protocol-unix socket={socket_path} auth-anonymous=1",
            "-L", "module-null-sink sink_name=null0"],
            environment={**os.environ, "HOME": path, "XDG_RUNTIME_DIR": path})
        wait_until("there is no sound server", self._listens, socket_path)

    def _listens(self, path):
        if self.process.poll() is not None:
            raise RuntimeError(self.said()[-2000:])
        return os.path.exists(path)


class Linphone(Program):
    """A linphone-daemon with a configuration of its own. It does not answer by itself, and writes the
    log of which the adapter reads the codes of SIP, unless it has none."""

    def __init__(self, test, folder, name, sound=None, calls=4, ports=None, pipe=None,
                 accounts="", has_log=True):
        first = ports or free_ports(64)
        self.ports, self.user, self.sip = first, name, first
        self.pipe = pipe or f"callbroker-{uuid.uuid4()}"
        own = os.path.join(folder, name)
        for path in ("home/.local/share/linphone", "run"):  # without the first it has no port
            os.makedirs(os.path.join(own, path), exist_ok=True)
        configuration = os.path.join(own, "linphonerc")
        with open(configuration, "w", encoding="utf-8") as output:
            output.write(LINPHONERC.format(name=name, sip=first, calls=calls, rtp=first + 4,
                                           rtp_last=first + 63) + accounts)
        environment = {**os.environ, "HOME": os.path.join(own, "home"),
                       "XDG_RUNTIME_DIR": os.path.join(own, "run")}
        if sound is not None:
            environment["PULSE_SERVER"] = sound.server
        log = ["--log", os.path.join(own, "log")] if has_log else []
        super().__init__(test, own, "linphone", [
            "linphone-daemon", "--config", configuration, "--pipe", self.pipe, *log,
            "--disable-stats-events"], environment)
        wait_until(f"{name} does not listen", self._listens)

    def command(self, command):
        """The answer to a command, as a user's. Only while nobody else has its socket; linphone
        turns away a client until it has seen that the one before has gone."""
        return wait_until(f"{self.user} does not answer", self._answer, command)

    def _answer(self, command):
        with socket.socket(socket.AF_UNIX) as pipe, contextlib.suppress(ConnectionError):
            pipe.connect(os.path.join(tempfile.gettempdir(), self.pipe))
            pipe.settimeout(CEILING)
            pipe.sendall(command.encode() + b"\n")
            return pipe.recv(65_536).decode()
        return ""

    def stop(self):
        super().stop()
        remove_socket(self.pipe)

    def _listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(self.said()[-2000:])
        with open("/proc/net/unix", encoding="ascii") as sockets:
            has_pipe = "/" + self.pipe + "\n" in sockets.read()
        return has_pipe and has_udp_port(self.sip)


def remove_socket(pipe):
    """linphone leaves it behind."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(os.path.join(tempfile.gettempdir(), pipe))


def has_udp_port(port):
    """Whether somebody has that port on loopback."""
    return udp_sockets(port) > 0


def udp_sockets(port):
    """How many have that port on loopback: linphone shares it, and then one of them gets nothing."""
    with open("/proc/net/udp", encoding="ascii") as sockets:
        return sockets.read().count(f" 0100007F:{port:04X} ")


def has_listener(port):
    """Whether somebody takes connections at that port on loopback. To try would be in his way."""
    with open("/proc/net/tcp", encoding="ascii") as sockets:
        return f" 0100007F:{port:04X} 00000000:0000 0A " in sockets.read()


def is_listening(path):
    """Whether one can connect to a socket, which may be there a moment before."""
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(path) == 0


def has_name(environment, name):
    """Whether a program has that name on the session bus. This does not start one, as a call would."""
    return name.encode() in subprocess.run(
        ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/",
         "org.freedesktop.DBus.ListNames"], env=environment, capture_output=True, check=False,
        timeout=CEILING).stdout


def reader_of(fifo):
    """A descriptor for writing to a FIFO, once somebody reads it: he waits until it is closed."""
    def opened():
        with contextlib.suppress(OSError):
            return [os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)]
        return None
    return wait_until(f"nobody reads {fifo}", opened)[0]


class Baresip(Program):
    """A baresip with a configuration of its own. It does not answer by itself."""

    def __init__(self, test, folder, name, channels=2, ports=None, calls=4, accounts=ACCOUNT,
                 modules=(), player="aufile,{folder}/heard.wav", ring=60, environment=None):
        first = ports or free_ports(64)
        self.ports, self.user = first, name
        self.sip, self.control = first, first + 3       # TLS is on the port after SIP's
        own = os.path.join(folder, name)
        os.makedirs(own, exist_ok=True)
        values = {"name": name, "sip": self.sip, "control": self.control, "folder": own,
                  "rtp": first + 4, "rtp_last": first + 63, "channels": channels,
                  "calls": calls, "modules": MODULES, "player": player.format(folder=own),
                  "ring": ring}
        config = CONFIG + "".join(f"module_app {module}.so\n" for module in modules)
        for file, text in (("config", config), ("accounts", accounts), ("contacts", "")):
            with open(os.path.join(own, file), "w", encoding="utf-8") as output:
                output.write(text.format(**values))
        super().__init__(test, own, "baresip", ["baresip", "-f", own, "-v"], environment)
        wait_until(f"{name} does not listen", self._listens)

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
    """sipp calls a telephone, 20 times a second if often, and stays until that one hangs up. Exit
    status 0: all as written."""

    def __init__(self, test, folder, name, phone, scenario="caller.xml", calls=1, outcome=""):
        self.sip = free_ports(6)                # one, then those of sound and picture
        self.events = os.path.join(folder, name + ".events")
        super().__init__(test, folder, name, [
            "sipp", "-sf", os.path.join(HERE, scenario), "-i", "127.0.0.1", "-p", str(self.sip),
            "-mi", "127.0.0.1", "-mp", str(self.sip + 2), "-m", str(calls), "-r", "20",
            "-nostdin", "-timeout", f"{4 * CEILING:.0f}s",
            "-timeout_error", "-trace_logs", "-log_file", self.events, "-s", phone.user,
            "-key", "caller", name, "-key", "outcome", outcome, "-cid_str", name + "-%u-%p@%s",
            f"127.0.0.1:{phone.sip}"])

    def referred(self):
        """The addresses that it was told to call."""
        return [line.split(None, 1)[1].strip() for line in self._lines()
                if line.startswith("referred ")]

    def has_reported(self):
        """Whether the other side knows what became of that."""
        return "reported\n" in self._lines()

    def _lines(self):
        try:
            with open(self.events, encoding="utf-8") as file:
                return [line for line in file if line.strip()]
        except FileNotFoundError:
            return []

    def logged(self):
        """What happened: `answered`, and the direction of each re-INVITE."""
        words = [line.split() for line in self._lines()]
        return [first if first != "asked" else
                last if last.startswith("a=") else "a=sendrecv"     # that is what nothing means
                for first, *_, last in words]


def with_status(folder, name, scenario, status):
    """Writes a scenario with a status of SIP, where sipp itself wants a number; its path."""
    written = os.path.join(folder, name + ".xml")
    with open(os.path.join(HERE, scenario), encoding="utf-8") as source, \
            open(written, "w", encoding="utf-8") as target:
        target.write(source.read().replace("[status]", status))
    return written


class Registrar(Program):
    """sipp answers all registrations with a status of SIP, and subscriptions with messages."""

    def __init__(self, test, folder, name, status, port=None):
        self.sip = port or free_ports(1)
        written = with_status(folder, name, "registrar.xml", status)
        super().__init__(test, folder, name, [
            "sipp", "-sf", written, "-i", "127.0.0.1", "-p", str(self.sip), "-nostdin", "-aa"])
        wait_until(f"{name} does not listen", has_udp_port, self.sip)


class Callee(Program):
    """sipp is called, and refuses with a status of SIP, if the scenario has one. Exit status 0: all
    as written."""

    def __init__(self, test, folder, name, status="", scenario="refusing_callee.xml"):
        self.sip = free_ports(6)
        self.address = f"sip:{name}@127.0.0.1:{self.sip}"
        written = with_status(folder, name, scenario, status)
        super().__init__(test, folder, name, [
            "sipp", "-sf", written, "-i", "127.0.0.1", "-p", str(self.sip), "-mi", "127.0.0.1",
            "-mp", str(self.sip + 2), "-m", "1", "-nostdin", "-timeout", f"{4 * CEILING:.0f}s",
            "-timeout_error"])
        wait_until(f"{name} does not listen", has_udp_port, self.sip)


def baresip_provider(test, folder, phone, broker_socket, identity, *options):
    """plugins/adapters/baresip, attached to a baresip."""
    return Program(test, folder, identity, [
        sys.executable, os.path.join(ADAPTERS, "baresip", "baresip_provider.py"),
        "--control", f"127.0.0.1:{phone.control}", "--identity", identity,
        "--socket", broker_socket, "--memory", os.path.join(folder, identity + ".json"),
        "--verbose", *options])


def linphone_provider(test, folder, phone, broker_socket, identity, *options):
    """plugins/adapters/linphone, attached to a linphone-daemon: as `make` has built it, or the program
    LINPHONE_PROVIDER."""
    program = os.environ.get("LINPHONE_PROVIDER") or os.path.join(
        ADAPTERS, "linphone", "build", "linphone_provider")
    return Program(test, folder, identity, [
        os.path.abspath(program), "--pipe", phone.pipe, "--identity", identity,
        "--socket", broker_socket, "--memory", os.path.join(folder, identity + ".json"),
        "--verbose", *options])


class Daemon(Program):
    """A broker of its own: the program CALLBROKER, or the one that was built here."""

    def __init__(self, test, folder, name="broker", options=(), environment=None):
        program = os.environ.get("CALLBROKER") or os.path.join(
            ROOT, ".build", "debug", "callbroker")
        self.socket = os.path.join(folder, name + ".sock")
        self.program = os.path.abspath(program)
        self.arguments = [self.program, "serve", "--socket", self.socket,
                          "--state-dir", os.path.join(folder, name + "-state"), *options]
        super().__init__(test, folder, name, self.arguments, environment)
        self.wait_for("listening on")

    def tool(self, *words):
        """What a command of the tool prints, and its exit status."""
        ran = subprocess.run([self.program, *words, "--socket", self.socket],
                             capture_output=True, text=True, timeout=4 * CEILING, check=False)
        return ran.stdout + ran.stderr, ran.returncode
