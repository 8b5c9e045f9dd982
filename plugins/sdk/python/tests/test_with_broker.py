"""Providers, controllers and observers with the broker itself."""
import asyncio
import itertools
import os
import queue
import subprocess
import sys
import threading
import unittest

from real_broker import RealBroker
from scripted_broker import CEILING, HERE
from callbroker import (Admin, AlreadyExists, Controller, Failed, Filtered, InvalidState, NotFound,
                        Observer, Provider, ProviderFailed, Screen, new_id, phone)

ANN = phone("+15550100")


class WithBrokerTests(unittest.TestCase):
    def setUp(self):
        self.broker = RealBroker("--test-mode")
        self.addCleanup(self.broker.close)
        self.performed = []
        self.user = self.entered(Admin("user", socket=self.broker.path))

    def entered(self, client):
        client.__enter__()
        self.addCleanup(client.__exit__)
        return client

    def provider(self, name, **registration):
        """Does what it is asked, and writes it down."""
        provider = Provider(name, name, handle_types=["phone"], socket=self.broker.path,
                            backoff=(0.0, 0.0), **registration)
        for kind in ("start", "answer", "end", "set_held", "set_muted"):
            provider.on_action(kind)(
                lambda action: self.performed.append((name, action.kind, action.arguments)))
        return provider

    def incoming(self, provider, **update):
        call = new_id()
        provider.report_incoming(call, ANN, **update).result(CEILING)
        return call

    def done(self, reply):
        self.assertEqual(reply.result(CEILING)["state"], "completed")

    def test_one_app_is_held_before_another_is_answered(self):
        one, other = self.entered(self.provider("org.one")), self.entered(self.provider("org.two"))
        first, second = self.incoming(one), self.incoming(other)
        self.done(self.user.answer(first, wait="completed"))
        plan = self.user.answer(second, "hold_and_answer", dry_run=True).result(CEILING)
        self.assertEqual(plan["would_hold"], [first])
        self.done(self.user.answer(second, "hold_and_answer", wait="completed"))
        self.assertEqual(self.performed, [
            ("org.one", "answer", {}), ("org.one", "set_held", {"held": True}),
            ("org.two", "answer", {})])
        self.assertTrue(self.user.explain(call=second).result(CEILING)["steps"])
        events = [each["event"] for each in self.user.timeline(second).result(CEILING)["entries"]]
        self.assertEqual({"decision", "change", "action", "audio"} - set(events), set())

    def test_a_call_goes_on_when_its_app_loses_rights(self):
        one = self.provider("org.one")
        opened, goodbyes, calls = queue.Queue(), queue.Queue(), []
        one.on("broker.goodbye")(goodbyes.put)
        one.reconcile(lambda: (opened.put(True), calls)[1])
        self.entered(one)
        opened.get(timeout=CEILING)
        call = self.incoming(one)
        self.done(self.user.answer(call, wait="completed"))
        calls.append({"call": call, "direction": "incoming", "state": "active", "remote": ANN})
        self.user.set_policy(rights=[{"identity": "org.one", "calls": "own"}]).result(CEILING)
        goodbye = goodbyes.get(timeout=CEILING)
        self.assertEqual((goodbye["reason"], goodbye["resumable"]), ("rights_changed", False))
        opened.get(timeout=CEILING)             # it is back, in a session of its own
        self.done(self.user.set_muted(call, True, wait="completed"))
        self.assertEqual(self.user.get_call(call=call).result(CEILING)["state"], "active")
        self.done(self.user.end(call, wait="completed"))
        self.assertEqual([kind for _, kind, _ in self.performed], ["answer", "set_muted", "end"])

    def test_a_program_beside_an_app_asks_whether_a_call_of_it_would_ring(self):
        one = self.entered(self.provider("org.one"))
        idle = self.user.would_ring("org.one", ANN).result(CEILING)
        self.assertEqual((idle["state"], idle["rule"]), ("ringing", "1"))
        self.done(self.user.answer(self.incoming(one), wait="completed"))
        self.user.set_policy(busy_in_call=True).result(CEILING)
        with self.assertRaises(Filtered):
            self.user.would_ring("org.one", ANN).result(CEILING)

    def test_calls_name_the_lines_of_their_app(self):
        home = {"line": "home", "label": "Home", "default": True}
        work = {"line": "work", "label": "Work", "state": "failed", "reason": "403 Forbidden"}
        one = self.entered(self.provider("org.one", lines=[home, work]))
        listed = self.user.list_providers().result(CEILING)["providers"][0]["lines"]
        self.assertEqual([(line["line"], line["state"], line.get("reason")) for line in listed],
                         [("home", "registered", None), ("work", "failed", "403 Forbidden")])
        incoming = self.incoming(one, line="work")
        self.assertEqual(self.user.get_call(call=incoming).result(CEILING)["line"], "work")
        self.done(self.user.end(incoming, wait="completed"))
        for line in ("work", None):
            started = self.user.start(ANN, provider="org.one", line=line, wait="completed")
            call = started.result(CEILING)["actions"][-1]["call"]
            self.done(self.user.end(call, wait="completed"))
        self.assertEqual([arguments["line"] for _, kind, arguments in self.performed
                          if kind == "start"], ["work", "home"])

    def test_a_line_that_is_not_registered_is_refused(self):
        work = {"line": "work", "label": "Work"}
        one = self.entered(self.provider("org.one", lines=[work]))
        self.done(self.user.start(ANN, provider="org.one", line="work", wait="completed"))
        one.update(lines=[]).result(CEILING)
        for refused in (self.user.start(ANN, provider="org.one", line="work"),
                        one.report_incoming(new_id(), ANN, line="work")):
            with self.assertRaises(NotFound) as raised:
                refused.result(CEILING)
            self.assertEqual(raised.exception.reason, "unknown_line")

    def test_a_call_is_given_to_one_screen_and_to_the_next_if_that_one_goes(self):
        presented, dismissed = queue.Queue(), queue.Queue()

        def screen(name, priority):
            screen = self.entered(Screen(name, identity=f"org.{name}", socket=self.broker.path))

            @screen.on("ui.present")
            def present(call):
                presented.put((name, call["call"], call["actions"]))
                return {"presented": name != "shy"}
            screen.on("ui.dismiss")(lambda gone: dismissed.put((name, gone)))
            return screen, screen.claim(priority=priority).result(CEILING)["primary"]
        app = self.entered(self.provider("org.one"))
        last, is_last_primary = screen("last", 0)
        first, is_first_primary = screen("first", 2)
        shy, is_shy_primary = screen("shy", 1)
        self.assertEqual((is_last_primary, is_first_primary, is_shy_primary), (True, True, False))
        call = self.incoming(app)
        self.assertEqual(presented.get(timeout=CEILING),
                         ("first", call, ["answer", "decline", "silence"]))
        self.assertEqual(self.user.info().result(CEILING)["screen"], "org.first")
        self.assertFalse(first.release().result(CEILING)["primary"])
        self.assertEqual(dismissed.get(timeout=CEILING),
                         ("first", {"call": call, "reason": "released"}))
        self.assertEqual([presented.get(timeout=CEILING)[0] for _ in range(2)], ["shy", "last"])
        app.report_ended(call, "remote_ended").result(CEILING)
        self.assertEqual(dismissed.get(timeout=CEILING), ("last", {"call": call, "reason": "ended"}))

    def test_errors_say_what_stands_in_the_way(self):
        one, other = self.entered(self.provider("org.one")), self.entered(self.provider("org.two"))
        first, second = self.incoming(one, supports_holding=False), self.incoming(other)
        self.done(self.user.answer(first, wait="completed"))
        with self.assertRaises(InvalidState) as caught:
            self.user.answer(second).result(CEILING)
        self.assertEqual((caught.exception.reason, caught.exception.rule,
                          caught.exception.blocking),
                         ("cannot_hold", "6", [{"call": first, "provider": "org.one"}]))
        with self.assertRaises(NotFound):
            self.user.end(new_id()).result(CEILING)
        with self.assertRaises(AlreadyExists):
            one.report_incoming(first, ANN).result(CEILING)

    def observer(self, *features):
        return self.entered(Observer("watch", socket=self.broker.path, features=features))

    def story(self, observer, call):
        """The call as an observer was told of it, each time, until it was over."""
        told = []
        for event in observer:
            if event["topic"] == "call.removed" and event["call"] == call:
                return told
            if event["topic"] in ("call.added", "call.changed") and event["call"] == call:
                told.append(event["data"])

    def test_whether_a_call_would_ring(self):
        app = self.entered(self.provider("org.one"))
        outcome = app.may_ring(ANN, display_name="Ann").result(CEILING)
        self.assertEqual((outcome["state"], outcome["rule"]), ("ringing", "1"))
        self.user.set_policy(do_not_disturb={"on": True}).result(CEILING)
        with self.assertRaises(Filtered) as refused:
            app.may_ring(ANN).result(CEILING)
        self.assertEqual(refused.exception.reason, "do_not_disturb")
        self.assertEqual(self.user.list_calls().result(CEILING)["calls"], [])

    def test_how_far_a_dialled_call_came_and_why_it_ended(self):
        app, call = self.provider("org.one"), new_id()
        app.on_start(lambda action: app.report_alerting(call, has_early_media=True).result(CEILING))
        self.entered(app)
        observers = self.observer("alerting", "sparkle/3"), self.observer()
        self.assertEqual([each.hello["features"]["alerting"] for each in observers],
                         [{"version": 1, "granted": True}, {"version": 1, "granted": False}])
        self.done(self.user.start(ANN, call=call, wait="completed"))
        known = self.user.get_call(call=call).result(CEILING)
        self.assertIs(known["has_early_media"], True)
        self.assertGreaterEqual(known["alerting_at_ms"], known["created_at_ms"])
        app.report_ended(call, "remote_ended", detail={"code": "SIP 486", "text": "Busy Here"})
        detail = {"reason": "busy", "code": "SIP 486", "text": "Busy Here"}
        new, old = [self.story(each, call) for each in observers]
        self.assertEqual([new[-1]["end_detail"], old[-1]["end_detail"]], [detail, detail])
        self.assertEqual([[told["state"] for told in each][-2:] for each in (new, old)],
                         [["alerting", "ended"], ["dialing", "ended"]])
        self.assertEqual(
            self.user.list_history().result(CEILING)["entries"][0]["end_detail"], detail)

    def test_the_far_end_asks_for_video_and_the_user_decides(self):
        app = self.provider("org.one", supports_video=True)
        app.on_set_video(
            lambda action: self.performed.append(("org.one", action.kind, action.arguments)))
        call = self.incoming(self.entered(app), supports_set_video=True)
        self.done(self.user.answer(call, wait="completed"))
        app.report_video_request(call, "both").result(CEILING)
        known = self.user.get_call(call=call).result(CEILING)
        self.assertEqual((known["video_request"], known["has_video"]), ("both", False))
        self.assertIn("set_video", known["allowed"])
        self.assertEqual(self.performed, [("org.one", "answer", {})])
        self.done(self.user.set_video(call, "receive", wait="completed"))
        self.assertEqual(self.performed[1:], [("org.one", "set_video", {"video": "receive"})])
        known = self.user.get_call(call=call).result(CEILING)
        self.assertEqual((known["video"], known["has_video"]), ("receive", True))
        self.assertNotIn("video_request", known)
        self.done(self.user.set_held(call, True, wait="completed"))
        self.done(self.user.set_held(call, False, wait="completed"))
        self.assertEqual(self.user.get_call(call=call).result(CEILING)["video"], "receive")

    def test_both_sides_type_once_the_user_has_agreed(self):
        app = self.provider("org.one", supports_text=True)
        app.on_set_text(
            lambda action: self.performed.append(("org.one", action.kind, action.arguments)))
        sent = []
        app.on_send_text(lambda call, text: sent.append((call, text)))
        call = self.incoming(self.entered(app), supports_set_text=True)
        self.done(self.user.answer(call, wait="completed"))
        with self.assertRaises(InvalidState):
            self.user.send_text(call, "too early").result(CEILING)
        app.report_text_request(call).result(CEILING)
        self.assertTrue(self.user.get_call(call=call).result(CEILING)["text_request"])
        self.done(self.user.set_text(call, True, wait="completed"))
        self.assertEqual(self.performed[1:], [("org.one", "set_text", {"text": True})])
        self.assertTrue(self.user.get_call(call=call).result(CEILING)["has_text"])
        observer = self.observer("text")
        self.user.send_text(call, "hi").result(CEILING)
        app.report_text(call, "ho").result(CEILING)
        self.assertEqual(sent, [(call, "hi")])
        events = (event["data"] for event in observer if event["topic"] == "call.text")
        typed = [(data["from"], data["text"]) for data in itertools.islice(events, 2)]
        self.assertEqual(typed, [("local", "hi"), ("remote", "ho")])

    def test_a_hand_is_raised_in_a_conference(self):
        app = self.provider("org.one")

        @app.on_change_participant
        def change(call, participant, values):
            app.report_participants(call, [{"participant": participant, "self": True,
                                            "changeable": ["hand_raised"], **values}])
        call = self.incoming(self.entered(app))
        self.done(self.user.answer(call, wait="completed"))
        app.report_participants(call, [
            {"participant": "7", "self": True, "changeable": ["hand_raised"]},
            {"participant": "9"}]).result(CEILING)
        self.user.update_participant(call, "7", hand_raised=True).result(CEILING)
        page = self.user.list_participants(call).result(CEILING)
        self.assertEqual([each["hand_raised"] for each in page["participants"]], [True, False])
        with self.assertRaises(NotFound) as caught:
            self.user.update_participant(call, "9", muted=True).result(CEILING)
        self.assertEqual(caught.exception.reason, "unknown_participant")

    def test_a_start_that_fails_has_the_code_of_the_network(self):
        app, call = self.provider("org.one"), new_id()

        @app.on_start
        def start(action):
            raise Failed(message="Unallocated number", app_code="Q.850 1")
        self.entered(app)
        observer = self.observer()
        with self.assertRaises(ProviderFailed) as caught:
            self.user.start(ANN, call=call, wait="completed").result(CEILING)
        self.assertEqual(caught.exception.data["provider_error"]["app_code"], "Q.850 1")
        self.assertEqual(self.story(observer, call)[-1]["end_detail"], {
            "reason": "invalid_number", "text": "Unallocated number", "code": "Q.850 1"})

    def test_a_provider_that_fails(self):
        one = self.provider("org.one")

        @one.on_answer
        async def answer(action):
            await asyncio.sleep(0)
            raise Failed("no_microphone")
        call = self.incoming(self.entered(one))
        with self.assertRaises(ProviderFailed) as caught:
            self.user.answer(call, wait="completed").result(CEILING)
        self.assertEqual(caught.exception.data["provider_error"]["reason"], "no_microphone")

    def test_a_provider_that_takes_transactions(self):
        one = self.provider("org.one")
        one.on_set_group(lambda action: self.performed.append(("org.one", "perform", {})))
        taken = []

        @one.on_execute
        async def execute(transaction):
            taken.append([action["kind"] for action in transaction["actions"]])
            for action in transaction["actions"]:
                one.settle(action["action"])
            return True
        self.entered(one)
        first, second = self.incoming(one), self.incoming(one)
        self.done(self.user.answer(first, wait="completed"))
        self.done(self.user.answer(second, "hold_and_answer", wait="completed"))
        self.assertEqual((taken, self.performed), ([["answer"], ["set_held", "answer"]], []))

    def test_a_call_is_pulled_from_another_device(self):
        one = self.entered(self.provider("org.one", kind="adapter"))
        knowing = self.entered(Controller("user", socket=self.broker.path,
                                          features=["external_calls"]))
        call = new_id()
        one.report_external(call, ANN, elsewhere="Kitchen phone", supports_pull=True).result(CEILING)
        self.assertEqual(self.user.list_calls().result(CEILING)["calls"], [])
        listed = knowing.list_calls().result(CEILING)["calls"]
        self.assertEqual([(each["state"], each["elsewhere"], each["allowed"]) for each in listed],
                         [("external", "Kitchen phone", ["pull"])])
        self.done(knowing.pull(call, wait="completed"))
        self.assertEqual(self.performed, [("org.one", "answer", {})])
        self.assertEqual(self.user.get_call(call=call).result(CEILING)["state"], "active")

    def test_who_forwarded_a_call_and_whether_its_number_is_the_caller_s(self):
        one, boss = self.entered(self.provider("org.one")), phone("+15550199")
        known = {"forwarded_from": boss, "verification": "passed", "external_id": "a84b4c76e66710"}
        call = self.incoming(one, **known)
        self.assertEqual(self.shown(call, *known), known)
        known.update(verification="failed")
        one.report_update(call, verification="failed", external_id=None).result(CEILING)
        del known["external_id"]
        self.assertEqual(self.shown(call, "external_id", *known), known)
        self.done(self.user.end(call, wait="completed"))
        [kept] = self.user.list_history().result(CEILING)["entries"]
        self.assertEqual({name: kept[name] for name in known}, known)

    def shown(self, call, *names):
        """The members with these names that a call has."""
        found = self.user.get_call(call=call).result(CEILING)
        return {name: found[name] for name in names if name in found}

    def test_a_background_call_is_refused_while_another_is_live(self):
        one, other = self.entered(self.provider("org.one")), self.entered(self.provider("org.two"))
        live = self.incoming(one)
        self.done(self.user.answer(live, wait="completed"))
        for refused in (self.user.start(ANN, provider="org.two", background=True),
                        other.report_incoming(new_id(), ANN, priority="background")):
            with self.assertRaises(InvalidState) as raised:
                refused.result(CEILING)
            self.assertEqual((raised.exception.reason, raised.exception.rule), ("busy", "44"))
            self.assertEqual(raised.exception.blocking, [{"call": live, "provider": "org.one"}])
        self.done(self.user.end(live, wait="completed"))
        self.done(self.user.start(ANN, provider="org.two", background=True, wait="completed"))
        self.assertEqual(self.performed[-1][:2], ("org.two", "start"))

    def test_a_priority_caller_is_answered_first_where_the_policy_lets_the_app_say_so(self):
        one = self.entered(self.provider("org.one", max_call_groups=4))
        admin = self.entered(Admin("admin", socket=self.broker.path))
        for claims, first in (([], 0), (["org.one"], 1)):
            admin.set_policy(priority_claims=claims).result(CEILING)
            live = self.incoming(one)
            self.done(self.user.answer(live, wait="completed"))
            waiting = [self.incoming(one), self.incoming(one, priority="priority_caller")]
            pressed = self.user.press_button().result(CEILING)
            self.assertEqual(pressed["actions"][-1]["call"], waiting[first])
            for call in (live, *waiting):
                self.done(self.user.end(call, wait="completed"))

    def test_a_conference(self):
        one = self.provider("org.one")
        one.on_set_group(lambda action: self.performed.append(
            ("org.one", "set_group", action.arguments)))
        self.entered(one)
        first, second = self.incoming(one), self.incoming(one)
        self.done(self.user.answer(first, wait="completed"))
        self.done(self.user.answer(second, "hold_and_answer", wait="completed"))
        self.done(self.user.merge(second, first, wait="completed"))
        self.assertEqual({self.user.get_call(call=call).result(CEILING)["group"]
                          for call in (first, second)}, {first})
        self.done(self.user.split(second, wait="completed"))
        self.assertEqual(
            [arguments for _, kind, arguments in self.performed if kind == "set_group"],
            [{"with": first}, {"with": None}])
        self.done(self.user.merge(second, first, wait="completed"))
        del self.performed[:]
        ended = self.user.end(second, group=True, wait="completed").result(CEILING)
        self.assertEqual([(action["kind"], action["call"], action["state"])
                          for action in ended["actions"]],
                         [("end", call, "fulfilled") for call in (first, second)])
        self.assertEqual(self.performed, [("org.one", "end", {})] * 2)

    def test_calls_outlive_a_lost_connection(self):
        calls, back = [], threading.Event()
        one = self.provider("org.one")

        @one.reconcile
        def live():
            if calls:
                back.set()
            return [{"call": call, "direction": "incoming", "state": "active", "remote": ANN}
                    for call in calls]
        call = self.incoming(self.entered(one))
        self.done(self.user.answer(call, wait="completed"))
        calls.append(call)
        one._loop.call_soon_threadsafe(one._writer.transport.abort)
        self.assertTrue(back.wait(CEILING))
        self.done(self.user.set_held(call, True, wait="completed"))
        self.assertIs(one.hello["session"]["resumed"], True)
        self.broker.kill()
        back.clear()
        self.broker.start()
        self.assertTrue(back.wait(CEILING))
        one.report_held(call, True).result(CEILING)

    def test_an_observer_goes_on_where_it_was(self):
        one = self.entered(self.provider("org.one"))
        watch = self.entered(Observer("watch", topics=["call.*"], socket=self.broker.path,
                                      backoff=(0.0, 0.0)))
        first = self.incoming(one)
        topics = [watch.next_event().result(CEILING)["topic"] for _ in range(2)]
        self.assertEqual(topics, ["snapshot", "call.added"])
        watch._loop.call_soon_threadsafe(watch._writer.transport.abort)
        self.done(self.user.end(first, wait="completed"))
        second = self.incoming(one)
        seen = []
        while (event := watch.next_event().result(CEILING)).get("call") != second:
            seen.append(event["topic"])
        self.assertEqual(seen[-1], "call.removed")
        self.assertNotIn("snapshot", seen)
        self.assertEqual(list(watch.calls), [second])

    def test_an_observer_who_was_too_slow_sees_all_again(self):
        one = self.entered(self.provider("org.one"))
        watch = self.entered(Observer("watch", socket=self.broker.path))
        gaps, call = queue.Queue(), self.incoming(one)
        watch.on("events.gap")(gaps.put)
        self.done(self.user.answer(call, wait="completed"))
        watch._loop.call_soon_threadsafe(watch._writer.transport.pause_reading)
        for number in range(1000):
            self.done(self.user.set_muted(call, number % 2 == 0, wait="completed"))
        watch._loop.call_soon_threadsafe(watch._writer.transport.resume_reading)
        self.done(self.user.end(call, wait="completed"))
        last = self.incoming(one)
        while list(watch.calls) != [last]:
            watch.next_event().result(CEILING)
        gaps.get(timeout=CEILING)               # of another thread than the events
        self.assertTrue(gaps.empty())

    def answered(self, handover):
        """A call whose observer is asked about its audio, 1,999 ms ago; and what its app receives."""
        self.user.set_policy(handover={"observers": ["org.recorder"]}).result(CEILING)
        recorder = Observer("recorder", identity="org.recorder", socket=self.broker.path)
        asked, given = queue.Queue(), queue.Queue()
        recorder.on("audio.handover")(handover(asked.put))
        self.entered(recorder)
        app = self.entered(self.provider("org.one"))
        app.on("audio.activated")(given.put)
        call = self.incoming(app)
        self.done(self.user.answer(call, wait="completed"))
        self.assertEqual(asked.get(timeout=CEILING), {
            "provider": "org.one", "group": call, "calls": [call], "deadline_ms": 2_000})
        self.user.advance(ms=1_999).result(CEILING)
        return call, given

    def audio(self, call):
        """What the time line has of the audio of a call."""
        entries = self.user.timeline(call).result(CEILING)["entries"]
        return [each["audio"]["active"] for each in entries if each["event"] == "audio"]

    def handover(self, call):
        """What the user is told about the observers."""
        steps = self.user.explain(call=call).result(CEILING)["steps"]
        return [step["explanation"] for step in steps
                if step["decision"] == "audio_granted" and "explanation" in step]

    def test_the_audio_of_an_answered_call_waits_for_an_observer(self):
        ready = threading.Event()
        self.addCleanup(ready.set)

        def late(asked):
            def prepare(params):
                asked(params)
                ready.wait(CEILING)
            return prepare
        call, given = self.answered(late)
        self.assertEqual((self.audio(call), given.qsize()), ([], 0))
        self.assertEqual(self.user.get_call(call=call).result(CEILING)["state"], "active")
        ready.set()
        self.assertEqual(given.get(timeout=CEILING), {"group": call, "calls": [call]})
        self.assertEqual(self.audio(call), [True])
        self.assertEqual(self.handover(call), [{"by": "org.recorder",
                                                "text": "ready after 1999 ms"}])

    def test_the_audio_comes_without_an_observer_that_does_not_answer(self):
        withdrawn = threading.Event()

        def never(asked):
            async def prepare(params):
                asked(params)
                try:
                    await asyncio.Event().wait()
                finally:
                    withdrawn.set()
            return prepare
        call, given = self.answered(never)
        self.assertEqual((self.audio(call), given.qsize()), ([], 0))
        self.user.advance(ms=1).result(CEILING)
        self.assertEqual(given.get(timeout=CEILING), {"group": call, "calls": [call]})
        self.assertTrue(withdrawn.wait(CEILING))
        self.assertEqual(self.handover(call), [
            {"by": "broker", "text": "org.recorder did not answer within 2000 ms"}])

    def test_the_provider_of_the_guide(self):
        with open(os.path.join(HERE, "..", "README.md"), encoding="utf-8") as guide:
            program = guide.read().split("```python\n")[1].split("```")[0]
        environment = {**os.environ, "BROKER_SOCKET": self.broker.path,
                       "PYTHONPATH": os.path.dirname(HERE)}
        app = subprocess.Popen([sys.executable, "-u", "-c", program], env=environment, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(app.communicate)
        self.addCleanup(app.kill)
        self.assertIn("'presentation': 'ring'", app.stdout.readline())
        subprocess.run([self.broker.program, "answer"], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        self.assertIn("connecting", [app.stdout.readline() for _ in range(3)][-1])
        app.stdin.write("\n")
        app.stdin.flush()
        self.assertEqual(app.wait(CEILING), 0)

    def test_the_soft_phone_in_fifteen_lines(self):
        example = subprocess.Popen(
            [sys.executable, os.path.join(os.path.dirname(HERE), "examples", "softphone.py")],
            env={**os.environ, "BROKER_SOCKET": self.broker.path}, stderr=subprocess.PIPE)
        self.addCleanup(example.communicate)
        self.addCleanup(example.kill)
        replies = [example.stderr.readline() for _ in range(2)]
        self.assertIn(b"'provider': 'org.example.softphone'", replies[1])
        started = self.user.start(ANN, provider="org.example.softphone", wait="completed")
        call = started.result(CEILING)["actions"][0]["call"]
        self.done(self.user.end(call, wait="completed"))


if __name__ == "__main__":
    unittest.main()
