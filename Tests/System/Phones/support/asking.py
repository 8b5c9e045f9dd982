"""Tests of an adapter alone: a script plays the broker, the telephone is a real one."""
import shutil
import tempfile
import unittest

import phonelab  # noqa: F401 (finds the module below)
from scripted_broker import ScriptedBroker


class AskingTests(unittest.TestCase):
    """Reads what the adapter tells, and asks it for things. `peer` is its connection."""

    DEADLINE_MS = 5000

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.broker = ScriptedBroker()
        self.addCleanup(self.broker.close)
        self.actions = 0

    def frame(self, method=None):
        """The next one, of that method. The quality of the sound is reported at any time: it is taken,
        unless it is waited for."""
        while True:
            frame = self.peer.read()
            if frame.get("method") != "call.report_quality" or method == "call.report_quality":
                break
            self.peer.reply(frame, {"seq": 1})
        if method is not None:
            self.assertEqual(frame.get("method"), method, frame)
        return frame

    def taken(self, method, **expected):
        """The next frame, which is a request of that method; it is answered."""
        frame = self.frame(method)
        self.peer.reply(frame, {"seq": 1})
        for name, value in expected.items():
            self.assertEqual(frame["params"][name], value)
        return frame["params"]

    def asked(self, kind, call, deadline_ms=None, **arguments):
        """Asks for an action; its number."""
        self.actions += 1
        self.peer.send({"id": self.actions, "method": "provider.perform", "params": {
            "action": f"action-{self.actions}", "kind": kind, "call": call,
            "arguments": arguments, "transaction": "t", "cause": {"origin": "user"},
            "deadline_ms": deadline_ms or self.DEADLINE_MS, "attempt": 1}})
        return self.actions

    def done(self, number):
        self.assertEqual(self.frame(), {"jsonrpc": "2.0", "id": number, "result": {}})

    def failed(self, number, reason):
        frame = self.frame()
        self.assertIn("error", frame)
        self.assertEqual((frame["id"], frame["error"]["data"]["reason"]), (number, reason))
