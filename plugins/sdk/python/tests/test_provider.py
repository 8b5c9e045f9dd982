"""What a provider does with actions, and with what it is told."""
import asyncio
import threading
import unittest

from scripted_broker import ACTION, CALL, CEILING, OTHER, SESSION, callbroker, with_peer

FULFILLED = {"jsonrpc": "2.0", "id": 7, "result": {}}
KINDS = {"start": {"remote": {"type": "phone", "value": "+1"}, "has_video": False}, "answer": {},
         "end": {}, "set_held": {"held": True}, "set_muted": {"muted": False},
         "set_group": {"with": OTHER}, "play_dtmf": {"digits": "1#", "style": "single"}}


def error(number, code, reason, message, **data):
    return {"jsonrpc": "2.0", "id": number, "error": {
        "code": code, "message": message, "data": {"reason": reason, **data}}}


class ProviderTests(unittest.TestCase):
    def setUp(self):
        self.broker, self.phone, self.peer, _ = with_peer(
            self, callbroker.Provider, "org.example.a", "A", handle_types=["phone"])

    def test_each_kind_reaches_its_handler(self):
        seen = []
        for kind in KINDS:
            getattr(self.phone, f"on_{kind}")(seen.append)
        self.peer.greet_provider()
        for number, (kind, arguments) in enumerate(KINDS.items()):
            self.peer.perform(number, kind, action=f"a{number}", **arguments)
            self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": number, "result": {}})
        self.assertEqual([(a.kind, a.arguments, a.call, a.transaction, a.cause, a.deadline_ms)
                          for a in seen],
                         [(kind, arguments, CALL, "t", {"origin": "user"}, 5000)
                          for kind, arguments in KINDS.items()])

    def test_a_start_names_the_line_that_places_it(self):
        seen = []
        self.phone.on_start(lambda action: seen.append(action.line))
        self.peer.greet_provider()
        for number, line in enumerate(({"line": "work"}, {})):
            self.peer.perform(number, "start", action=f"a{number}", **KINDS["start"], **line)
            self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": number, "result": {}})
        self.assertEqual(seen, ["work", None])

    def test_the_lines_of_an_update_are_registered_again(self):
        line = {"line": "work", "label": "Work", "state": "failed", "reason": "403 Forbidden"}
        self.peer.greet_provider()
        self.phone.update(lines=[line], icon="x")
        update = self.peer.read("provider.update")
        self.peer.reply(update)
        self.assertEqual(update["params"], {"lines": [line], "icon": "x"})
        self.phone.update(icon="y")
        self.assertEqual(self.peer.read("provider.update")["params"], {"icon": "y"})
        self.peer.close()
        self.peer = self.broker.accept()
        self.assertEqual(self.peer.greet_provider()["params"], {
            "display_name": "A", "handle_types": ["phone"], "lines": [line], "icon": "y"})

    def test_updates_that_waited_for_the_session_take_nothing_back(self):
        hello = self.peer.read("broker.hello")
        self.phone.update(icon="x")
        self.phone.update(icon="y")
        self.peer.reply(hello, {"protocol": 1, "session": {**SESSION, "resumed": False,
                                                           "grace_ms": 0}})
        register = self.peer.read("provider.register")
        self.peer.reply(register, {"provider": "org.example.a", "calls": [], "dropped": []})
        updates = [self.peer.read("provider.update") for _ in range(2)]
        self.assertEqual([frame["params"].get("icon") for frame in (register, *updates)],
                         ["y", "y", "y"])

    def test_fulfilled_failed_broken_and_unknown(self):
        @self.phone.on_answer
        async def answer(action):
            if action.id == "fails":
                raise callbroker.Failed("remote_refused", "far end refused")
            if action.id == "breaks":
                raise KeyError("x")
            return 1763712000000

        @self.phone.on_action("x_blink")
        def blink(action):
            raise callbroker.Failed("no_lamp", app_code="LED 4")
        self.phone.on_action("x_glow")(lambda action: self.fail_with(app_code="LED 5"))
        self.peer.greet_provider()
        self.peer.perform(7, action="works")
        self.assertEqual(self.peer.read()["result"], {"at_ms": 1763712000000})
        self.peer.perform(8, action="fails")
        self.assertEqual(self.peer.read(), error(8, -32000, "remote_refused", "far end refused"))
        with self.assertLogs(callbroker.log, "ERROR"):
            self.peer.perform(9, action="breaks")
            self.assertEqual(self.peer.read(), error(9, -32603, "internal", "the handler failed"))
        self.peer.perform(10, "x_blink", action="b")
        self.assertEqual(self.peer.read(),
                         error(10, -32000, "no_lamp", "", app_code="LED 4"))
        self.peer.perform(10, "x_glow", action="g")
        self.assertEqual(self.peer.read(),
                         error(10, -32000, "unspecified", "", app_code="LED 5"))
        self.peer.perform(11, "teleport", action="c")
        self.assertEqual(self.peer.read(),
                         error(11, -32601, "not_supported", "teleport is not supported"))
        self.peer.send({"id": 12, "method": "provider.perform", "params": {}})
        self.assertEqual(self.peer.read()["error"]["code"], -32602)
        self.peer.send({"id": 13, "method": "provider.unheard_of"})
        self.assertEqual(self.peer.read()["error"]["code"], -32601)

    @staticmethod
    def fail_with(**members):
        raise callbroker.Failed(**members)

    def test_an_async_handler_is_cancelled(self):
        told = threading.Event()

        @self.phone.on_answer
        async def answer(action):
            action.progress(phase="ringing", percent=10, message="soon", extend_ms=5000)
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                self.action = action
                told.set()
        self.peer.greet_provider()
        self.peer.perform(7)
        self.assertEqual(self.peer.read("broker.progress")["params"], {
            "request": 7, "phase": "ringing", "percent": 10, "message": "soon",
            "extend_ms": 5000})
        self.peer.send({"method": "broker.cancel", "params": {"request": 8}},
                       {"method": "broker.cancel", "params": {"request": 7}},
                       {"method": "provider.timed_out",
                        "params": {"action": ACTION, "kind": "answer", "call": CALL}})
        self.assertEqual(self.peer.read(), error(7, -32010, "cancelled", "cancelled"))
        self.assertTrue(told.wait(CEILING))
        self.phone.ping()
        self.peer.read("broker.ping")
        self.assertTrue(self.action.timed_out and self.action.withdrawn.is_set())

    def test_a_plain_handler_that_has_begun_answers_with_what_it_did(self):
        begun = threading.Event()

        @self.phone.on_answer
        def answer(action):
            begun.set()
            self.assertTrue(action.withdrawn.wait(CEILING))
        self.peer.greet_provider()
        self.peer.perform(7)
        self.peer.perform(8, action="later", call=OTHER)
        self.assertTrue(begun.wait(CEILING))
        for number, reply in ((8, error(8, -32010, "cancelled", "cancelled")), (7, FULFILLED)):
            self.peer.send({"method": "broker.cancel", "params": {"request": number}})
            self.assertEqual(self.peer.read(), reply)

    def test_an_action_that_is_taken_back_in_the_same_moment_is_answered(self):
        self.phone.on_answer(lambda action: None)

        @self.phone.on_end
        async def end(action):
            pass
        self.peer.greet_provider()
        self.peer.send(*[frame for number, kind in ((7, "answer"), (8, "end")) for frame in (
            {"id": number, "method": "provider.perform", "params": {
                "action": kind, "kind": kind, "call": CALL, "arguments": {}}},
            {"method": "broker.cancel", "params": {"request": number}})])
        replies = [self.peer.read(), self.peer.read()]
        self.assertEqual(replies, [error(7, -32010, "cancelled", "cancelled"),
                                   error(8, -32010, "cancelled", "cancelled")])

    def test_a_result_that_cannot_be_sent_is_an_error(self):
        for number, result in enumerate([{"x": "y" * 70_000}, {"x": object()}, {"x": 1e999}]):
            self.phone.on(f"x_{number}")(lambda params, result=result: result)
        self.peer.greet_provider()
        with self.assertLogs(callbroker.log, "ERROR"):
            for number in range(3):
                self.peer.send({"id": number, "method": f"x_{number}"})
                self.assertEqual(self.peer.read(),
                                 error(number, -32603, "internal", "the handler failed"))

    def test_a_repeated_action_is_done_once_and_answered_twice(self):
        done = []
        self.phone.on_answer(done.append)
        self.peer.greet_provider()
        self.peer.perform(7)
        self.assertEqual(self.peer.read(), FULFILLED)
        self.peer.perform(8, attempt=2)
        self.assertEqual(self.peer.read(), {**FULFILLED, "id": 8})
        self.assertEqual([action.attempt for action in done], [2])

    def test_an_action_outlives_the_connection(self):
        asked, go = threading.Event(), threading.Event()

        @self.phone.on_answer
        def answer(action):
            asked.set()
            self.assertTrue(go.wait(CEILING))
        self.peer.greet_provider()
        self.peer.perform(7)
        self.assertTrue(asked.wait(CEILING))
        self.peer.close()
        peer = self.broker.accept()
        peer.greet_provider()
        peer.perform(1, attempt=2)
        go.set()
        self.assertEqual(peer.read(), {**FULFILLED, "id": 1})

    def test_old_actions_are_forgotten(self):
        self.phone.on_answer(lambda action: None)
        self.peer.greet_provider()
        for number in range(callbroker.ACTIONS_REMEMBERED + 10):
            self.peer.perform(number, action=f"a{number}")
            self.assertEqual(self.peer.read()["id"], number)
        self.assertEqual(len(self.phone._actions), callbroker.ACTIONS_REMEMBERED)

    def test_reconciling_lists_the_live_calls_and_drops_what_is_not_taken(self):
        calls = [{"call": f"c{n}", "direction": "incoming", "state": "active",
                  "remote": {"type": "phone", "value": str(n)}} for n in range(70)]
        dropped = []
        told = threading.Event()

        @self.phone.reconcile
        def live():
            return calls

        @self.phone.on_dropped
        async def drop(ids):
            dropped.extend(ids)
            told.set()
        self.peer.greet()
        sizes, members = [], []
        for number in range(3):
            register = self.peer.read("provider.register")
            members.append(register["params"].get("more"))
            sizes.append(len(register["params"]["calls"]))
            self.peer.reply(register, {"dropped": [f"c{number}"]})
        self.assertEqual((sizes, members), ([32, 32, 6], [True, True, None]))
        self.assertTrue(told.wait(CEILING))
        self.assertEqual(dropped, ["c0", "c1", "c2"])
        calls.clear()
        self.peer.close()
        self.assertEqual(self.broker.accept().greet_provider()["params"]["calls"], [])

    def test_a_whole_transaction_can_be_taken_over(self):
        @self.phone.on_execute
        def execute(params):
            return params["transaction"] == "t1"
        self.assertIs(self.peer.greet_provider()["params"]["takes_transactions"], True)
        for number, transaction in enumerate(["t1", "t2"]):
            self.peer.send({"id": number, "method": "provider.execute", "params": {
                "transaction": transaction, "actions": [], "deadline_ms": 1}})
            self.assertEqual(self.peer.read()["result"], {"taken": transaction == "t1"})

    def test_a_setting_of_a_line_is_changed_or_is_as_it_was(self):
        asked = []

        @self.phone.on_change_setting
        def change(line, setting):
            asked.append((line, setting))
            if not setting["on"]:
                raise callbroker.Failed("barred", "not for you")
        self.peer.greet_provider()
        for number, on in enumerate([True, False]):
            self.peer.send({"id": number, "method": "line.change_setting", "params": {
                "line": "sim", "setting": "call_waiting", "on": on, "deadline_ms": 1}})
        self.assertEqual(self.peer.read()["result"], {})
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "barred")
        self.assertEqual(asked, [("sim", {"setting": "call_waiting", "on": True}),
                                 ("sim", {"setting": "call_waiting", "on": False})])

    def test_text_is_sent_or_is_not(self):
        sent = []

        @self.phone.on_send_text
        def send(call, text):
            sent.append((call, text))
            if text == "b":
                raise callbroker.Failed("no_media")
        self.peer.greet_provider()
        for number, text in enumerate("ab"):
            self.peer.send({"id": number, "method": "provider.send_text", "params": {
                "call": "c", "text": text, "deadline_ms": 1}})
        self.assertEqual(self.peer.read()["result"], {})
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "no_media")
        self.assertEqual(sent, [("c", "a"), ("c", "b")])

    def test_a_push_is_handled_or_is_not(self):
        pushes = []

        @self.phone.on_push
        def push(kind, payload):
            pushes.append((kind, payload))
            if not payload:
                raise callbroker.Failed("unknown_account")
        self.peer.greet_provider()
        for number, payload in enumerate([{"caller": "Ada"}, {}]):
            self.peer.send({"id": number, "method": "push.received", "params": {
                "push": "p", "type": "voip", "payload": payload, "deadline_ms": 1}})
        self.assertEqual(self.peer.read()["result"], {})
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "unknown_account")
        self.assertEqual(pushes, [("voip", {"caller": "Ada"}), ("voip", {})])

    def test_a_participant_is_changed_or_is_as_before(self):
        asked = []

        @self.phone.on_change_participant
        def change(call, participant, values):
            asked.append((call, participant, values))
            if "muted" in values:
                raise callbroker.Failed("not_host")
        self.peer.greet_provider()
        for number, values in enumerate([{"hand_raised": True}, {"muted": True}]):
            self.peer.send({"id": number, "method": "participant.change", "params": {
                "call": "c", "participant": "7", "deadline_ms": 1, **values}})
        self.assertEqual(self.peer.read()["result"], {})
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "not_host")
        self.assertEqual(asked, [("c", "7", {"hand_raised": True}), ("c", "7", {"muted": True})])

    def test_one_action_that_is_taken_back_leaves_the_others_offered(self):
        withdrawn = []

        @self.phone.on("broker.cancel")
        async def cancelled(params):
            withdrawn.append(params["action"])

        @self.phone.on_execute
        async def execute(params):
            while not withdrawn:
                await asyncio.sleep(0)
            return True
        self.peer.greet_provider()
        self.peer.send({"id": 7, "method": "provider.execute", "params": {
            "transaction": "t", "actions": [], "deadline_ms": 1}},
                       {"method": "broker.cancel", "params": {"request": 7, "action": ACTION}})
        self.assertEqual(self.peer.read()["result"], {"taken": True})
        self.assertEqual(withdrawn, [ACTION])

    def test_nothing_is_settled_before_the_broker_knows_who_does_it(self):
        @self.phone.on_execute
        async def execute(params):
            self.phone.settle(ACTION)
            return True
        self.peer.greet_provider()
        self.peer.send({"id": 7, "method": "provider.execute", "params": {
            "transaction": "t", "actions": [], "deadline_ms": 1}})
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 7, "result": {"taken": True}})
        self.assertEqual(self.peer.read("action.settle")["params"],
                         {"action": ACTION, "outcome": "fulfilled"})

    def test_what_the_broker_tells_reaches_its_handler(self):
        told, last = [], threading.Event()
        for name in ("provider.reset", "provider.authorization_changed", "audio.activated",
                     "audio.deactivated"):
            self.phone.on(name)(told.append)
        self.phone.on("x_last")(lambda params: last.set())
        self.peer.greet_provider()
        self.peer.send({"method": "provider.reset", "params": {"reason": "admin"}},
                       {"method": "provider.authorization_changed", "params": {"status": "denied"}},
                       {"method": "audio.activated", "params": {"group": CALL, "calls": [CALL]}},
                       {"method": "audio.deactivated", "params": {"group": CALL, "calls": [CALL]}},
                       {"method": "x_last"})
        self.assertTrue(last.wait(CEILING))
        self.assertEqual(told, [{"reason": "admin"}, {"status": "denied"},
                                {"group": CALL, "calls": [CALL]}, {"group": CALL, "calls": [CALL]}])

    def test_requests_of_other_roles_are_answered(self):
        @self.phone.on("screener.check")
        async def check(params):
            return {"verdict": "block", "label": "spam"}
        self.peer.greet_provider()
        self.peer.send({"id": "a", "method": "screener.check", "params": {"call": CALL}})
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": "a", "result": {
            "verdict": "block", "label": "spam"}})


if __name__ == "__main__":
    unittest.main()
