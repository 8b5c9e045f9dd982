"""What the program makes of baresip's messages. They are recorded ones, from baresip 1.0.0; here a
script plays them, and another one the broker."""
import json
import os
import shutil
import signal
import socket
import tempfile
import unittest
from pathlib import Path

import lab
import baresip_provider
from ctrl_tcp import (CallDebug, ListedCall, Netstrings, audio_direction, call_debug, listed_calls,
                      netstring)
from app_adapter import shortened
from callbroker import Failed
from leg import Memory, dialed, ending, handle, refusal_of_transfer, target
from scripted_broker import CEILING, ScriptedBroker

NOTHING = "\n--- Active calls (0) ---\n\n"
LISTED = ("\n--- Active calls (3) ---\n"
          "  [line 1]  0:00:10  ESTABLISHED  (on hold)  sip:a@127.0.0.1:16070\n"
          "  [line 2]  0:00:05   INCOMING             sip:carol@127.0.0.1:16070\n"
          "> [line 3]  0:00:01  ESTABLISHED             sip:a@127.0.0.1:16070\n\n")
DEBUG = ("\n===== Call debug (ESTABLISHED) =====\n local_uri:  <sip:a@127.0.0.1:16070>\n"
         " peer_uri:   {name}<sip:b@127.0.0.1:16080;transport=udp>\n"
         " af=AF_INET id={id}\n direction: {direction}\nSDP session\n  local attributes:\n"
         "    tool='baresip 1.0.0'\n")
AUDIO = ("\n--- Audio stream ---\n tx:   encode: PCMU 8000Hz/1ch ptime=20ms S16LE\n"
         " audio tx pipeline:      ausine ---> PCMU\n audio dir=recvonly pt_enc=0\n")


class NetstringTests(unittest.TestCase):
    def test_whole_split_and_joined(self):
        data = b"".join(netstring(part) for part in (b"{}", b"", "ü:,".encode(), b"x" * 7_000))
        for size in (1, 2, 3, 7, 1000, len(data)):
            netstrings, parts = Netstrings(), []
            for at in range(0, len(data), size):
                parts += netstrings.feed(data[at:at + size])
            self.assertEqual([len(part) for part in parts], [2, 0, 4, 7_000])

    def test_what_makes_no_sense(self):
        for data in (b"x", b"3x", b":", b"-1:", b"2:{}x", b"99999999:", b"12345678", b"\n"):
            with self.subTest(data=data), self.assertRaises(ValueError):
                Netstrings().feed(data)


