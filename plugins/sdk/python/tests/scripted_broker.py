"""A broker that does what the test says, on a real Unix socket. It waits for frames, never for
time; what does not come within a ceiling is an error."""
import json
import os
import shutil
import socket
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import callbroker  # noqa: E402

CEILING = float(os.environ.get("CEILING", 30.0))
CALL = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
ACTION = "33333333-3333-4333-8333-333333333333"
SESSION = {"session": "1b4e28ba-2fa1-4d2b-883f-0016d3cca427", "secret": "s3cret"}


class Peer:
    """The broker's end of one connection."""

    def __init__(self, connection):
        connection.settimeout(CEILING)
        self.socket = connection
        self._lines = connection.makefile("rb")

    def line(self):
        return self._lines.readline()

    def read(self, method=None):
        """The next frame; with a method, that it is one of this method."""
        line = self.line()
        if not line:
            raise EOFError("the client has closed")
        frame = json.loads(line)
        if method is not None and frame.get("method") != method:
            raise AssertionError(f"expected {method}, got {frame}")
        return frame

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, *frames):
        """All in one write."""
        self.raw(b"".join(encoded(frame) for frame in frames))

    def reply(self, request, result=None):
        self.send({"id": request["id"], "result": result or {}})

    def refuse(self, request, code, **data):
        self.send({"id": request["id"], "error": {"code": code, "message": "no", "data": data}})

    def greet(self, **result):
        """Opens the session."""
        hello = self.read("broker.hello")
        self.reply(hello, {"protocol": 1, "session": {**SESSION, "resumed": False, "grace_ms": 0},
                           "granted_roles": hello["params"]["roles"], "denied_roles": [],
                           "limits": {"frame_bytes": 65536}, "epoch": "e", "seq": 0, **result})
        return hello

    def greet_provider(self, **result):
        """Opens the session and takes the registration."""
        self.greet()
        register = self.read("provider.register")
        self.reply(register, {"provider": "org.example.a", "calls": [], "dropped": [], **result})
        return register

    def reply_to_ping(self, client):
        """Afterwards the client has seen everything that was sent before."""
        pong = client.ping()
        self.reply(self.read("broker.ping"))
        pong.result(CEILING)

    def perform(self, number, kind="answer", action=ACTION, call=CALL, attempt=1, deadline_ms=5000,
                **arguments):
        self.send({"id": number, "method": "provider.perform", "params": {
            "action": action, "kind": kind, "call": call, "arguments": arguments,
            "transaction": "t", "cause": {"origin": "user"}, "deadline_ms": deadline_ms,
            "attempt": attempt}})

    def close(self):
        self._lines.close()
        self.socket.close()


class ScriptedBroker:
    """Listens in a folder of its own."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.path = os.path.join(self.folder, "broker.sock")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.settimeout(CEILING)
        self.listener.bind(self.path)
        self.listener.listen()
        self.peers = []

    def accept(self):
        self.peers.append(Peer(self.listener.accept()[0]))
        return self.peers[-1]

    def close(self):
        for peer in self.peers:
            peer.close()
        self.listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Running:
    """A client that runs in a thread while the test plays the broker."""

    def __init__(self, client):
        self.client = client
        self.error = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        try:
            self.client.run()
        except Exception as error:
            self.error = error

    def join(self):
        self.thread.join(CEILING)
        assert not self.thread.is_alive(), "the client does not end"

    def stop(self):
        self.client.close()
        self.join()


def encoded(frame):
    return json.dumps({"jsonrpc": "2.0", **frame}, separators=(",", ":")).encode() + b"\n"


def with_peer(test, client_class, *arguments, **options):
    """A broker, a client that has connected to it, and the broker's end of the connection."""
    broker = ScriptedBroker()
    test.addCleanup(broker.close)
    options.setdefault("backoff", (0.0, 0.0))
    client = client_class(*arguments, socket=broker.path, **options)
    running = Running(client)
    peer = broker.accept()
    test.addCleanup(running.stop)
    return broker, client, peer, running
