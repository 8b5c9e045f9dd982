#!/usr/bin/env python3
"""A telephone of one line that keeps its promises. The others of this folder break one each."""
import json
import os
import random
import select
import signal
import socket
import sys
import uuid

KINDS = ("start", "answer", "end", "set_held", "set_muted", "set_group", "play_dtmf", "transfer",
         "set_endpoint", "set_video", "set_text", "attended_transfer", "deflect")
MORE = {"supports_transfer": True, "supports_attended_transfer": True, "supports_deflect": True,
        "supports_set_video": True, "supports_set_text": True, "has_text": True,
        "endpoints": [{"endpoint": "ear", "kind": "earpiece", "state": "in_use"},
                      {"endpoint": "loud", "kind": "speaker"}]}

LINES = [{"line": "sim", "label": "Testnet", "default": True,
          "settings": [{"setting": "call_waiting", "on": True}]}]


class Ended(Exception):
    """The connection is over."""


class Telephone:
    identity = os.environ.get("GALLERY_IDENTITY", "org.example.gallery")
    handle_type = "phone"

    def __init__(self):
        self.socket = self.session = None
        self.unread = b""
        self.last_id = 0
        self.then = {}                  # what to do with the reply, by the id of the request
        self.calls = {}                 # state and address of each call
        self.outcomes = {}              # of the actions, by their ids
        self.must_stop = False
        self.bell = self.hang_bell()

    # ---- Its connection

    def run(self):
        delay = 0.1
        while not self.must_stop:
            try:
                self.connect()
                self.hello()
                delay = 0.1
                self.serve()
            except (Ended, OSError):
                if "GALLERY_DESCRIPTOR" in os.environ:
                    return
                self.rest(delay)
                delay = min(5.0, 2 * delay)

    def rest(self, seconds):
        select.select([], [], [], seconds * random.uniform(0.8, 1.2))

    def connect(self):
        self.unread, self.then = b"", {}
        if "GALLERY_DESCRIPTOR" in os.environ:
            self.socket = socket.socket(fileno=os.dup(int(os.environ["GALLERY_DESCRIPTOR"])))
        else:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(os.environ["BROKER_SOCKET"])

    def serve(self):
        while not self.must_stop:
            ready = select.select([self.socket, self.bell], [], [])[0]
            if self.socket in ready:
                self.read()
            if self.bell in ready:
                self.rung(os.read(self.bell, 4096).decode().strip())

    def read(self):
        data = self.socket.recv(65_536)
        if not data:
            raise Ended
        lines = (self.unread + data).split(b"\n")
        self.unread = lines.pop()
        for line in lines:
            if line.strip():
                self.take(json.loads(line))

    def write(self, data):
        self.socket.sendall(data)

    def send(self, **frame):
        self.write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")

    def ask(self, method, params, then=lambda frame: None):
        self.last_id += 1
        self.then[self.last_id] = then
        self.send(id=self.last_id, method=method, params=params)

    def reply(self, request, result=None, error=None):
        self.send(id=request["id"], **({"error": error} if error else {"result": result or {}}))

    # ---- What comes

    def take(self, frame):
        if "method" not in frame:
            self.replied(frame)
        elif "id" not in frame:
            self.told(frame["method"], frame.get("params", {}))
        elif frame["method"] == "provider.perform":
            self.perform(frame, frame["params"])
        elif frame["method"] == "line.change_setting":
            self.change_setting(frame)
        elif frame["method"] == "provider.send_text":
            self.send_text(frame)
        elif frame["method"] == "participant.change":
            self.change_participant(frame)
        elif frame["method"] == "push.received":
            self.receive_push(frame)
        elif frame["method"] == "audio.handover":
            self.reply(frame)
        elif frame["method"] == "broker.ping":
            self.reply(frame, {"payload": frame.get("params", {}).get("payload")})
        else:
            self.reply(frame, error={"code": -32601, "message": "not supported"})

    def replied(self, frame):
        identifier = frame.get("id")
        if isinstance(identifier, int) and identifier in self.then:
            self.then.pop(identifier)(frame)

    def told(self, method, params):
        if method == "provider.reset":
            self.calls.clear()
        elif method == "broker.goodbye" and params.get("reason") == "stop":
            self.must_stop = True

    # ---- Its session

    def hello(self):
        params = {"protocol": {"min": 1, "max": 1}, "roles": ["provider", "observer"],
                  "identity": self.identity, "client": {"name": "gallery", "version": "1"}}
        if self.session:
            params["resume"] = {name: self.session[name] for name in ("session", "secret")}
        self.ask("broker.hello", params, self.welcomed)

    def welcomed(self, frame):
        self.session = frame["result"]["session"] if "result" in frame else None
        self.register()

    def register(self):
        calls = [{"call": call, **facts} for call, facts in self.calls.items()]
        self.ask("provider.register", {
            "display_name": "Gallery", "handle_types": [self.handle_type], "max_call_groups": 1,
            "supports_text": True, "push_types": ["voip"], "calls": calls, "lines": LINES}, self.registered)

    def registered(self, frame):
        for call in frame.get("result", {}).get("dropped", []):
            self.calls.pop(call, None)

    def change_setting(self, request):
        setting = {name: request["params"][name] for name in ("setting", "on")}
        self.ask("provider.update", {"lines": [{**LINES[0], "settings": [setting]}]})
        self.reply(request)

    def send_text(self, request):
        self.reply(request)

    def receive_push(self, request):
        self.reply(request)

    def change_participant(self, request):
        self.report_participants(request["params"]["call"], request["params"]["hand_raised"])
        self.reply(request)

    def report_participants(self, call, hand_raised=False):
        self.ask("call.report_participants", {"call": call, "changed": [
            {"participant": "me", "self": True, "hand_raised": hand_raised,
             "changeable": ["hand_raised"]}]})

    # ---- Its calls

    def perform(self, request, params):
        action = params["action"]
        if action not in self.outcomes:
            self.outcomes[action] = self.act(params["kind"], params["call"], params["arguments"])
            while len(self.outcomes) > 256:
                self.outcomes.pop(next(iter(self.outcomes)))
        self.reply(request, **self.outcomes[action])
        if params["kind"] == "start" and params["call"] in self.calls:
            self.far_end_answers(params["call"])

    def act(self, kind, call, arguments):
        if kind not in KINDS:
            return {"error": {"code": -32601, "message": "not supported"}}
        if kind == "start" and self.calls:
            return {"error": {"code": -32000, "message": "busy", "data": {"reason": "busy"}}}
        if kind == "start":
            self.calls[call] = {"direction": "outgoing", "state": "dialing",
                                "remote": arguments["remote"]}
        elif call not in self.calls:
            return {"error": {"code": -32000, "message": "no such call",
                              "data": {"reason": "no_such_call"}}}
        elif kind in ("end", "transfer", "attended_transfer", "deflect"):
            del self.calls[call]
        elif kind == "answer":
            self.calls[call]["state"] = "active"
        elif kind == "set_held":
            self.calls[call]["state"] = "held" if arguments["held"] else "active"
        return {}

    def far_end_answers(self, call):
        if self.calls[call]["state"] == "dialing":
            self.calls[call]["state"] = "active"
            # All that there is to know of it, before its state says that it can be used.
            self.ask("call.report_update", {"call": call, **MORE})
            self.report_participants(call)
            self.ask("call.report_connecting", {"call": call})
            self.ask("call.report_connected", {"call": call})
            self.report_quality(call)

    def report_quality(self, call):
        self.ask("call.report_quality", {"call": call, "loss_permille": 3, "jitter_ms": 12})

    # ---- Its bell

    def hang_bell(self):
        path = os.path.join(os.environ.get("XDG_RUNTIME_DIR", "/tmp"), "bell")
        if not os.path.exists(path):
            os.mkfifo(path, 0o600)
        return os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def rung(self, how):
        if how == "elsewhere":
            self.ring_elsewhere()
        elif how in ("priority_caller", "background"):
            self.ring(priority=how)
        else:
            self.ring()

    def ring(self, **facts):
        call = str(uuid.uuid4())
        remote = {"type": self.handle_type, "value": "+15550123"}
        report = {"call": call, "remote": remote, **MORE, **facts}
        self.ask("call.report_incoming", {**report, "dry_run": True},
                 lambda frame: self.may_ring(report, frame))

    def may_ring(self, report, _):
        """Reported in any case: one that may not ring is in the history then."""
        call = report["call"]
        self.calls[call] = {"direction": "incoming", "state": "ringing", "remote": report["remote"]}
        self.ask("call.report_incoming", report, lambda frame: self.rang(call, frame))

    def ring_elsewhere(self):
        call = str(uuid.uuid4())
        remote = {"type": self.handle_type, "value": "+15550124"}
        self.calls[call] = {"direction": "incoming", "state": "external", "remote": remote}
        self.ask("call.report_external", {
            "call": call, "remote": remote, "elsewhere": "Kitchen phone", "supports_pull": True})

    def rang(self, call, frame):
        if "error" in frame:
            self.calls.pop(call, None)
        elif call in self.calls:
            self.report_participants(call)


def main(kind=Telephone):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    kind().run()


if __name__ == "__main__":
    main()
