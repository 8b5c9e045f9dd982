#!/usr/bin/env python3
import json, os, socket, sys
sock = socket.socket(socket.AF_UNIX); sock.connect(os.environ["BROKER_SOCKET"])
KINDS = "start", "answer", "end", "set_held", "set_muted", "set_group", "play_dtmf"          # fulfil them all
def send(**m): sock.sendall((json.dumps({"jsonrpc": "2.0", **m}, separators=(",", ":")) + "\n").encode())
send(id=1, method="broker.hello", params={"protocol": {"min": 1, "max": 1}, "roles": ["provider"],
     "identity": "org.example.softphone", "client": {"name": "softphone.py", "version": "0.1"}})
send(id=2, method="provider.register", params={"display_name": "Soft phone", "handle_types": ["phone"]})
for m in map(json.loads, filter(bytes.strip, sock.makefile("rb"))):
    if "method" not in m: print("reply", m, file=sys.stderr)
    elif "id" not in m: print("event", m["method"], file=sys.stderr)
    elif m["method"] == "provider.perform" and m["params"]["kind"] in KINDS: send(id=m["id"], result={})
    elif m["method"] == "broker.ping": send(id=m["id"], result={"payload": m.get("params", {}).get("payload")})
    else: send(id=m["id"], error={"code": -32601, "message": "not supported"})
