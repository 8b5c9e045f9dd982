"""Every method sends exactly the frame of the contract."""
import json
import unittest

from scripted_broker import ACTION, CALL, CEILING, OTHER, callbroker, with_peer

PHONE = {"type": "phone", "value": "+15550100"}
OPTIONS = {"transaction": OTHER, "deadline_ms": 1000, "dry_run": True, "on_conflict": "end",
           "wait": "completed"}

ANY = [
    (lambda c: c.ping(), "broker.ping", {}),
    (lambda c: c.ping({"a": None}), "broker.ping", {"payload": {"a": None}}),
    (lambda c: c.info(), "broker.info", {}),
    (lambda c: c.describe("call.end"), "broker.describe", {"name": "call.end"}),
    (lambda c: c.discover(), "rpc.discover", {}),
    (lambda c: c.request("x_new.method", {"x_a": 1}), "x_new.method", {"x_a": 1}),
]

CONTROLLER = [
    (lambda c: c.transact([{"kind": "end", "call": CALL, "arguments": {}}], wait="completed"),
     "transaction.request",
     {"actions": [{"kind": "end", "call": CALL, "arguments": {}}], "wait": "completed"}),
    (lambda c: c.start(PHONE), "call.start", {"remote": PHONE}),
    (lambda c: c.start(callbroker.phone("+15550100"), call=CALL, provider="org.a", has_video=True,
                       contact="7", emergency=False, background=True, **OPTIONS), "call.start",
     {"remote": PHONE, **OPTIONS, "call": CALL, "provider": "org.a", "has_video": True,
      "contact": "7", "emergency": False, "background": True}),
    (lambda c: c.dial("tel:+15550100", provider="org.a", has_video=False), "call.dial",
     {"uri": "tel:+15550100", "provider": "org.a", "has_video": False}),
    (lambda c: c.start(PHONE, provider="org.a", line="work"), "call.start",
     {"remote": PHONE, "provider": "org.a", "line": "work"}),
    (lambda c: c.dial("tel:+15550100", line="work"), "call.dial",
     {"uri": "tel:+15550100", "line": "work"}),
    (lambda c: c.answer(CALL), "call.answer", {"call": CALL}),
    (lambda c: c.answer(CALL, "hold_and_answer", dry_run=True), "call.answer",
     {"call": CALL, "dry_run": True, "choice": "hold_and_answer"}),
    (lambda c: c.pull(CALL, "end_and_answer"), "call.pull",
     {"call": CALL, "choice": "end_and_answer"}),
    (lambda c: c.end(CALL, wait="completed"), "call.end", {"call": CALL, "wait": "completed"}),
    (lambda c: c.set_held(CALL, True), "call.set_held", {"call": CALL, "held": True}),
    (lambda c: c.set_muted(CALL, False), "call.set_muted", {"call": CALL, "muted": False}),
    (lambda c: c.set_group(CALL, OTHER), "call.set_group", {"call": CALL, "with": OTHER}),
    (lambda c: c.set_group(CALL, None), "call.set_group", {"call": CALL, "with": None}),
    (lambda c: c.set_endpoint(CALL, "car"), "call.set_endpoint", {"call": CALL, "endpoint": "car"}),
    (lambda c: c.set_line_setting("org.m", "sim", "call_waiting", False), "line.set_setting",
     {"provider": "org.m", "line": "sim", "setting": "call_waiting", "on": False}),
    (lambda c: c.set_line_setting("org.m", "sim", "forward_no_reply", True, PHONE, 20_000),
     "line.set_setting", {"provider": "org.m", "line": "sim", "setting": "forward_no_reply",
                          "on": True, "to": PHONE, "after_ms": 20_000}),
    (lambda c: c.set_video(CALL, "both"), "call.set_video", {"call": CALL, "video": "both"}),
    (lambda c: c.set_text(CALL, True), "call.set_text", {"call": CALL, "text": True}),
    (lambda c: c.send_text(CALL, "hi"), "call.send_text", {"call": CALL, "text": "hi"}),
    (lambda c: c.update_participant(CALL, "7", hand_raised=False), "participant.update",
     {"call": CALL, "participant": "7", "hand_raised": False}),
    (lambda c: c.update_participant(CALL, "7", muted=True), "participant.update",
     {"call": CALL, "participant": "7", "muted": True}),
    (lambda c: c.set_host_endpoint("car"), "audio.set_endpoint", {"endpoint": "car"}),
    (lambda c: c.transfer(CALL, PHONE), "call.transfer", {"call": CALL, "to": PHONE}),
    (lambda c: c.attended_transfer(CALL, OTHER), "call.attended_transfer", {"call": CALL, "with": OTHER}),
    (lambda c: c.deflect(CALL, PHONE), "call.deflect", {"call": CALL, "to": PHONE}),
    (lambda c: c.play_dtmf(CALL, "12#", "soft_pause"), "call.play_dtmf",
     {"call": CALL, "digits": "12#", "style": "soft_pause"}),
    (lambda c: c.swap(), "call.swap", {}),
    (lambda c: c.swap(CALL), "call.swap", {"call": CALL}),
    (lambda c: c.merge(CALL, OTHER), "call.merge", {"call": CALL, "with": OTHER}),
    (lambda c: c.split(CALL), "call.split", {"call": CALL}),
    (lambda c: c.press_button("long"), "call.press_button", {"press": "long"}),
    (lambda c: c.silence(CALL), "call.silence", {"call": CALL}),
    (lambda c: c.prioritize(CALL), "call.prioritize", {"call": CALL}),
    (lambda c: c.continue_tones(CALL), "call.continue_tones", {"call": CALL}),
    (lambda c: c.continue_tones(CALL, send=False), "call.continue_tones", {"call": CALL, "send": False}),
    (lambda c: c.explain(call=CALL), "call.explain", {"call": CALL}),
    (lambda c: c.timeline(CALL), "call.timeline", {"call": CALL}),
    (lambda c: c.timeline(CALL, after="7", limit=2), "call.timeline",
     {"call": CALL, "after": "7", "limit": 2}),
    (lambda c: c.explain(transaction=OTHER), "call.explain", {"transaction": OTHER}),
    (lambda c: c.list_transactions(limit=5), "transaction.list", {"limit": 5}),
    (lambda c: c.list_calls(after=CALL, limit=5), "call.list", {"after": CALL, "limit": 5}),
    (lambda c: c.get_call(call=CALL), "call.get", {"call": CALL}),
    (lambda c: c.list_providers(), "provider.list", {}),
    (lambda c: c.get_host(), "host.get", {}),
    (lambda c: c.get_policy(), "policy.get", {}),
    (lambda c: c.set_policy(do_not_disturb={"on": True, "until_at_ms": None}), "policy.set",
     {"do_not_disturb": {"on": True, "until_at_ms": None}}),
    (lambda c: c.block(handle=PHONE, reason="spam"), "block.add",
     {"handle": PHONE, "reason": "spam"}),
    (lambda c: c.unblock(handle=PHONE), "block.remove", {"handle": PHONE}),
    (lambda c: c.list_blocks(), "block.list", {}),
    (lambda c: c.put_contact(name="Ann", handles=[PHONE]), "contact.put",
     {"name": "Ann", "handles": [PHONE]}),
    (lambda c: c.remove_contact(name="Ann"), "contact.remove", {"name": "Ann"}),
    (lambda c: c.list_contacts(), "contact.list", {}),
    (lambda c: c.list_history(filter={"missed": True}, limit=5), "history.list",
     {"filter": {"missed": True}, "limit": 5}),
    (lambda c: c.sum_history(by="handle"), "history.sum", {"by": "handle"}),
    (lambda c: c.remove_history(call=CALL), "history.remove", {"call": CALL}),
    (lambda c: c.clear_history(), "history.clear", {}),
]

