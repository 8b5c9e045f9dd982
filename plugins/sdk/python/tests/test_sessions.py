"""Opening, losing and renewing sessions; requests that fail, time out or are taken back."""
import asyncio
import contextlib
import io
import os
import socket
import subprocess
import sys
import threading
import unittest
from unittest import mock

from scripted_broker import (CALL, CEILING, HERE, SESSION, Peer, Running, ScriptedBroker,
                             callbroker, with_peer)


class SessionTests(unittest.TestCase):
    def controller(self, **options):
        return with_peer(self, callbroker.Controller, "t", **options)

    def test_a_lost_session_is_renewed_and_resumed(self):
        broker, client, peer, _ = with_peer(self, callbroker.Provider, "org.example.a", "A")
        peer.greet_provider()
        for _ in range(3):
            peer.close()
            peer = broker.accept()
            self.assertEqual(peer.read("broker.hello")["params"]["resume"], SESSION)
            peer.close()
            peer = broker.accept()
            self.assertEqual(peer.greet()["params"]["resume"], SESSION)
            peer.reply(peer.read("provider.register"))
        reply = client.report_connected(CALL)
        peer.reply(peer.read("call.report_connected"), {"seq": 9})
        self.assertEqual(reply.result(CEILING), {"seq": 9})

    def test_a_claim_is_renewed_until_it_is_released(self):
        broker, screen, peer, _ = with_peer(self, callbroker.Screen, "t", identity="org.s")

        def opened(peer):
            peer.greet()
            peer.reply(peer.read("events.subscribe"), {"subscription": 1, "epoch": "e", "seq": 0})
        opened(peer)
        reply = screen.claim(priority=3)
        peer.reply(peer.read("ui.claim"), {"primary": True})
        self.assertTrue(reply.result(CEILING)["primary"])
        peer.close()
        peer = broker.accept()
        opened(peer)
        claim = peer.read("ui.claim")
        self.assertEqual(claim["params"], {"priority": 3})
        peer.reply(claim, {"primary": False})
        reply = screen.release()
        peer.reply(peer.read("ui.release"), {"primary": False})
        reply.result(CEILING)
        peer.close()
        peer = broker.accept()
        opened(peer)
        peer.reply_to_ping(screen)

    def test_a_session_that_is_not_resumable_is_opened_anew(self):
        broker, _, peer, _ = with_peer(self, callbroker.Provider, "org.example.a", "A")
        peer.greet_provider()
        peer.send({"method": "broker.goodbye", "params": {
            "reason": "restarting", "resumable": False, "reconnect_after_ms": 0}})
        peer.close()
        self.assertNotIn("resume", broker.accept().greet()["params"])

    def test_who_is_superseded_or_stopped_does_not_come_back(self):
        for reason in ("superseded", "stop"):
            _, _, peer, running = self.controller()
            peer.greet()
            peer.send({"method": "broker.goodbye", "params": {"reason": reason}})
            running.join()
            self.assertIsNone(running.error)

    def test_close_says_goodbye(self):
        _, client, peer, running = self.controller()
        peer.greet()
        peer.reply_to_ping(client)
        client.close()
        self.assertEqual(peer.read("broker.goodbye")["params"],
                         {"reason": "closed", "resumable": False})
        self.assertEqual(peer.line(), b"")
        running.join()
        with self.assertRaises(callbroker.Disconnected):
            client.end(CALL).result(CEILING)

    def test_a_hello_that_is_refused_for_good_ends_it(self):
        _, _, peer, running = self.controller()
        peer.refuse(peer.read("broker.hello"), -32015, reason="version_unsupported",
                    supported={"min": 2, "max": 3})
        running.join()
        self.assertIsInstance(running.error, callbroker.VersionUnsupported)
        self.assertEqual(running.error.data["supported"], {"min": 2, "max": 3})

    def test_an_identity_in_use_is_tried_again(self):
        broker, _, peer, _ = with_peer(self, callbroker.Provider, "org.example.a", "A")
        peer.refuse(peer.read("broker.hello"), -32005, reason="identity")
        broker.accept().greet_provider()

    def test_a_role_that_is_denied_ends_it(self):
        _, _, peer, running = self.controller()
        peer.greet(granted_roles=[], denied_roles=[{"role": "controller",
                                                    "reason": "not_granted"}])
        running.join()
        self.assertIsInstance(running.error, callbroker.PermissionDenied)
        self.assertEqual(running.error.reason, "not_granted")

    def test_a_hello_without_a_reply_is_said_anew(self):
        seconds, callbroker.OPENING_SECONDS = callbroker.OPENING_SECONDS, 0.0
        self.addCleanup(setattr, callbroker, "OPENING_SECONDS", seconds)
        broker, _, peer, _ = self.controller()
        peer.read("broker.hello")
        peer.read("broker.cancel")
        self.assertIs(peer.read("broker.goodbye")["params"]["resumable"], True)
        broker.accept().read("broker.hello")

    def test_a_reconciliation_that_breaks_ends_it(self):
        _, client, peer, running = with_peer(self, callbroker.Provider, "org.example.a", "A")
        client.reconcile(lambda: 1 / 0)
        peer.greet()
        running.join()
        self.assertIsInstance(running.error, ZeroDivisionError)

    def test_requests_wait_for_a_session_that_is_being_opened(self):
        _, client, peer, _ = with_peer(self, callbroker.Provider, "org.example.a", "A")
        peer.greet()
        register = peer.read("provider.register")
        ended = client.report_ended(CALL, "remote_ended")
        peer.send({"id": 77, "method": "broker.ping"})
        self.assertEqual(peer.read()["id"], 77)
        peer.reply(register)
        peer.reply(peer.read("call.report_ended"), {"seq": 1})
        ended.result(CEILING)

    def test_every_open_request_fails_when_the_connection_is_lost(self):
        broker, client, peer, _ = self.controller()
        peer.greet()
        replies = [client.end(CALL) for _ in range(3)]
        for _ in replies:
            peer.read("call.end")
        peer.close()
        for reply in replies:
            with self.assertRaises(callbroker.Disconnected):
                reply.result(CEILING)
        broker.accept().greet()

    def test_time_out_and_cancel(self):
        _, client, peer, _ = self.controller()
        peer.greet()
        late = client.request("call.end", {"call": CALL}, timeout=0.0)
        number = peer.read("call.end")["id"]
        self.assertEqual(peer.read("broker.cancel")["params"], {"request": number})
        with self.assertRaises(TimeoutError):
            late.result(CEILING)
        peer.send({"id": number, "result": {"seq": 1}})             # too late, ignored
        unwanted = client.end(CALL)
        number = peer.read("call.end")["id"]
        unwanted.cancel()
        self.assertEqual(peer.read("broker.cancel")["params"], {"request": number})
        peer.send({"id": number, "error": {"code": -32010, "message": "cancelled"}})
        alive = client.ping(1)
        peer.reply(peer.read("broker.ping"), {"payload": 1})
        self.assertEqual(alive.result(CEILING), {"payload": 1})

    def test_nothing_too_long_is_sent(self):
        _, client, peer, _ = self.controller()
        peer.greet(limits={"frame_bytes": 200})
        with self.assertRaises(callbroker.FrameLimit) as caught:
            client.play_dtmf(CALL, "1" * 200).result(CEILING)
        self.assertEqual(caught.exception.limit, {"name": "frame_bytes", "value": 200})
        with self.assertRaises(ValueError):
            client.request("x", {"a": float("nan")}).result(CEILING)
        client.end(CALL)
        self.assertEqual(len(peer.read("call.end")), 4)

    def test_waiting_in_the_loop_is_refused(self):
        _, client, peer, _ = self.controller()
        refused = []

        @client.on("x_try")
        async def try_it(_):
            try:
                client.end(CALL).result()
            except RuntimeError as error:
                refused.append(error)
        peer.greet()
        peer.send({"id": 1, "method": "x_try"})
        self.assertEqual({peer.read().get("method"), peer.read().get("method")},
                         {"call.end", None})
        self.assertEqual(len(refused), 1)


