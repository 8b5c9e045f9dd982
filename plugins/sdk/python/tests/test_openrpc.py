"""Every example of the broker's own description: the SDK has a method that sends these params, and
reads this result. The document comes from CALLBROKER_OPENRPC (a path), else from a broker."""
import json
import os
import threading
import unittest

from real_broker import RealBroker
from scripted_broker import CEILING, callbroker, with_peer

Client, Controller, Observer = callbroker.Client, callbroker.Controller, callbroker.Observer
Provider, Screen, Directory = callbroker.Provider, callbroker.Screen, callbroker.Directory
Admin, AudioHost = callbroker.Admin, callbroker.AudioHost

METHODS = {
    "broker.ping": (Client, "ping"), "broker.info": (Client, "info"),
    "broker.describe": (Client, "describe"), "broker.stats": (Admin, "stats"),
    "broker.metrics": (Admin, "metrics"), "broker.dump": (Admin, "dump"),
    "broker.backup": (Admin, "backup"), "connection.list": (Admin, "list_connections"),
    "grant.issue": (Admin, "issue_grant"), "grant.list": (Admin, "list_grants"),
    "grant.revoke": (Admin, "revoke_grant"), "question.list": (Admin, "list_questions"),
    "question.answer": (Admin, "answer_question"),
    "provider.request_authorization": (Provider, "request_authorization"),
    "broker.shutdown": (Admin, "shutdown"), "test.advance": (Admin, "advance"),
    "test.settle": (Admin, "settle_all"), "transaction.request": (Controller, "transact"),
    "transaction.list": (Controller, "list_transactions"),
    "call.list": (Controller, "list_calls"), "call.get": (Controller, "get_call"),
    "provider.list": (Controller, "list_providers"),
    "host.get": (Controller, "get_host"), "policy.get": (Controller, "get_policy"), "policy.set": (Controller, "set_policy"),
    "block.add": (Controller, "block"), "block.remove": (Controller, "unblock"),
    "block.list": (Controller, "list_blocks"), "contact.put": (Controller, "put_contact"),
    "contact.remove": (Controller, "remove_contact"), "contact.list": (Controller, "list_contacts"),
    "history.list": (Controller, "list_history"), "history.sum": (Controller, "sum_history"),
    "history.remove": (Controller, "remove_history"),
    "history.clear": (Controller, "clear_history"),
    "history.mark_seen": (Controller, "mark_history_seen"),
    "history.import": (Controller, "import_history"),
    "directory.list": (Controller, "list_directories"),
    "directory.enable": (Controller, "enable_directory"),
    "events.subscribe": (Observer, "subscribe"), "events.unsubscribe": (Observer, "unsubscribe"),
    "provider.register": (Provider, "register"), "provider.update": (Provider, "update"),
    "provider.unregister": (Provider, "unregister"), "action.settle": (Provider, "settle"),
    "line.set_setting": (Controller, "set_line_setting"),
    "push.deliver": (Controller, "deliver_push"), "push.reset": (Admin, "reset_pushes"),
    "push.set_token": (Controller, "set_push_token"),
    "audio.set_endpoint": (Controller, "set_host_endpoint"),
    "audio.report_endpoints": (AudioHost, "report_endpoints"),
    "ui.claim": (Screen, "claim"), "ui.release": (Screen, "release"),
    "directory.put_entries": (Directory, "put_entries"),
    "directory.change_entries": (Directory, "change_entries"), "directory.clear": (Directory, "clear"),
    **{f"call.{verb}": (Controller, verb) for verb in (
        "start", "dial", "answer", "pull", "end", "set_held", "set_muted", "set_group", "play_dtmf", "swap",
        "set_endpoint", "set_video", "set_text", "send_text", "transfer", "attended_transfer", "deflect", "merge", "split",
        "press_button", "silence", "prioritize", "continue_tones",
        "explain", "timeline")},
    "call.may_ring": (Controller, "would_ring"),
    "participant.list": (Controller, "list_participants"),
    "participant.update": (Controller, "update_participant"),
    **{f"call.report_{what}": (Provider, f"report_{what}") for what in (
        "incoming", "alerting", "connecting", "connected", "held", "muted", "group", "missed",
        "update", "ended", "external", "quality", "participants", "video_request",
        "text_request", "text")},
}
KEYWORDS = {"with": "with_", "end_detail": "detail"}
BY_ITSELF = {"broker.hello", "broker.cancel", "broker.goodbye", "broker.progress"}


def discovered():
    broker = RealBroker()
    try:
        with Client("test", socket=broker.path) as client:
            return client.discover().result(CEILING)
    finally:
        broker.close()


def document():
    if os.environ.get("CALLBROKER_OPENRPC"):
        with open(os.environ["CALLBROKER_OPENRPC"], encoding="utf-8") as file:
            return json.load(file)
    return discovered()


def members(schema):
    """The schemas of the members of an object, or of those in a list, which null may stand for."""
    one = next(each for each in schema.get("oneOf", [schema]) if each.get("type") != "null")
    return one["items"]["properties"] if "items" in one else one["properties"]


class OpenRPCTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = document()

    def setUp(self):
        self.clients = {}

    def client(self, kind):
        """One of each kind for all examples."""
        if kind not in self.clients:
            arguments = ("org.example.a", "A") if kind is Provider else ("test",)
            _, client, peer, _ = with_peer(self, kind, *arguments)
            peer.greet()
            if issubclass(kind, Observer):
                peer.reply(peer.read("events.subscribe"), {
                    "subscription": "none", "epoch": "e", "seq": 0})
            elif kind is Provider:
                peer.reply(peer.read("provider.register"))
            self.clients[kind] = client, peer
        return self.clients[kind]

    def test_every_example(self):
        examples = 0
        for method in self.document["methods"]:
            for example in method["examples"]:
                params = {p["name"]: p["value"] for p in example["params"]}
                result = example.get("result", {}).get("value")
                with self.subTest(method=method["name"], example=example["name"]):
                    if method["x-direction"] in ("to_broker", "both"):
                        self.sent(method["name"], params, result)
                    if method["x-direction"] in ("to_client", "both"):
                        self.received(method["name"], params, result)
                    examples += 1
        self.assertGreater(examples, 0)

    def test_the_types_name_every_member(self):
        registration = self.params("provider.register")
        call, line = (members(registration[name]) for name in ("calls", "lines"))
        for type_, known in (
                (callbroker.LiveCall, set(call)), (callbroker.Line, set(line)),
                (callbroker.Update, set(self.params("call.report_update")) - {"call", "remote"}),
                (callbroker.Registration, set(registration) - {     # those that the class sets
                    "calls", "display_name", "more", "takes_transactions"}),
                (callbroker.LineSetting, set(members(line["settings"]))),
                (callbroker.Endpoint, set(members(call["endpoints"])))):
            with self.subTest(type=type_.__name__):
                self.assertEqual(set(type_.__annotations__), known)

    def params(self, method):
        """The schemas of the params of a method by their names."""
        found = next(each for each in self.document["methods"] if each["name"] == method)
        return {each["name"]: each["schema"] for each in found["params"]}

    def sent(self, name, params, result):
        if name == "broker.hello":
            return self.hello(params)
        if name in BY_ITSELF:
            client, peer = self.client(Client)
            client.notify(name, params)
        elif name == "broker.log":
            client, peer = self.client(Client)
            client.log(params["level"], params["message"], **params.get("fields", {}))
        else:
            kind, function = (Admin, "plugin") if name.startswith("plugin.") else METHODS[name]
            client, peer = self.client(kind)
            verb = (name.split(".")[1],) if function == "plugin" else ()
            reply = getattr(client, function)(
                *verb, **{KEYWORDS.get(key, key): params[key] for key in params})
        frame = peer.read(name)
        self.assertEqual(frame["params"], params)
        if "id" in frame:
            peer.reply(frame, result)
            self.assertEqual(reply.result(CEILING), result or {})

    def hello(self, params):
        roles = tuple(params.get("roles", ["observer"]))
        kind = type("Example", (Client,), {"roles": roles})
        broker, client, peer, running = with_peer(
            self, kind, identity=params.get("identity"), credential=params.get("credential"),
            **{key: params["client"][key] for key in ("name", "version", "url")
               if key in params["client"]})
        if "resume" in params:
            peer.greet(session=params["resume"])
            peer.close()
            peer = broker.accept()
        self.assertEqual(peer.greet()["params"], {"roles": ["observer"], **params})

    def received(self, name, params, result):
        if name in ("broker.ping", "broker.cancel"):        # the client's own business
            return
        if name == "provider.perform":
            return self.performed(params, result)
        is_event = name == "event" or "topic" in params
        _, client, peer, _ = with_peer(self, Observer if is_event else Client, "test")
        seen, told = [], threading.Event()

        @client.on("event" if is_event else name)
        async def receive(given):
            seen.append(given)
            told.set()
            return result
        peer.greet()
        if is_event:
            peer.reply(peer.read("events.subscribe"), {
                "subscription": params["subscription"], "epoch": params["epoch"],
                "seq": params["prev"], "resync": False, "snapshot": {"calls": []}})
        frame = {"method": "event" if is_event else name, "params": params}
        peer.send(frame if result is None else {"id": 1, **frame})
        self.assertTrue(told.wait(CEILING))
        self.assertEqual(seen, [params])
        if result is not None:
            self.assertEqual(peer.read()["result"], result)
        if is_event and params["topic"] != "broker.bookmark":
            events = [client.next_event().result(CEILING) for _ in range(2)]
            self.assertEqual([event["topic"] for event in events], ["snapshot", params["topic"]])
            self.assertEqual(events[1], params)

    def performed(self, params, result):
        client, peer = self.client(Provider)
        seen = []
        client.on_action(params["kind"])(lambda action: seen.append(action) or result.get("at_ms"))
        peer.send({"id": 1, "method": "provider.perform", "params": params})
        self.assertEqual(peer.read(), {"jsonrpc": "2.0", "id": 1, "result": result})
        action = seen.pop()
        self.assertEqual({
            "action": action.id, "kind": action.kind, "call": action.call,
            "attempt": action.attempt, "arguments": action.arguments,
            "transaction": action.transaction,
            "cause": action.cause, "deadline_ms": action.deadline_ms,
            "age_ms": action.age_ms}, params)


if __name__ == "__main__":
    unittest.main()