class TextTests(unittest.TestCase):
    def test_lists(self):
        self.assertEqual(listed_calls(LISTED), [
            ListedCall(1, False, True), ListedCall(2, False, False), ListedCall(3, True, False)])
        self.assertEqual(listed_calls(NOTHING), [])

    def test_the_current_call(self):
        for name, found in (("", ""), ("carol ", "carol"), ('"Ann B" ', "Ann B")):
            debug = call_debug(DEBUG.format(name=name, id="x@y", direction="Incoming"))
            self.assertEqual((debug.id, debug.name), ("x@y", found))
        self.assertEqual(
            call_debug(DEBUG.format(name="carol ", id="e6", direction="Outgoing")),
            CallDebug("e6", "ESTABLISHED", False, "sip:b@127.0.0.1:16080;transport=udp", "carol"))
        self.assertIsNone(call_debug("(no active calls)\n"))
        self.assertEqual(audio_direction(AUDIO), "recvonly")

    def test_why_a_call_ended(self):
        for param, reason, detail in (
                ("Connection reset by user", None, {}),
                ("Connection reset by peer", "remote_ended", {}),
                ("486 Busy Here", "remote_ended", {"code": "SIP 486", "text": "Busy Here"}),
                ("608", "remote_ended", {"code": "SIP 608"}),
                ("Call transfered", "remote_ended", {"reason": "transferred"}),
                ("Local timeout", "unanswered", {"reason": "no_answer"}),
                ("302 Moved", "remote_ended", {"code": "SIP 302", "text": "Moved"}),
                ("404 Not Found", "failed", {"code": "SIP 404", "text": "Not Found"}),
                ("408 Request Timeout", "failed", {"code": "SIP 408", "text": "Request Timeout"}),
                ("487 Request Terminated", "unanswered",
                 {"code": "SIP 487", "text": "Request Terminated"}),
                ("Connection timed out [110]", "failed", {"text": "Connection timed out [110]"}),
                ("4860", "failed", {"text": "4860"}), ("", "failed", {})):
            with self.subTest(param=param):
                end = ending(param, has_rung=False)
                self.assertEqual((end.reason, end.detail), (reason, detail))

    def test_nobody_answered_only_after_it_has_rung(self):
        for status in ("408", "480"):
            end = ending(status, has_rung=True)
            self.assertEqual((end.reason, end.detail), (
                "unanswered", {"reason": "no_answer", "code": "SIP " + status}))
        self.assertEqual(ending("503 x", has_rung=True).reason, "failed")

    def test_why_a_transfer_failed(self):
        for param, text, code in (
                ("486 Busy Here", "Busy Here", "SIP 486"), ("603", "", "SIP 603"),
                ("Connection timed out [110]", "Connection timed out [110]", None)):
            failure = refusal_of_transfer(param)
            self.assertEqual((failure.reason, failure.message, failure.app_code),
                             ("remote_refused", text, code))

    def test_addresses_of_new_parties(self):
        self.assertEqual([target(each) for each in ("sip:b@h;transport=tcp", "tel:+1", "+1", "b")],
                         ["<sip:b@h;transport=tcp>", "<tel:+1>", "+1", "b"])
        for address in ("sip:b@h\r\nX: 1", "sip:b@h>", "sip:b@h x", '"b"', "", "sip:b@h\x7f"):
            with self.subTest(address=address), self.assertRaises(Failed):
                target(address)

    def test_numbers_are_dialed_at_the_gateway(self):
        for kind, value, address in (
                ("phone", "+15550100", "sip:+15550100@gw:5070"),
                ("phone", "(555) 01-00", "sip:5550100@gw:5070"),
                ("generic", "tel:+1-555-0100;ext=7", "sip:+15550100@gw:5070"),
                ("phone", "#31#5550100", "sip:%2331%235550100@gw:5070"),
                ("generic", "sip:ann@h", "sip:ann@h"), ("generic", "ann", "ann")):
            self.assertEqual(dialed({"type": kind, "value": value}, "gw:5070"), address)
        for value, gateway, reason in (("5550100", None, "invalid_address"),
                                       ("555x>@h", "gw", "invalid_number")):
            with self.assertRaises(Failed) as caught:
                dialed({"type": "phone", "value": value}, gateway)
            self.assertEqual(caught.exception.reason, reason)

    def test_addresses(self):
        for uri, address in (("sip:b@h:5070;transport=udp", "sip:b@h:5070"),
                             ("sip:+1;verstat=x@h;user=phone", "sip:+1@h"), ("sip:h;x=y", "sip:h")):
            self.assertEqual(handle(uri), {"type": "generic", "value": address})
        self.assertEqual(shortened("ab\0ü", 3), "ab")

    def test_ids_are_the_same_after_a_restart_and_differ_at_both_ends(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "deep", "memory.json")
            memory = Memory(path, "org.a")
            derived = memory.call("x@y")
            self.assertEqual(derived, Memory(path, "org.a").call("x@y"))
            self.assertNotEqual(derived, Memory(path, "org.b").call("x@y"))
            memory.learn("x@y", "chosen")
            self.assertEqual(Memory(path, "org.a").call("x@y"), "chosen")
            memory.keep({"z"})
            self.assertEqual(Memory(path, "org.a").call("x@y"), derived)
            path.write_text("{broken")
            self.assertEqual(Memory(path, "org.a").call("x@y"), derived)


AOR, WORK = "sip:b@127.0.0.1:16080", "sip:b@127.0.0.1:16090"


def listed(aor, selected=False, **registration):
    """An account of `apistate`."""
    return {"cuser": "b-0x55c9f6", "selected_ua": selected, "aor": aor, "settings": {},
            "registration": {"interval": 0, "q_value": 0.0, **registration}}


def state(*accounts):
    """The answer to `apistate`."""
    return json.dumps({account["aor"]: account for account in accounts}) + "\n"


