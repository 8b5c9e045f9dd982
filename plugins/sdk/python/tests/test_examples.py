"""The two providers in fifteen lines, as they stand: no SDK, no jq."""
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from scripted_broker import CALL, CEILING, HERE, OTHER, Peer, ScriptedBroker, encoded

EXAMPLES = os.path.join(os.path.dirname(HERE), "examples")
NOT_SUPPORTED = {"code": -32601, "message": "not supported"}


def perform(number, kind, **arguments):
    return {"id": number, "method": "provider.perform", "params": {
        "action": f"00000000-0000-4000-8000-{number:012}", "kind": kind, "call": CALL,
        "arguments": arguments, "transaction": OTHER, "cause": {"origin": "user"},
        "deadline_ms": 5000, "attempt": 1}}


class ExampleTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def started(self, arguments, **options):
        process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL, start_new_session=True,
                                   **options)
        self.addCleanup(process.wait, CEILING)
        self.addCleanup(self.killed, process)
        return process

    def killed(self, process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def answers(self, peer, count):
        return {frame["id"]: frame.get("result", frame.get("error"))
                for frame in (peer.read() for _ in range(count))}

    def test_the_doorbell(self):
        bell = os.path.join(self.folder, "bell")
        os.mkfifo(bell)
        ours, theirs = socket.socketpair()
        peer = Peer(ours)
        self.addCleanup(peer.close)
        doorbell = self.started([os.path.join(EXAMPLES, "doorbell.sh")], stdin=theirs,
                                stdout=theirs, env={**os.environ, "DOORBELL_FIFO": bell})
        theirs.close()
        with open(bell, "w", encoding="utf-8") as button:
            button.write("front door\n")
        report = peer.read("call.report_incoming")
        self.assertEqual(report["id"], report["params"]["call"])
        self.assertEqual(report["params"], {
            "call": report["id"], "supports_holding": False,
            "remote": {"type": "generic", "value": "front door"}})
        peer.reply(report, {"state": "ringing", "display_name": '"method":"x","kind":"end"'})
        peer.send({"method": "audio.activated", "params": {"group": CALL, "calls": [CALL]}})
        peer.raw(encoded(perform(1, "answer")) + encoded(perform(2, "set_held", held=True))
                 + encoded({"id": 3, "method": "broker.ping"}))
        self.assertEqual(self.answers(peer, 3), {1: {}, 2: NOT_SUPPORTED, 3: NOT_SUPPORTED})
        peer.send(perform(4, "end"))
        self.assertEqual(self.answers(peer, 1), {4: {}})
        doorbell.terminate()
        doorbell.wait(CEILING)
        self.assertEqual(peer.line(), b"", "somebody still has the connection")

    def test_the_soft_phone(self):
        broker = ScriptedBroker()
        self.addCleanup(broker.close)
        self.started([sys.executable, os.path.join(EXAMPLES, "softphone.py")],
                     env={**os.environ, "BROKER_SOCKET": broker.path})
        peer = broker.accept()
        hello, register = peer.read("broker.hello"), peer.read("provider.register")
        self.assertEqual((hello["id"], register["id"]), (1, 2))
        self.assertEqual(hello["params"]["identity"], "org.example.softphone")
        self.assertEqual(register["params"], {"display_name": "Soft phone",
                                              "handle_types": ["phone"]})
        peer.reply(hello)
        peer.reply(register)
        peer.raw(encoded(perform(1, "answer")) + encoded({
            "id": 2, "method": "broker.ping", "params": {"payload": {"a": 1}}})
            + encoded({"id": 3, "method": "provider.execute", "params": {}}))
        self.assertEqual(self.answers(peer, 3),
                         {1: {}, 2: {"payload": {"a": 1}}, 3: NOT_SUPPORTED})


if __name__ == "__main__":
    unittest.main()