class ErrorTests(unittest.TestCase):
    def test_every_code_has_its_class(self):
        names = {error.code: error.__name__ for error in callbroker.BrokerError.classes.values()}
        self.assertEqual(names, {
            -32700: "ParseError", -32600: "InvalidRequest", -32601: "MethodNotFound",
            -32602: "InvalidParams", -32603: "InternalError", -32002: "HelloRequired",
            -32003: "PermissionDenied", -32004: "NotFound", -32005: "AlreadyExists",
            -32006: "InvalidState", -32007: "LimitReached", -32008: "Filtered",
            -32009: "DeadlineExceeded", -32010: "Cancelled", -32011: "FrameLimit",
            -32012: "Overloaded", -32013: "ProviderFailed", -32014: "ProviderGone",
            -32015: "VersionUnsupported", -32018: "Stopping"})

    def test_what_stands_in_the_way_is_told(self):
        _, client, peer, _ = with_peer(self, callbroker.Controller, "t")
        peer.greet()
        reply = client.answer(CALL)
        data = {"reason": "cannot_hold", "retryable": True, "retry_after_ms": 50, "rule": "6",
                "field": "/call", "limit": {"name": "max_held", "value": 4}, "hint": "end it",
                "blocking": [{"call": CALL, "provider": "org.a"}],
                "callkit": {"domain": "d", "code": 6, "name": "invalidAction"}}
        peer.refuse(peer.read(), -32006, **data)
        with self.assertRaises(callbroker.InvalidState) as caught:
            reply.result(CEILING)
        error = caught.exception
        self.assertEqual({name: getattr(error, name) for name in data}, data)
        self.assertEqual(str(error), "no (cannot_hold)")

    def test_errors_of_any_shape_are_errors(self):
        for shape in (None, [], "x", {}, {"code": "x"}, {"code": -1, "data": []},
                      {"code": -32004, "message": None, "data": None}):
            error = callbroker.BrokerError.made(shape)
            self.assertEqual((error.reason, error.blocking, error.data), ("", [], {}))