class ScriptedBaresip:
    """The control port of a baresip that does what the test says."""

    def __init__(self, test):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(CEILING)
        self.control = self.listener.getsockname()[1]
        test.addCleanup(self.listener.close)
        self.test = test

    def accept(self):
        self.port, _ = self.listener.accept()
        self.port.settimeout(CEILING)
        self.test.addCleanup(self.port.close)
        self.netstrings, self.parts = Netstrings(), []

    def send(self, *messages):
        self.port.sendall(b"".join(netstring(json.dumps(m).encode()) for m in messages))

    def expect(self, command, params=None, answer="", **more):
        """The next command is this one, and is answered."""
        self.answer(self.read(command, params), answer, **more)

    def read(self, command, params=None):
        """The token of the next command, which is this one."""
        while not self.parts:
            data = self.port.recv(65_536)
            if not data:
                raise EOFError("the program has closed the control port")
            self.parts = self.netstrings.feed(data)
        got = json.loads(self.parts.pop(0))
        self.test.assertEqual((got["command"], got.get("params")), (command, params))
        return got["token"]

    def answer(self, token, answer="", ok=True, before=(), after=()):
        """Answers; events go out at once, before the answer and after it."""
        self.send(*before, {"response": True, "ok": ok, "data": answer, "token": token}, *after)

    def expect_accounts(self, *accounts, after=()):
        self.expect("apistate", answer=state(*accounts or [listed(AOR, True)]), after=after)

    def expect_for(self, id, command, params=None, aor=None, **answer):
        """A command for a call, of the account where there are several."""
        for _ in range(2):
            if aor is not None:
                self.expect("uafind", aor, f"ua: {aor}\n")
            self.expect("callfind", id, f"setting current call: {id}\n")
        self.test.assertEqual(len(self.parts), 1, "they do not come at once")
        self.expect(command, params, **answer)

    def expect_accept(self, id):
        self.expect_for(id, "accept", answer="sip:b@127.0.0.1:16080: Answering incoming call\n",
                        before=[event("CALL_REMOTE_SDP", id, "offer"),
                                event("CALL_LOCAL_SDP", id, "answer")])


def event(kind, id="x@y", param="", direction="incoming", **members):
    return {"event": True, "type": kind, "class": "call", "accountaor": "sip:b@127.0.0.1:16080",
            "direction": direction, "peeruri": "sip:a@127.0.0.1:16070", "id": id, "param": param,
            **members}


def news(kind, param="", aor=WORK, group="register"):
    """An event of an account."""
    return {"event": True, "type": kind, "class": group, "accountaor": aor, "param": param}


