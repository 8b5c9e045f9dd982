"""Snapshots, events, gaps and cursors."""
import asyncio
import queue
import threading
import unittest

from scripted_broker import CEILING, callbroker, with_peer


TONES = {"digits": "1", "until": "user"}


def call(name, rev=1, **members):
    return {"call": name, "rev": rev, "state": "ringing", **members}


class ObserverTests(unittest.TestCase):
    def setUp(self):
        self.broker, self.watch, self.peer, _ = with_peer(self, callbroker.Observer, "t")
        self.seq = 0

    def subscribed(self, peer, calls=(), seq=0, subscription="s1", next_page=None, **result):
        """Takes a subscription and sends the snapshot."""
        request = peer.read("events.subscribe")
        page = {"calls": list(calls)}
        if next_page is not None:
            page["next"] = next_page
        peer.reply(request, {"subscription": subscription, "epoch": "e", "seq": seq,
                             "resync": False, "snapshot": page, **result})
        self.seq = seq
        return request["params"]

    def event(self, topic, data, subscription="s1", prev=None, **members):
        self.seq += 1
        prev = self.seq - 1 if prev is None else prev
        return {"method": "event", "params": {
            "subscription": subscription, "epoch": "e", "seq": self.seq, "prev": prev,
            "at_ms": 0, "topic": topic, "data": data, **members}}

    def next(self):
        return self.watch.next_event().result(CEILING)

    def test_a_snapshot_then_what_happens(self):
        self.peer.greet()
        self.assertEqual(self.subscribed(self.peer, [call("a")], seq=5), {"topics": ["*"]})
        self.assertEqual(self.next(), {"topic": "snapshot", "data": {}, "epoch": "e", "seq": 5})
        self.assertEqual(self.watch.calls, {"a": call("a")})
        self.peer.send(self.event("call.added", call("b")),
                       self.event("call.changed", call("a", 2, state="active")),
                       self.event("call.changed", call("a", 1, state="old")),
                       self.event("call.removed", {"call": "b"}, call="b"),
                       self.event("x_unheard_of", {"x": 1}))
        topics = [self.next()["topic"] for _ in range(5)]
        self.assertEqual(topics, ["call.added", "call.changed", "call.changed", "call.removed",
                                  "x_unheard_of"])
        self.assertEqual(self.watch.calls, {"a": call("a", 2, state="active")})
        self.assertEqual(self.watch.cursor, {"epoch": "e", "seq": 10})

    def test_pages_and_events_cannot_cross(self):
        self.peer.greet()
        self.subscribed(self.peer, [call("a")], seq=5, next_page="a")
        request = self.peer.read("call.list")
        self.assertEqual(request["params"], {"after": "a"})
        self.peer.send({"id": request["id"], "result": {"calls": [call("b"), call("c")]}},
                       self.event("call.removed", {"call": "c"}, call="c"))
        self.assertEqual([self.next()["topic"], self.next()["topic"]],
                         ["snapshot", "call.removed"])
        self.assertEqual(list(self.watch.calls), ["a", "b"])

    def test_after_a_loss_it_goes_on_from_the_cursor(self):
        self.peer.greet()
        self.subscribed(self.peer, [call("a")], seq=5)
        self.peer.send(self.event("call.added", call("b")))
        self.assertEqual([self.next()["topic"], self.next()["topic"]], ["snapshot", "call.added"])
        self.peer.close()
        peer = self.broker.accept()
        peer.greet()
        request = peer.read("events.subscribe")
        self.assertEqual(request["params"], {"topics": ["*"], "cursor": {"epoch": "e", "seq": 6}})
        replayed = self.event("call.removed", {"call": "b"}, "s2", call="b")
        later = self.event("call.added", call("c"), "s2")
        peer.send(replayed, {"id": request["id"], "result": {
            "subscription": "s2", "epoch": "e", "seq": 7, "resync": False}}, later)
        self.assertEqual([self.next()["topic"], self.next()["topic"]],
                         ["call.removed", "call.added"])
        self.assertEqual(list(self.watch.calls), ["a", "c"])

    def test_a_gap_is_repaired_by_a_snapshot(self):
        self.peer.greet()
        self.subscribed(self.peer, [call("a")], seq=5)
        gap = {"method": "events.gap", "params": {
            "subscription": "s1", "from": 6, "to": 9, "reason": "overflow"}}
        stray = self.event("call.added", call("x"), "s0")
        self.peer.send(gap, gap, stray)
        self.peer.reply(self.peer.read("events.unsubscribe"))
        self.assertEqual(self.subscribed(self.peer, [call("b")], 9, "s2", resync=True),
                         {"topics": ["*"]})
        self.assertEqual([self.next()["seq"], self.next()["seq"]], [5, 9])
        self.assertEqual(list(self.watch.calls), ["b"])

    def test_a_jump_in_prev_or_another_epoch_is_a_gap(self):
        self.peer.greet()
        self.subscribed(self.peer, [call("a")], seq=5)
        self.peer.send(self.event("call.added", call("x"), prev=99))
        self.peer.reply(self.peer.read("events.unsubscribe"))
        self.subscribed(self.peer, [call("b")], 9, "s2")
        self.peer.send(self.event("call.added", call("x"), "s2", epoch="f"))
        self.peer.reply(self.peer.read("events.unsubscribe"))
        self.subscribed(self.peer, [], 10, "s3")
        self.assertEqual([self.next()["seq"] for _ in range(3)], [5, 9, 10])
        self.assertEqual(self.watch.calls, {})

    def test_a_subscription_that_is_refused_is_made_in_a_new_session(self):
        self.peer.greet()
        self.subscribed(self.peer, seq=5)
        self.peer.send(self.event("call.added", call("x"), prev=99))
        self.peer.reply(self.peer.read("events.unsubscribe"))
        self.peer.refuse(self.peer.read("events.subscribe"), -32012, reason="pending")
        peer = self.broker.accept()
        peer.greet()
        self.subscribed(peer, seq=7)

    def test_bookmarks_move_the_cursor_and_are_not_told(self):
        self.peer.greet()
        self.subscribed(self.peer, seq=5)
        self.seq = 80
        self.peer.send(self.event("broker.bookmark", {}, prev=5),
                       self.event("call.added", call("a"), prev=5))
        self.assertEqual([self.next()["topic"], self.next()["topic"]], ["snapshot", "call.added"])
        self.assertEqual(self.watch.cursor, {"epoch": "e", "seq": 82})

    def test_a_line_of_a_plugin_takes_no_number_and_is_told(self):
        self.peer.greet()
        self.subscribed(self.peer, seq=5)
        self.seq = 4
        self.peer.send(self.event("plugin.log", {"number": 1}, prev=5))
        self.assertEqual([self.next()["topic"], self.next()["topic"]], ["snapshot", "plugin.log"])

    def test_what_is_allowed_changes_without_the_call_and_takes_no_number(self):
        self.peer.greet()
        self.subscribed(self.peer, [call("a", allowed=["end", "merge"], merge_with=["b"], paused_tones=TONES)], seq=5)
        self.seq = 4
        self.peer.send(self.event("call.allowed_changed", {"call": "a", "allowed": ["end"]}, prev=5))
        self.assertEqual([self.next()["topic"], self.next()["topic"]],
                         ["snapshot", "call.allowed_changed"])
        self.assertEqual(self.watch.calls, {"a": call("a", allowed=["end"])})
        self.assertEqual(self.watch.cursor, {"epoch": "e", "seq": 5})

    def test_the_presence_of_the_host_takes_no_number_and_is_told(self):
        self.peer.greet()
        self.subscribed(self.peer, seq=5)
        self.seq = 4
        self.peer.send(self.event("host.presence", {"state": "in_call"}, prev=5))
        self.assertEqual([self.next()["topic"], self.next()["topic"]],
                         ["snapshot", "host.presence"])
        self.assertEqual(self.watch.cursor, {"epoch": "e", "seq": 5})

    FEATURES = {"call_changes": {"version": 1, "granted": False}}

    def test_changes_are_told_as_whole_calls(self):
        self.peer.greet(features=self.FEATURES)
        known = call("a", display_name="Ada", pending_action="answering")
        self.assertEqual(self.subscribed(self.peer, [known], seq=5),
                         {"topics": ["*"], "detail": "changes"})
        cause = {"origin": "user"}
        told = queue.Queue()
        self.watch.on("event")(told.put)
        self.peer.send(
            self.event("call.changed", {
                "set": {"state": "active", "rev": 2}, "removed": ["pending_action"],
                "changed": ["state", "pending_action"], "cause": cause}, call="a"),
            self.event("call.changed", {"set": {"muted": True, "rev": 3}, "changed": ["muted"],
                                        "cause": cause}, call="a"))
        whole = call("a", 2, state="active", display_name="Ada",
                     changed=["state", "pending_action"], cause=cause)
        self.assertEqual(self.next()["topic"], "snapshot")
        self.assertEqual(self.next()["data"], whole)
        self.assertEqual(self.next()["data"], {**whole, "rev": 3, "muted": True,
                                               "changed": ["muted"]})
        self.assertEqual(self.watch.calls["a"]["muted"], True)
        self.assertEqual([told.get(timeout=CEILING)["data"]["state"] for _ in range(2)], ["active", "active"])

    def test_changes_go_on_after_a_loss(self):
        self.peer.greet(features=self.FEATURES)
        self.subscribed(self.peer, [call("a", muted=False)], seq=5)
        self.assertEqual(self.next()["topic"], "snapshot")
        self.peer.close()
        peer = self.broker.accept()
        peer.greet(features=self.FEATURES)
        request = peer.read("events.subscribe")
        self.assertEqual(request["params"], {"topics": ["*"], "detail": "changes",
                                             "cursor": {"epoch": "e", "seq": 5}})
        peer.reply(request, {"subscription": "s2", "epoch": "e", "seq": 6, "resync": False})
        peer.send(self.event("call.changed", {"set": {"muted": True, "rev": 2}}, "s2", call="a"))
        self.assertEqual(self.next()["data"]["muted"], True)

    def test_changes_of_an_unknown_call_are_repaired_by_a_snapshot(self):
        self.peer.greet(features=self.FEATURES)
        self.subscribed(self.peer, [], seq=5)
        self.peer.send(self.event("call.changed", {"set": {"rev": 2}}, call="a"))
        self.peer.reply(self.peer.read("events.unsubscribe"))
        self.subscribed(self.peer, [call("a", 2)], 6, "s2")
        self.assertEqual([self.next()["seq"], self.next()["seq"]], [5, 6])
        self.assertEqual(list(self.watch.calls), ["a"])

    def test_whole_calls_are_asked_for_without_the_calls_that_change(self):
        for more in ({"topics": ["call.changed"]}, {"cursor": {"epoch": "e", "seq": 5}}):
            _, _, peer, _ = with_peer(self, callbroker.Observer, "t", **more)
            peer.greet(features=self.FEATURES)
            self.assertNotIn("detail", peer.read("events.subscribe")["params"])

    def test_whoever_reads_slowly_gets_a_snapshot(self):
        callbroker.EVENTS_KEPT, kept = 3, callbroker.EVENTS_KEPT
        self.addCleanup(setattr, callbroker, "EVENTS_KEPT", kept)
        self.peer.greet()
        self.subscribed(self.peer, seq=0)
        self.peer.send(*[self.event("call.added", call(str(n))) for n in range(5)])
        self.peer.reply_to_ping(self.watch)
        self.assertEqual([self.next().get("seq") for _ in range(3)], [3, 4, 5])
        self.assertEqual(len(self.watch.calls), 5)

    def test_iterating_may_begin_with_serving(self):
        watch, topics = callbroker.Observer("t", socket=self.broker.path), []

        async def first_event():
            async for event in watch:
                topics.append(event["topic"])
                watch.close()

        async def both():
            await asyncio.gather(watch.serve(), first_event())
        thread = threading.Thread(target=lambda: asyncio.run(both()))
        thread.start()
        peer = self.broker.accept()
        peer.greet()
        self.subscribed(peer)
        thread.join(CEILING)
        self.assertEqual(topics, ["snapshot"])

    def test_iterating_ends_with_the_client(self):
        self.peer.greet()
        self.subscribed(self.peer, seq=5)
        topics, first = [], threading.Event()

        def consume():
            for event in self.watch:
                topics.append(event["topic"])
                first.set()
        thread = threading.Thread(target=consume)
        thread.start()
        self.assertTrue(first.wait(CEILING))
        self.watch.close()
        thread.join(CEILING)
        self.assertEqual(topics, ["snapshot"])

        async def consume_async():
            return [event async for event in self.watch]
        self.assertEqual(asyncio.run(consume_async()), [])


if __name__ == "__main__":
    unittest.main()
