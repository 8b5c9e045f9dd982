"""The example telephone of an SDK, as it stands, with a broker whose clock the test moves. It says what it
does in lines, and is told in lines what happens at the far end."""
import os
import subprocess

from real_broker import RealBroker
from scripted_broker import CEILING, callbroker


class Telephone:
    """A test case is one of these, with the path of its program."""

    program = None

    def setUp(self):
        self.broker = RealBroker("--test-mode")
        self.addCleanup(self.broker.close)
        self.user = callbroker.Admin("user", socket=self.broker.path, backoff=(0.01, 0.01))
        self.user.__enter__()
        self.addCleanup(self.user.__exit__)
        self.watch = callbroker.Observer("watch", topics=["call.*"],
                                         socket=self.broker.path, backoff=(0.01, 0.01))
        self.watch.__enter__()
        self.addCleanup(self.watch.__exit__)
        self.telephone = subprocess.Popen(
            [self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, bufsize=1, env={**os.environ, "BROKER_SOCKET": self.broker.path})
        self.addCleanup(self.ended)
        self.said("connected")

    def ended(self):
        self.telephone.stdin.close()
        self.assertEqual(self.telephone.wait(CEILING), 0)
        self.telephone.stdout.close()

    def until(self, topic, **data):
        """The next event of a topic whose data has these members."""
        while True:
            event = self.watch.next_event().result(CEILING)
            found = event.get("data") or {}
            if event["topic"] == topic and {**found, **data} == found:
                return event

    def far_end(self, command):
        self.telephone.stdin.write(command + "\n")

    def done(self, reply):
        self.assertEqual(reply.result(CEILING)["state"], "completed")

    def said(self, *lines):
        self.assertEqual([self.telephone.stdout.readline().strip() for _ in lines], list(lines))

    def incoming(self):
        self.far_end("ring +15550100")
        call = self.until("call.added", state="ringing")["call"]
        self.done(self.user.answer(call, wait="completed"))
        return call

    def test_a_call_is_answered_held_and_ended_by_the_far_end(self):
        call = self.incoming()
        self.done(self.user.set_held(call, True, wait="completed"))
        self.done(self.user.set_held(call, False, wait="completed"))
        self.said("answer", "set_held", "set_held")
        self.far_end("hangup")
        self.until("call.changed", state="ended", end_reason="remote_ended")

    def test_a_number_is_dialled(self):
        started = self.user.dial("tel:+15550100", wait="completed").result(CEILING)
        call = started["actions"][0]["call"]
        self.far_end("connect")
        self.until("call.changed", state="active")
        with self.assertRaises(callbroker.ProviderFailed) as caught:
            self.user.play_dtmf(call, "1", wait="completed").result(CEILING)
        self.assertEqual(caught.exception.data["provider_error"]["reason"], "not_supported")
        self.done(self.user.end(call, wait="completed"))
        self.said("start", "play_dtmf", "end")

    def test_a_call_that_nobody_answers_is_ended(self):
        self.far_end("ring +15550100")
        self.until("call.added", state="ringing")
        self.user.advance(ms=60_000).result(CEILING)
        self.said("end")
        self.until("call.changed", state="ended", end_reason="unanswered")

    def test_a_call_outlives_the_broker(self):
        call = self.incoming()
        self.broker.kill()
        self.said("answer")
        self.assertIn("lost, trying again", self.telephone.stdout.readline())
        self.broker.start()
        line = self.telephone.stdout.readline()
        while "trying again" in line:
            line = self.telephone.stdout.readline()
        self.assertEqual(line, "connected\n")
        with callbroker.Controller("user", socket=self.broker.path) as user:
            self.done(user.end(call, wait="completed"))
        self.said("end")