PROVIDER = [
    (lambda c: c.report_incoming(CALL, PHONE), "call.report_incoming",
     {"call": CALL, "remote": PHONE}),
    (lambda c: c.report_incoming(CALL, PHONE, display_name=None, has_video=True,
                                 supports_holding=False, received_at_ms=5), "call.report_incoming",
     {"call": CALL, "remote": PHONE, "display_name": None, "has_video": True,
      "supports_holding": False, "received_at_ms": 5}),
    (lambda c: c.report_connecting(CALL), "call.report_connecting", {"call": CALL}),
    (lambda c: c.report_connected(CALL, 7), "call.report_connected", {"call": CALL, "at_ms": 7}),
    (lambda c: c.report_held(CALL, False), "call.report_held", {"call": CALL, "held": False}),
    (lambda c: c.report_muted(CALL, True), "call.report_muted", {"call": CALL, "muted": True}),
    (lambda c: c.report_group(CALL, OTHER), "call.report_group", {"call": CALL, "with": OTHER}),
    (lambda c: c.report_group(CALL, None, 7), "call.report_group",
     {"call": CALL, "with": None, "at_ms": 7}),
    (lambda c: c.report_missed(CALL, PHONE, "caller_gave_up", 7, display_name="Ann"),
     "call.report_missed", {"call": CALL, "remote": PHONE, "reason": "caller_gave_up", "at_ms": 7,
                            "display_name": "Ann"}),
    (lambda c: c.report_update(CALL, remote_held=True, display_name=None), "call.report_update",
     {"call": CALL, "remote_held": True, "display_name": None}),
    (lambda c: c.report_video_request(CALL, "both"), "call.report_video_request",
     {"call": CALL, "video": "both"}),
    (lambda c: c.report_video_request(CALL, None, 7), "call.report_video_request",
     {"call": CALL, "video": None, "at_ms": 7}),
    (lambda c: c.report_quality(CALL, loss_permille=12, round_trip_ms=45), "call.report_quality",
     {"call": CALL, "loss_permille": 12, "round_trip_ms": 45}),
    (lambda c: c.report_text_request(CALL), "call.report_text_request",
     {"call": CALL, "requested": True}),
    (lambda c: c.report_text_request(CALL, False, 7), "call.report_text_request",
     {"call": CALL, "requested": False, "at_ms": 7}),
    (lambda c: c.report_text(CALL, "hel"), "call.report_text", {"call": CALL, "text": "hel"}),
    (lambda c: c.report_participants(CALL, [{"participant": "7", "muted": True}], replace=True),
     "call.report_participants",
     {"call": CALL, "changed": [{"participant": "7", "muted": True}], "replace": True}),
    (lambda c: c.report_participants(CALL, removed=["7"]), "call.report_participants",
     {"call": CALL, "removed": ["7"]}),
    (lambda c: c.report_update(CALL, remote=PHONE), "call.report_update",
     {"call": CALL, "remote": PHONE}),
    (lambda c: c.report_incoming(CALL, PHONE, line="work"), "call.report_incoming",
     {"call": CALL, "remote": PHONE, "line": "work"}),
    (lambda c: c.report_missed(CALL, PHONE, "caller_gave_up", 7, line="work"),
     "call.report_missed", {"call": CALL, "remote": PHONE, "reason": "caller_gave_up", "at_ms": 7,
                            "line": "work"}),
    (lambda c: c.report_update(CALL, line=None), "call.report_update",
     {"call": CALL, "line": None}),
    (lambda c: c.report_external(CALL, PHONE, direction="outgoing", elsewhere="Tablet",
                                 supports_pull=True), "call.report_external",
     {"call": CALL, "remote": PHONE, "direction": "outgoing", "elsewhere": "Tablet",
      "supports_pull": True}),
    (lambda c: c.report_ended(CALL, "answered_elsewhere", elsewhere="Tablet"),
     "call.report_ended",
     {"call": CALL, "reason": "answered_elsewhere", "elsewhere": "Tablet"}),
    (lambda c: c.report_ended(CALL, "remote_ended"), "call.report_ended",
     {"call": CALL, "reason": "remote_ended"}),
    (lambda c: c.update(display_name="B"), "provider.update", {"display_name": "B"}),
    (lambda c: c.update(lines=[]), "provider.update", {"lines": []}),
    (lambda c: c.unregister(), "provider.unregister", {}),
    (lambda c: c.request_authorization(), "provider.request_authorization", {}),
    (lambda c: c.settle(ACTION), "action.settle", {"action": ACTION, "outcome": "fulfilled"}),
    (lambda c: c.settle(ACTION, "failed", reason="busy", at_ms=7), "action.settle",
     {"action": ACTION, "outcome": "failed", "reason": "busy", "at_ms": 7}),
    (lambda c: c.end(CALL), "call.end", {"call": CALL}),
]