class FacesTests(unittest.TestCase):
    def test_with_threads(self):
        broker = ScriptedBroker()
        self.addCleanup(broker.close)
        done = threading.Event()

        def serve():
            peer = broker.accept()
            peer.greet()
            peer.reply(peer.read("call.end"), {"transaction": "t", "seq": 1})
            peer.read("broker.goodbye")
            peer.close()
            done.set()
        threading.Thread(target=serve, daemon=True).start()
        with callbroker.Controller("t", socket=broker.path) as phone:
            self.assertTrue(phone.connected)
            self.assertEqual(phone.end(CALL).result(CEILING)["transaction"], "t")
        self.assertTrue(done.wait(CEILING))

    def test_with_asyncio(self):
        ours, theirs = socket.socketpair()
        peer = Peer(theirs)
        self.addCleanup(peer.close)

        def serve():
            peer.greet()
            peer.reply(peer.read("call.end"), {"transaction": "t", "seq": 1})
            number = peer.read("call.answer")["id"]
            asked.set()
            self.assertEqual(peer.read("broker.cancel")["params"], {"request": number})
            peer.read("broker.goodbye")
            seen.append("goodbye")
        asked, seen = threading.Event(), []
        thread = threading.Thread(target=serve)
        thread.start()

        async def main():
            async with callbroker.Controller("t", socket=ours) as phone:
                self.assertEqual((await phone.end(CALL))["transaction"], "t")
                answering = asyncio.ensure_future(_of(phone.answer(CALL)))
                await asyncio.get_running_loop().run_in_executor(None, asked.wait)
                answering.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await answering
        asyncio.run(main())
        thread.join(CEILING)
        self.assertEqual(seen, ["goodbye"])

    def test_a_plugin_on_standard_input(self):
        ours, theirs = socket.socketpair()
        peer = Peer(ours)
        self.addCleanup(peer.close)
        program = ("import callbroker as c; p = c.Provider('org.example.a', 'A', "
                   "socket=c.stdio()); p.on_answer(lambda action: print('answering')); p.run()")
        plugin = subprocess.Popen([sys.executable, "-c", program], stdin=theirs, stdout=theirs,
                                  stderr=subprocess.PIPE,
                                  env={**os.environ, "PYTHONPATH": os.path.dirname(HERE)})
        self.addCleanup(plugin.communicate)
        theirs.close()
        peer.greet_provider()
        peer.perform(7)
        self.assertEqual(peer.read()["id"], 7)
        peer.send({"method": "broker.goodbye", "params": {"reason": "stop"}})
        peer.read("broker.goodbye")
        self.assertEqual(peer.line(), b"")
        self.assertEqual(plugin.wait(CEILING), 0)
        self.assertEqual(plugin.stderr.read(), b"answering\n")

    def test_what_the_user_has_set_for_a_plugin(self):
        for text, options in (('{"power":true}', {"power": True}), ("{", {}), ("[1]", {}),
                              (None, {})):
            with self.subTest(text=text), mock.patch.dict(os.environ):
                os.environ.pop("BROKER_OPTIONS", None)
                if text is not None:
                    os.environ["BROKER_OPTIONS"] = text
                self.assertEqual(callbroker.plugin_options(), options)

    def test_no_broker(self):
        with self.assertRaises(OSError):
            with callbroker.Controller("t", socket="no-such-folder/broker.sock"):
                self.fail("there is nobody")

        async def main():
            async with callbroker.Controller("t", socket="no-such-folder/broker.sock"):
                self.fail("there is nobody")
        with self.assertRaises(OSError):
            asyncio.run(main())

    def test_run_waits_for_a_broker(self):
        broker = ScriptedBroker()
        self.addCleanup(broker.close)
        client = callbroker.Controller("t", socket=broker.path, backoff=(0.0, 0.0))
        broker.listener.close()
        tried = threading.Event()
        callbroker.log.addFilter(lambda record: tried.set() or True)
        self.addCleanup(callbroker.log.filters.clear)
        callbroker.log.setLevel("INFO")
        self.addCleanup(callbroker.log.setLevel, "NOTSET")
        running = Running(client)
        self.addCleanup(running.stop)
        self.assertTrue(tried.wait(CEILING))
        os.unlink(broker.path)
        broker.listener = socket.socket(socket.AF_UNIX)
        broker.listener.settimeout(CEILING)
        broker.listener.bind(broker.path)
        broker.listener.listen()
        broker.accept().greet()


async def _of(reply):
    return await reply


class RunProgramTests(unittest.TestCase):
    """How a program ends that is run."""

    def ended(self, work, *refusals):
        with contextlib.redirect_stderr(io.StringIO()) as said:
            status = callbroker.run_program("door", work, False, *refusals)
        return status, said.getvalue()

    def test_work_that_is_done_ends_with_0(self):
        async def work():
            pass
        self.assertEqual(self.ended(work), (0, ""))

    def test_what_is_refused_ends_with_1_and_a_line(self):
        async def fail(error):
            raise error
        for error, refusals in ((callbroker.BrokerError({"message": "no"}), ()), (OSError("no"), ()),
                                (LookupError("no"), (LookupError,))):
            self.assertEqual(self.ended(lambda error=error: fail(error), *refusals),
                             (1, "door: no\n"))

    def test_a_bug_is_not_hidden(self):
        async def work():
            raise LookupError("a bug")
        with self.assertRaises(LookupError):
            self.ended(work)


if __name__ == "__main__":
    unittest.main()
