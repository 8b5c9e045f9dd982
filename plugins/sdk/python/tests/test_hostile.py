"""Odd and hostile input: nothing that comes in may end the client, confuse it or go unanswered."""
import os
import random
import unittest

from scripted_broker import CALL, CEILING, SESSION, callbroker, encoded, with_peer

SEED = int(os.environ.get("SEED", 1))
ODD = [
    b"", b"   ", b"\r", b"null", b"7", b'"x"', b"[]", b"[[]]", b"[{}]", b"{}", b"{", b"}",
    b"\xff\xfe",
    b'{"a":1', b"[" * 3000, b'{"a":' * 3000, b"\x00", b'{"id":1e400}', b"1" * 5000, b"NaN",
    b'{"method":7}', b'{"method":"event"}', b'{"method":"event","params":[]}',
    b'{"method":"event","params":{"topic":7,"seq":"x","data":null}}',
    b'{"method":"event","params":{"topic":"call.added","subscription":"s","data":[]}}',
    b'{"method":"events.gap"}', b'{"method":"events.gap","params":{"subscription":[]}}',
    b'{"method":"broker.cancel"}', b'{"method":"broker.cancel","params":{"request":{}}}',
    b'{"method":"broker.cancel","params":{"request":null}}',
    b'{"method":"provider.timed_out","params":{"action":[]}}', b'{"method":"x_new.thing"}',
    b'{"method":"broker.goodbye","params":{"reason":[],"reconnect_after_ms":"x"}}',
    b'{"method":"broker.warning"}', b'{"id":{},"method":"x"}',
    b'{"id":[],"method":"provider.perform"}',
    b'{"id":null,"error":{"code":-32600,"message":"x"}}', b'{"id":1,"result":{}}',
    b'{"id":"1","result":{}}', b'{"id":true,"result":{}}', b'{"id":1.0,"result":{}}',
    b'{"id":-1,"error":null}', b'{"id":[],"result":{}}', b'{"result":{}}', b'{"error":7}',
]
SNAPSHOT = {"subscription": "s", "epoch": "e", "seq": 0, "snapshot": {"calls": []}}


class HostileTests(unittest.TestCase):
    def setUp(self):
        callbroker.log.disabled = True
        self.addCleanup(setattr, callbroker.log, "disabled", False)

    def ready(self, kind=callbroker.Provider):
        if kind is callbroker.Provider:
            broker, client, peer, running = with_peer(self, kind, "org.example.a", "A")
            client.on_answer(lambda action: None)
            peer.greet_provider()
        else:
            broker, client, peer, running = with_peer(self, kind, "t")
            peer.greet()
            peer.reply(peer.read("events.subscribe"), SNAPSHOT)
        return broker, client, peer

    def test_odd_lines_change_nothing(self):
        for kind in (callbroker.Provider, callbroker.Observer):
            _, client, peer = self.ready(kind)
            for line in ODD:
                with self.subTest(line=line[:60]):
                    peer.raw(line + b"\n")
                    pong = client.ping(line.hex()[:60])
                    frame = peer.read()
                    while frame.get("method") != "broker.ping":
                        if frame.get("method", "").startswith("events."):   # it mends a gap
                            peer.reply(frame, SNAPSHOT)
                        else:                                               # it refuses a request
                            self.assertEqual(frame["error"]["code"] // 1000, -33)
                        frame = peer.read()
                    peer.reply(frame, frame["params"])
                    self.assertEqual(pong.result(CEILING), frame["params"])

    def test_frames_may_come_in_pieces_or_together(self):
        _, client, peer = self.ready()
        whole = b"".join(encoded(frame) for frame in (
            {"id": 70, "method": "broker.ping", "params": {"payload": "ü€"}},
            {"id": 71, "method": "provider.perform", "params": {
                "action": "a", "kind": "answer", "call": CALL, "arguments": {}, "x_new": [1]}},
            {"id": 72, "method": "broker.ping"}))
        dice = random.Random(SEED)
        for cuts in (1, 2, 5, 40, len(whole)):
            with self.subTest(seed=SEED, cuts=cuts):
                at = sorted(dice.sample(range(1, len(whole)), min(cuts, len(whole)) - 1))
                for start, end in zip([0, *at], [*at, len(whole)]):
                    peer.raw(whole[start:end])
                replies = {frame["id"]: frame["result"] for frame in
                           (peer.read(), peer.read(), peer.read())}
                self.assertEqual(replies, {70: {"payload": "ü€"}, 71: {}, 72: {}})

    def test_a_reply_counts_once(self):
        _, client, peer = self.ready()
        ended = client.report_ended(CALL, "failed")
        number = peer.read("call.report_ended")["id"]
        peer.send({"id": number + 1, "result": {"seq": 0}},
                  {"id": str(number), "result": {"seq": 0}},
                  {"id": number, "result": {"seq": 1, "x_new": {}}},
                  {"id": number, "result": {"seq": 2}},
                  {"id": number, "error": {"code": -32004, "message": "x"}})
        self.assertEqual(ended.result(CEILING), {"seq": 1, "x_new": {}})
        peer.reply_to_ping(client)

    def test_replies_may_overtake_each_other(self):
        _, client, peer = self.ready()
        replies = [client.ping(n) for n in range(5)]
        frames = [peer.read("broker.ping") for _ in replies]
        peer.send(*[{"id": f["id"], "result": f["params"]} for f in reversed(frames)])
        self.assertEqual([r.result(CEILING)["payload"] for r in replies], list(range(5)))

    def test_the_last_line_needs_no_end(self):
        _, client, peer = self.ready()
        reply = client.report_ended(CALL, "failed")
        number = peer.read()["id"]
        peer.raw(encoded({"id": number, "result": {"seq": 5}})[:-1])
        peer.socket.shutdown(1)
        self.assertEqual(reply.result(CEILING), {"seq": 5})

    def test_a_long_document_comes_through_and_an_endless_line_ends_the_connection(self):
        broker, client, peer = self.ready()
        reply = client.discover()
        peer.reply(peer.read(), {"methods": ["x" * 900_000]})
        self.assertEqual(len(reply.result(CEILING)["methods"][0]), 900_000)
        with self.assertRaises(OSError):
            while True:
                peer.raw(b"x" * 65_536)
        broker.accept().greet_provider()

    def test_lost_at_each_point(self):
        """The connection breaks anywhere in a session; a new one always follows."""
        broker, client, peer, _ = with_peer(self, callbroker.Provider, "org.example.a", "A")
        client.on_answer(lambda action: None)
        replies = encoded({"id": 1, "result": {"session": {
            **SESSION, "resumed": True, "grace_ms": 0}}})
        for cut in range(0, len(replies) + 1, 7):
            peer.read("broker.hello")
            peer.raw(replies[:cut])
            peer.close()
            peer = broker.accept()
        for step in ("hello read", "registered", "asked", "half answered"):
            with self.subTest(step=step):
                hello = peer.read("broker.hello")
                if step != "hello read":
                    peer.reply(hello)
                    peer.reply(peer.read("provider.register"))
                    peer.reply_to_ping(client)
                if step in ("asked", "half answered"):
                    reply = client.report_connected(CALL)
                    frame = peer.read("call.report_connected")
                    if step == "half answered":
                        peer.raw(encoded({"id": frame["id"], "result": {}})[:9])
                    peer.close()
                    with self.assertRaises(callbroker.Disconnected):
                        reply.result(CEILING)
                peer.close()
                peer = broker.accept()
        peer.greet_provider()
        peer.perform(7)
        self.assertEqual(peer.read()["id"], 7)


if __name__ == "__main__":
    unittest.main()