class EventsOfBaresip(unittest.TestCase):
    """The program between two scripts, and what both send."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.broker = ScriptedBroker()
        self.addCleanup(self.broker.close)
        self.baresip = ScriptedBaresip(self)
        self.program = lab.provider(self, self.folder, self.baresip, self.broker.path, "org.a")
        self.baresip.accept()
        self.accounts()
        self.peer = self.broker.accept()
        self.hello = self.peer.greet()["params"]
        register = self.peer.read("provider.register")
        self.peer.reply(register)
        self.registration = register["params"]

    def accounts(self):
        """What baresip answers when the program attaches."""
        self.baresip.expect_accounts()
        self.baresip.expect("listcalls", answer=NOTHING)

    def taken(self, method):
        frame = self.peer.read(method)
        self.peer.reply(frame, {"seq": 1})
        return frame["params"]

    def incoming(self, id="x@y"):
        self.baresip.send(event("CALL_INCOMING", id, peerdisplayname="Ann"))
        return self.taken("call.report_incoming")["call"]

    def abilities(self, call, id):
        """What a call that goes out supports is told when the broker knows of it."""
        self.assertEqual(self.taken("call.report_update"), {
            "call": call, "supports_grouping": False, "supports_ungrouping": False,
            "supports_transfer": True, "external_id": id})

    def ping(self):
        """What was sent before has been read, and what it had to say to that was said."""
        self.peer.send({"id": 9, "method": "broker.ping"})
        self.assertEqual(self.peer.read()["id"], 9)

    def established(self, id="x@y"):
        call = self.incoming(id)
        self.peer.perform(1, "answer", action=f"answer-{id}", call=call)
        self.baresip.expect_accept(id)
        self.baresip.send(event("CALL_ESTABLISHED", id))
        self.assertEqual(self.peer.read()["result"], {})
        return call


class EventTests(EventsOfBaresip):
    def test_it_knows_the_words_of_the_protocol(self):
        self.assertEqual(self.hello["features"], ["alerting", "tone"])

    def test_what_rtcp_measures_is_reported(self):
        def measured(sent, lost, jitter, trip, **more):
            stats = {"tx": {"sent": sent, "lost": 0, "jit": 1250},
                     "rx": {"sent": sent, "lost": lost, "jit": jitter}, "rtt": trip}
            return event("CALL_RTCP", **{"param": "audio", "rtcp_stats": stats, **more})

        call = self.established()
        self.baresip.send(event("CALL_RTCP", "unknown", direction="outgoing"),
                          measured(0, 0, 0, 0), measured(250, 5, 1500, 0))
        self.assertEqual(self.taken("call.report_quality"),
                         {"call": call, "loss_permille": 20, "jitter_ms": 2})
        self.baresip.send(measured(250, 5, 1500, 9, rtcp_stats={"rx": None}),
                          measured(500, 5, 70_000_000, 672))
        self.assertEqual(self.taken("call.report_quality"), {
            "call": call, "loss_permille": 0, "jitter_ms": 60_000, "round_trip_ms": 1})

    def test_the_answer_is_fulfilled_by_the_event_and_not_by_ok(self):
        call = self.incoming()
        self.peer.perform(1, "answer", call=call)
        self.baresip.expect_accept("x@y")
        self.ping()
        self.baresip.send(event("CALL_ESTABLISHED"))
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 1, "result": {}})

    def test_several_ring_and_baresip_stumbles_over_another_one(self):
        call = self.incoming("one")
        self.incoming("other")
        self.peer.perform(1, "answer", call=call)
        self.baresip.expect_for("one", "accept", answer="Answering incoming call\n")
        self.baresip.expect_accept("one")
        self.baresip.expect_for("other", "resume", ok=False, answer="Invalid argument")
        self.baresip.send(event("CALL_ESTABLISHED", "one"))
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 1, "result": {}})

    def test_answered_held_and_ended_by_the_user_of_baresip(self):
        call = self.incoming()
        self.baresip.send(event("CALL_ESTABLISHED"))
        self.assertEqual(self.taken("call.report_connected"), {"call": call})
        for held in (True, False):
            self.baresip.send(event("CALL_REMOTE_SDP", param="answer"))
            mark = "(on hold)" if held else "         "
            self.baresip.expect_for("x@y", "listcalls", answer=(
                f"\n--- Active calls (1) ---\n> [line 1]  0:00:04  ESTABLISHED  {mark}  sip:a\n\n"))
            self.assertEqual(self.taken("call.report_held"), {"call": call, "held": held})
        self.baresip.send(event("CALL_CLOSED", param="Connection reset by user"))
        self.assertEqual(self.peer.read("call.end")["params"], {"call": call})
        self.peer.perform(2, "end", call=call)
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 2, "result": {}})

    def test_a_call_that_the_user_dials_in_baresip(self):
        self.baresip.send(event("CALL_RINGING", "o", direction="outgoing"))
        start = self.peer.read("call.start")
        self.assertEqual((start["params"]["provider"], start["params"]["remote"]),
                         ("org.a", {"type": "generic", "value": "sip:a@127.0.0.1:16070"}))
        call = start["params"]["call"]
        self.peer.perform(1, "start", call=call, remote=start["params"]["remote"])
        self.abilities(call, "o")
        self.assertEqual(self.taken("call.report_alerting"), {"call": call})
        self.assertEqual(self.peer.read()["id"], 1)
        self.baresip.send(*[event("CALL_PROGRESS", "o", direction="outgoing")] * 2)
        self.assertEqual(self.taken("call.report_alerting"),
                         {"call": call, "has_early_media": True})
        self.baresip.send(event("CALL_ESTABLISHED", "o", direction="outgoing"))
        self.assertEqual(self.taken("call.report_connected"), {"call": call})
        self.baresip.send(event("CALL_RINGING", "p", direction="outgoing"))
        self.peer.refuse(self.peer.read("call.start"), -32006, reason="already_dialing")
        self.baresip.expect_for("p", "hangup")

    def test_a_call_that_was_listed_before_it_was_agreed_to_rings_there(self):
        out = {"direction": "outgoing"}
        self.baresip.send(event("CALL_LOCAL_SDP", "o", **out))
        call = self.peer.read("call.start")["params"]["call"]
        self.peer.close()
        self.peer = self.broker.accept()
        listed = self.peer.greet_provider()["params"]["calls"]
        self.assertEqual([(each["call"], each["state"]) for each in listed], [(call, "dialing")])
        self.baresip.send(event("CALL_RINGING", "o", **out))
        self.assertEqual(self.taken("call.report_alerting"), {"call": call})

    def test_a_hold_that_is_taken_back_is_undone(self):
        call = self.established()
        self.peer.perform(2, "set_held", call=call, held=True)
        self.baresip.expect_for("x@y", "hold")
        self.peer.send({"method": "broker.cancel", "params": {"request": 2}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)
        self.baresip.expect_for("x@y", "resume")

    def test_the_far_end_hangs_up_while_the_hold_is_under_way(self):
        call = self.established()
        self.peer.perform(2, "set_held", call=call, held=True)
        self.baresip.expect_for("x@y", "hold")
        self.baresip.send(event("CALL_CLOSED", param="Connection reset by peer"))
        frames = [self.peer.read(), self.peer.read()]
        self.assertEqual([f["params"]["reason"] for f in frames if "method" in f], ["remote_ended"])
        self.assertEqual([f["error"]["data"]["reason"] for f in frames if "error" in f],
                         ["call_ended"])

    def test_baresip_knows_the_call_no_more_or_refuses(self):
        call = self.established()
        self.peer.perform(2, "set_muted", action="m", call=call, muted=True)
        self.baresip.expect("callfind", "x@y", "call not found (id=x@y)\n")
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "call_ended")
        self.peer.perform(3, "play_dtmf", action="d", call=call, digits="1")
        self.baresip.expect_for("x@y", "sndcode", "1", ok=False, answer="command not found\n")
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "app_refused")
        self.peer.perform(4, "set_group", action="g", call=call, **{"with": None})
        self.assertEqual(self.peer.read()["error"]["code"], -32601)

    def test_a_lost_control_port_is_found_again(self):
        kept, lost = self.established("kept"), self.incoming("lost")
        self.baresip.port.close()
        self.baresip.accept()
        self.baresip.expect_accounts()
        self.baresip.expect("listcalls", answer="> [line 1]  0:00:04  ESTABLISHED  (on hold)  s\n")
        self.baresip.expect("line", "1")
        self.baresip.expect("callstat", answer=DEBUG.format(
            name="", id="kept", direction="Incoming"))
        self.assertEqual(self.taken("call.report_ended"), {"call": lost, "reason": "failed"})
        self.assertEqual(self.taken("call.report_held"), {"call": kept, "held": True})

    def test_a_call_that_is_over_for_the_broker_is_hung_up_after_attaching_anew(self):
        """The rest of the broker's list, and nothing that it does not know yet."""
        kept, _ = self.established("kept"), self.established("ghost")
        self.baresip.port.close()
        self.baresip.accept()
        self.baresip.expect_accounts()
        self.baresip.expect("listcalls", answer="> [line 1]  0:00:04  ESTABLISHED             s\n"
                                                "  [line 2]  0:00:04  ESTABLISHED             s\n")
        for line, id in (("1", "kept"), ("2", "ghost")):
            self.baresip.expect("line", line)
            self.baresip.expect("callstat", answer=DEBUG.format(
                name="", id=id, direction="Incoming"))
        self.peer.reply(self.peer.read("call.list"), {"calls": [], "next": "n"})
        page = self.peer.read("call.list")
        self.assertEqual(page["params"], {"after": "n"})
        self.peer.reply(page, {"calls": [{"call": kept}]})
        self.baresip.expect_for("ghost", "hangup")

    def test_an_action_fails_before_its_deadline_and_one_that_ends_a_call_hangs_up(self):
        for number, (kind, seconds) in enumerate((("answer", 0.2), ("end", 0.1)), 1):
            with self.subTest(kind=kind):
                call = self.incoming(kind)
                self.peer.perform(number, kind, action=kind, call=call,
                                  deadline_ms=int(seconds * 1000))
                token = self.baresip.read("callfind", kind)     # and leaves it unanswered
                error = self.peer.read()["error"]
                self.assertEqual(error["data"]["reason"], "app_gone")
                self.baresip.answer(token, f"setting current call: {kind}\n")
                self.baresip.expect_for(kind, "hangup")

    def test_a_start_that_fails_does_not_dial_later(self):
        """Not if baresip hangs before it, and if it hangs just then the call is hung up."""
        remote = {"type": "generic", "value": "sip:a@127.0.0.1:16070"}
        self.peer.perform(1, "start", action="one", call="one", remote=remote, deadline_ms=200)
        token = self.baresip.read("listcalls")
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "app_gone")
        self.baresip.answer(token, NOTHING)
        self.peer.perform(2, "start", action="two", call="two", remote=remote, deadline_ms=4500)
        self.baresip.expect("listcalls", answer=NOTHING)
        token = self.baresip.read("dial", "sip:a@127.0.0.1:16070")
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "app_gone")
        self.baresip.answer(token, before=[event(
            "CALL_RINGING", "late", direction="outgoing")])
        self.baresip.expect_for("late", "hangup")

    def test_a_call_that_came_while_the_control_port_was_lost_is_reported(self):
        self.baresip.port.close()
        self.baresip.accept()
        self.baresip.expect_accounts()
        self.baresip.expect("listcalls", answer="> [line 1]  0:00:04  ESTABLISHED             s\n")
        self.baresip.expect("line", "1")
        self.baresip.expect("callstat", answer=DEBUG.format(
            name="", id="late", direction="Incoming"))
        call = self.taken("call.report_incoming")["call"]
        self.peer.reply(self.peer.read("call.list"), {"calls": [{"call": call}]})
        self.assertEqual(self.taken("call.report_connected"), {"call": call})
        # Whether it is muted nobody knows, and the command toggles.
        self.peer.perform(2, "set_muted", action="m", call=call, muted=False)
        self.baresip.expect_for("late", "mute", answer="\ncall muted\n")
        self.baresip.expect_for("late", "mute", answer="\ncall un-muted\n")
        self.assertEqual(self.peer.read()["result"], {})

    def test_a_call_that_is_over_in_the_moment_it_rings(self):
        self.peer.perform(1, "start", call="c", remote={"type": "generic", "value": "sip:a@h"})
        out = {"direction": "outgoing"}
        self.baresip.expect("listcalls", answer=NOTHING)        # it moves
        self.baresip.expect("dial", "sip:a@h", before=[
            event("CALL_RINGING", "o", **out), event("CALL_CLOSED", "o", "486 Rejected", **out)])
        self.peer.read("broker.progress")
        self.assertEqual(self.peer.read()["error"], {
            "code": -32000, "message": "Rejected",
            "data": {"reason": "unspecified", "app_code": "SIP 486"}})

    def test_dropped_calls_and_a_reset_hang_up(self):
        call = self.established()
        self.peer.send({"method": "provider.reset", "params": {"reason": "broker_reset"}})
        self.baresip.expect_for("x@y", "hangup")
        self.peer.perform(2, "end", call=call)
        self.baresip.expect("callfind", "x@y", "call not found (id=x@y)\n",
                            before=[event("CALL_CLOSED", param="Connection reset by user")])
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 2, "result": {}})

    def test_stopping_leaves_the_calls_alone(self):
        self.established()
        self.program.process.send_signal(signal.SIGTERM)
        self.assertIs(self.peer.read("broker.goodbye")["params"]["resumable"], True)
        self.assertEqual(self.program.wait(), 0, self.program.said())
        self.assertEqual(self.baresip.port.recv(1), b"")