SCREEN = [
    (lambda c: c.claim(priority=3), "ui.claim", {"priority": 3}),
    (lambda c: c.release(), "ui.release", {}),
]

DIRECTORY = [
    (lambda c: c.put_entries(generation=1, final=True, entries=[]), "directory.put_entries",
     {"generation": 1, "final": True, "entries": []}),
    (lambda c: c.clear(generation=1), "directory.clear", {"generation": 1}),
]

ADMIN = [
    (lambda c: c.plugin("restart", plugin="org.a"), "plugin.restart", {"plugin": "org.a"}),
    (lambda c: c.stats(), "broker.stats", {}),
    (lambda c: c.metrics(), "broker.metrics", {}),
    (lambda c: c.dump(), "broker.dump", {}),
    (lambda c: c.backup(), "broker.backup", {}),
    (lambda c: c.list_connections(limit=5), "connection.list", {"limit": 5}),
    (lambda c: c.issue_grant(name="box"), "grant.issue", {"name": "box"}),
    (lambda c: c.list_grants(), "grant.list", {}),
    (lambda c: c.revoke_grant(name="box"), "grant.revoke", {"name": "box"}),
    (lambda c: c.list_questions(), "question.list", {}),
    (lambda c: c.answer_question(question=1, answer="deny"), "question.answer",
     {"question": 1, "answer": "deny"}),
    (lambda c: c.shutdown(), "broker.shutdown", {}),
    (lambda c: c.advance(ms=5), "test.advance", {"ms": 5}),
    (lambda c: c.settle_all(ignore=["org.a"]), "test.settle", {"ignore": ["org.a"]}),
]