class TransferTests(EventsOfBaresip):
    """What becomes of a transfer comes as an event: the call is over, or the transfer has failed.
    """

    TO = {"type": "generic", "value": "sip:b@h"}
    MOVED = event("CALL_CLOSED", param="Call transfered")

    def setUp(self):
        super().setUp()
        self.call = self.established()

    def transferred(self):
        """Asks for it, as the second thing."""
        self.peer.perform(2, "transfer", action="t", call=self.call, to=self.TO)
        self.baresip.expect_for("x@y", "transfer", "<sip:b@h>")

    def still_knows(self, knows):
        """What it answers when it is asked whether it still has the call."""
        found = "setting current call: x@y\n" if knows else "call not found (id=x@y)\n"
        self.baresip.expect("callfind", "x@y", found)
        if knows:
            self.baresip.expect("callfind", "x@y", found)
            self.baresip.expect("callstat")

    def failure(self):
        frame = self.peer.read()
        self.assertEqual(frame["id"], 2)
        return frame["error"]["data"]

    def test_calls_say_that_they_can_be_transferred(self):
        self.baresip.send(event("CALL_INCOMING", "other"))
        report = self.taken("call.report_incoming")
        self.assertIs(report["supports_transfer"], True)
        self.assertNotIn("supports_attended_transfer", report)
        self.assertNotIn("supports_deflect", report)

    def test_it_is_done_when_baresip_says_so_and_not_by_ok(self):
        self.transferred()
        self.ping()
        self.baresip.send(self.MOVED)
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 2, "result": {}})
        self.ping()                             # and the end is not reported once more

    def test_a_call_goes_on_whose_transfer_has_failed(self):
        self.transferred()
        self.baresip.send(event("TRANSFER_FAILED", param="486 Busy Here"))
        self.assertEqual(self.failure(), {"reason": "remote_refused", "app_code": "SIP 486"})
        self.still_knows(True)
        self.ping()

    def test_baresip_hangs_up_after_a_transfer_that_failed(self):
        self.transferred()
        self.baresip.send(event("TRANSFER_FAILED", param="486 Busy Here"))
        self.assertEqual(self.failure(), {"reason": "remote_refused", "app_code": "SIP 486"})
        self.still_knows(False)
        self.assertEqual(self.taken("call.report_ended"), {
            "call": self.call, "reason": "failed",
            "end_detail": {"text": "baresip hung up after a failed transfer"}})

    def test_the_far_end_hangs_up_meanwhile(self):
        self.transferred()
        self.baresip.send(event("CALL_CLOSED", param="Connection reset by peer"))
        self.assertEqual(self.taken("call.report_ended"),
                         {"call": self.call, "reason": "remote_ended"})
        self.assertEqual(self.failure(), {"reason": "call_ended"})

    def test_what_is_done_after_it_was_taken_back_is_reported(self):
        self.transferred()
        self.peer.send({"method": "broker.cancel", "params": {"request": 2}})
        self.assertEqual(self.peer.read()["error"]["code"], -32010)
        self.baresip.send(self.MOVED)
        self.assertEqual(self.taken("call.report_ended"), {
            "call": self.call, "reason": "remote_ended", "end_detail": {"reason": "transferred"}})

    def test_a_call_that_is_ended_while_it_is_transferred(self):
        self.transferred()
        self.peer.perform(3, "end", action="e", call=self.call)
        self.baresip.expect_for("x@y", "hangup", after=[
            event("CALL_CLOSED", param="Connection reset by user")])
        self.assertEqual(self.failure(), {"reason": "call_ended"})
        self.assertEqual(self.peer.read(), {"jsonrpc": "2.0", "id": 3, "result": {}})

    def test_the_user_transfers_a_call_in_baresip(self):
        self.baresip.send(self.MOVED)
        self.assertEqual(self.taken("call.report_ended"), {
            "call": self.call, "reason": "remote_ended", "end_detail": {"reason": "transferred"}})

    def test_what_is_no_address_is_not_sent(self):
        self.peer.perform(2, "transfer", action="t", call=self.call,
                          to={"type": "generic", "value": "sip:b@h\r\nX: 1"})
        self.assertEqual(self.failure(), {"reason": "invalid_address"})