class FramesTests(unittest.TestCase):
    def check(self, rows, client, peer):
        for send, method, params in rows:
            with self.subTest(method=method, params=params):
                reply = send(client)
                line = peer.line()
                frame = json.loads(line)
                self.assertEqual(frame, {"jsonrpc": "2.0", "id": frame["id"], "method": method,
                                         "params": params})
                self.assertEqual(list(frame), ["jsonrpc", "id", "method", "params"])
                self.assertNotIn(b" ", line, "frames are compact")
                peer.reply(frame, {"seq": 4, "x_unknown": 1})
                self.assertEqual(reply.result(CEILING), {"seq": 4, "x_unknown": 1})

    def test_any_role(self):
        _, client, peer, _ = with_peer(self, callbroker.Client, "t")
        peer.greet()
        self.check(ANY, client, peer)

    def test_controller(self):
        _, client, peer, _ = with_peer(self, callbroker.Controller, "t")
        peer.greet()
        self.check(CONTROLLER, client, peer)

    def test_provider(self):
        _, client, peer, _ = with_peer(self, callbroker.Provider, "org.example.a", "A")
        peer.greet_provider()
        self.check(PROVIDER, client, peer)

    def test_directory(self):
        _, client, peer, _ = with_peer(self, callbroker.Directory, "t", identity="org.d")
        peer.greet()
        self.check(DIRECTORY, client, peer)

    def test_admin(self):
        _, client, peer, _ = with_peer(self, callbroker.Admin, "t")
        peer.greet()
        self.check(ADMIN, client, peer)

    def test_screen_and_observer(self):
        _, client, peer, _ = with_peer(self, callbroker.Screen, "t", identity="org.s",
                                       topics=["call.*"], include_ended=True)
        self.assertEqual(peer.greet()["params"]["roles"], ["ui", "controller", "observer"])
        subscribe = peer.read("events.subscribe")
        self.assertEqual(subscribe["params"], {"topics": ["call.*"], "include_ended": True})
        peer.reply(subscribe, {"subscription": "1", "epoch": "e", "seq": 0, "resync": False,
                               "snapshot": {"calls": []}})
        self.check(SCREEN, client, peer)
        self.check([
            (lambda c: c.subscribe(["*"], cursor={"epoch": "e", "seq": 3}, snapshot=False),
             "events.subscribe",
             {"topics": ["*"], "cursor": {"epoch": "e", "seq": 3}, "snapshot": False}),
            (lambda c: c.unsubscribe("2"), "events.unsubscribe", {"subscription": "2"}),
        ], client, peer)

    def test_notifications(self):
        _, client, peer, _ = with_peer(self, callbroker.Client, "t")
        peer.greet()
        peer.reply_to_ping(client)
        client.log("notice", "trunk is back", line=2)
        self.assertEqual(peer.read(), {"jsonrpc": "2.0", "method": "broker.log", "params": {
            "level": "notice", "message": "trunk is back", "fields": {"line": 2}}})
        client.close(resumable=True)
        self.assertEqual(peer.read(), {"jsonrpc": "2.0", "method": "broker.goodbye", "params": {
            "reason": "closed", "resumable": True}})

    def test_hello_and_register(self):
        _, _, peer, _ = with_peer(
            self, callbroker.Provider, "org.example.a", "A", version="2", name="a",
            features=["presentation"], handle_types=["phone"], app_process="separate",
            kind="adapter",
            action_deadlines={"answer": 9000})
        self.assertEqual(peer.greet()["params"], {
            "protocol": {"min": 1, "max": 1}, "client": {"name": "a", "version": "2"},
            "roles": ["provider", "controller"], "identity": "org.example.a",
            "features": ["presentation"]})
        self.assertEqual(peer.read("provider.register")["params"], {
            "display_name": "A", "handle_types": ["phone"], "app_process": "separate",
            "kind": "adapter",
            "action_deadlines": {"answer": 9000}})


if __name__ == "__main__":
    unittest.main()