class WithoutAccountsTests(EventsOfBaresip):
    """A baresip that does not know `apistate` has no lines; its calls are those of the app."""

    def accounts(self):
        self.baresip.expect("apistate", ok=False, answer="command not found\n")
        self.baresip.expect("listcalls", answer=NOTHING)

    def test_calls_have_no_line(self):
        self.assertNotIn("lines", self.registration)
        self.baresip.send(event("CALL_INCOMING"))
        self.assertNotIn("line", self.taken("call.report_incoming"))
        self.peer.perform(1, "start", call="c", remote={"type": "generic", "value": "sip:a@h"})
        self.baresip.expect("listcalls", answer=NOTHING)        # it moves
        self.baresip.expect("dial", "sip:a@h")


class LineTests(EventsOfBaresip):
    """A baresip with two accounts, of which the first is the current one."""

    HOME_LINE = {"line": AOR, "label": AOR, "handle": {"type": "generic", "value": AOR},
                 "default": True, "state": "registered"}
    WORK_LINE = {"line": WORK, "label": "Work", "handle": {"type": "generic", "value": WORK},
                 "default": False, "state": "failed", "reason": "403"}

    def accounts(self):
        self.baresip.expect_accounts(
            listed(AOR, True),
            {**listed(WORK, code=403, state=False, interval=60), "display_name": "Work"})
        for aor in (AOR, WORK):
            self.baresip.expect("uafind", aor)
            self.baresip.expect("listcalls", answer=NOTHING)
        self.baresip.expect("uafind", AOR)      # as it was

    def register_event(self, kind, param="", aor=WORK, group="register"):
        self.baresip.send(news(kind, param, aor, group))

    def started(self, number, **arguments):
        self.peer.perform(number, "start", action=f"s{number}", call=f"c{number}",
                          remote={"type": "generic", "value": "sip:a@h"}, **arguments)

    def expect_dialed(self, number, aor):
        self.baresip.expect("uafind", aor, f"ua: {aor}\n")
        self.baresip.expect("listcalls", answer=NOTHING)        # it moves
        self.baresip.expect("uafind", aor, f"ua: {aor}\n")
        self.assertEqual(len(self.baresip.parts), 1, "they do not come at once")
        self.baresip.expect("dial", "sip:a@h", before=[
            event("CALL_RINGING", f"o{number}", direction="outgoing", accountaor=aor)])
        self.peer.read("broker.progress")
        self.abilities(f"c{number}", f"o{number}")
        self.assertEqual(self.taken("call.report_alerting"), {"call": f"c{number}"})
        self.assertEqual(self.peer.read()["result"], {})

    def test_accounts_are_lines(self):
        self.assertEqual(self.registration["lines"], [self.HOME_LINE, self.WORK_LINE])

    def test_news_of_a_registration_is_reported_once(self):
        self.register_event("REGISTER_FAIL", "403 Forbidden")
        self.assertEqual(self.taken("provider.update"), {
            "lines": [self.HOME_LINE, {**self.WORK_LINE, "reason": "403 Forbidden"}]})
        self.register_event("REGISTER_FAIL", "403 Forbidden")
        for kind, state in (("REGISTERING", "registering"), ("REGISTER_OK", "registered"),
                            ("UNREGISTERING", "off")):
            self.register_event(kind, "200 OK")
            line = self.taken("provider.update")["lines"][1]
            self.assertEqual((line["state"], line.get("reason")), (state, None))

    def test_waiting_messages_are_reported(self):
        self.register_event("MWI_NOTIFY", "Messages-Waiting: yes\r\nMessage-Account: "
                            "sip:vm@h\r\nVoice-Message: 3/5 (0/0)\r\n", group="mwi")
        self.assertEqual(self.taken("provider.update")["lines"][1], {
            **self.WORK_LINE, "messages_waiting": 3,
            "voicemail": {"type": "generic", "value": "sip:vm@h"}})

    def test_an_account_that_the_user_makes_is_a_line(self):
        made = "sip:new@h"
        self.register_event("REGISTER_OK", "200 OK", made)
        self.baresip.expect_accounts(listed(AOR), listed(made, True))
        lines = self.taken("provider.update")["lines"]
        self.assertEqual([(line["line"], line["default"]) for line in lines],
                         [(AOR, True), (made, False)])

    def test_news_that_comes_with_the_list_of_accounts_is_newer_than_the_list(self):
        made = "sip:new@h"
        accounts = [listed(AOR, True), listed(WORK, code=403, state=False, interval=60),
                    listed(made)]
        self.register_event("REGISTER_OK", "200 OK", made)
        self.baresip.expect_accounts(*accounts, after=[news("REGISTER_OK", "200 OK")])
        accounts[1] = listed(WORK, code=200, state=True, interval=60)
        self.assertEqual(self.taken("provider.update")["lines"][1]["state"], "registered")
        self.baresip.expect_accounts(*accounts)
        lines = self.taken("provider.update")["lines"]
        self.assertEqual([line["state"] for line in lines], ["registered"] * 3)

    def test_the_current_account_of_the_user_is_the_same_after_a_search_for_calls(self):
        """An account that is made meanwhile is looked for while another one is the current."""
        self.baresip.port.close()
        self.baresip.accept()
        accounts = [listed(AOR, True), listed(WORK)]
        self.baresip.expect_accounts(*accounts)
        self.baresip.expect("uafind", AOR)
        self.baresip.expect("listcalls", answer=NOTHING)
        self.baresip.expect("uafind", WORK, after=[news("REGISTER_OK", "200 OK", "sip:new@h")])
        search = self.baresip.read("listcalls")
        self.baresip.expect_accounts(listed(AOR), listed(WORK, True), listed("sip:new@h"))
        self.baresip.answer(search, NOTHING)
        self.baresip.expect("uafind", AOR)

    def test_calls_are_commanded_in_their_account(self):
        self.baresip.send(event("CALL_INCOMING", accountaor=WORK))
        incoming = self.taken("call.report_incoming")
        self.assertEqual(incoming["line"], WORK)
        self.peer.perform(1, "end", call=incoming["call"])
        self.baresip.expect_for("x@y", "hangup", aor=WORK)

    def test_a_start_is_placed_by_its_line_or_by_the_default(self):
        self.started(1, line=WORK)
        self.expect_dialed(1, WORK)
        self.started(2)
        self.expect_dialed(2, AOR)
        self.started(3, line="sip:gone@h")
        self.assertEqual(self.peer.read()["error"]["data"]["reason"], "unknown_line")

    def test_a_call_that_the_user_dials_has_the_line_of_its_account(self):
        self.baresip.send(event("CALL_RINGING", "o", direction="outgoing", accountaor=WORK))
        self.assertEqual(self.peer.read("call.start")["params"]["line"], WORK)


class ManifestTests(unittest.TestCase):
    def test_it_says_what_the_program_registers(self):
        with open(os.path.join(lab.PLUGIN, "org.callbroker.baresip.plugin.json"),
                  encoding="utf-8") as file:
            manifest = json.load(file)
        options = baresip_provider.arguments([])
        provider = baresip_provider.provider(options)
        self.assertEqual(manifest["provider"], provider.registration)
        self.assertEqual(manifest["roles"], list(provider.roles))
        self.assertEqual(manifest["identity"], options.identity)
        program = os.path.join(lab.PLUGIN, manifest["exec"][0])
        self.assertTrue(os.access(program, os.X_OK))


if __name__ == "__main__":
    unittest.main()
