"""The real twinkle-console without sound hardware, the broker, and sipp at the far end."""
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PLUGIN = os.path.dirname(HERE)
ROOT = os.path.abspath(os.path.join(PLUGIN, "..", "..", ".."))
sys.path[:0] = [os.path.join(ROOT, "Tests", "System", "Phones", "support"), PLUGIN]

from phonelab import Callee, Caller, Sound, free_ports  # noqa: E402

from callbroker import Controller, Observer, ProviderFailed, new_id  # noqa: E402  isort:skip
from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

PROGRAM = os.path.join(PLUGIN, "twinkle_provider.py")
IDENTITY = "org.callbroker.twinkle"
PROFILE = """\
user_name=ann
user_domain=127.0.0.1
user_display=Ann
register_at_startup=no
pres_publish_startup=no
codecs=g711u,g711a
"""
SETTINGS = """\
dev_ringtone=alsa:pulse
dev_speaker=alsa:pulse
dev_mic=alsa:pulse
validate_audio_dev=no
call_waiting=no
play_ringtone=no
play_ringback=no
sip_udp_port={sip}
sip_tcp_port={sip}
rtp_port={rtp}
"""


class User(Controller, Observer):
    """The user at a screen."""

    roles = ("controller", "observer")


class TwinkleTests(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)
        self.user = User("user", socket=self.broker.path, topics=["*"])
        self.user.__enter__()
        self.addCleanup(self.user.__exit__, None, None, None)
        self.sip = free_ports(32)
        os.mkdir(os.path.join(self.folder, ".twinkle"))
        self.write("ann.cfg", PROFILE)
        self.write("twinkle.sys", SETTINGS.format(sip=self.sip, rtp=self.sip + 10))
        self.adapter = Program(self, self.folder, "adapter", [
            PROGRAM, "--verbose", "--profile", "ann.cfg", "--socket", self.broker.path],
            {"PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8",
             "XDG_RUNTIME_DIR": self.folder, "PULSE_SERVER": Sound(self, self.folder).server})
        self.adapter.wait_for("takes calls")
        self.wait_for_provider()

    def wait_for_provider(self):
        """It may have hung, and been started anew."""
        wait_until(lambda: f"it is not started anew: {self.adapter.said()}", lambda: (
            self.adapter.said().count("takes calls") >
            self.adapter.said().count("is started anew")))
        self.user.ping().result(CEILING)
        wait_until("the provider", lambda: any(
            each["connected"] for each in self.user.list_providers().result(CEILING)["providers"]))

    def write(self, name, text):
        with open(os.path.join(self.folder, ".twinkle", name), "w", encoding="utf-8") as file:
            file.write(text)

    def mine(self, *states):
        """The calls of Twinkle, once they have these states."""
        def calls():
            return [call for call in list(self.user.calls.values()) if call["state"] != "ended"]
        wait_until(lambda: f"{states}: {calls()}; {self.adapter.said()}",
                   lambda: tuple(call["state"] for call in calls()) == states)
        return calls()

    def called(self):
        """Somebody calls; the caller, and the call."""
        caller = Caller(self, self.folder, "carol", Phone(self.sip))
        return caller, self.mine("ringing")[0]

    def talking(self):
        caller, call = self.called()
        self.user.answer(call["call"], wait="completed").result(CEILING)
        self.mine("active")
        return caller, call["call"]

    def last(self):
        return self.user.list_history().result(CEILING)["entries"][0]

    def test_a_call_is_answered_held_resumed_and_ended(self):
        caller, call = self.talking()
        self.assertRegex(self.user.calls[call]["remote"]["value"], "^sip:carol@127.0.0.1")
        self.user.set_held(call, True, wait="completed").result(CEILING)
        wait_until("the far end is on hold", lambda: caller.logged()[-1] == "a=sendonly")
        self.user.set_held(call, False, wait="completed").result(CEILING)
        wait_until("and no more", lambda: caller.logged()[-1] == "a=sendrecv")
        self.user.set_muted(call, True, wait="completed").result(CEILING)
        self.user.set_muted(call, False, wait="completed").result(CEILING)
        self.user.end(call, wait="completed").result(CEILING)
        self.assertEqual(caller.wait(), 0)

    def test_a_call_that_is_declined(self):
        _, call = self.called()
        self.user.end(call["call"], wait="completed").result(CEILING)
        self.mine()
        self.assertEqual(self.last()["end_reason"], "declined")

    def test_a_hold_that_the_far_end_refuses(self):
        Caller(self, self.folder, "carol", Phone(self.sip), "refusing_caller.xml")
        call = self.mine("ringing")[0]["call"]
        self.user.answer(call, wait="completed").result(CEILING)
        with self.assertRaises(ProviderFailed) as failed:
            self.user.set_held(call, True, wait="completed").result(CEILING)
        self.assertIn("remote_refused", str(failed.exception.data))
        self.assertEqual(self.user.calls[call]["state"], "active")

    def test_a_hold_that_the_far_end_does_not_answer_fails_in_time(self):
        Caller(self, self.folder, "carol", Phone(self.sip), "silent_caller.xml")
        call = self.mine("ringing")[0]["call"]
        self.user.answer(call, wait="completed").result(CEILING)
        with self.assertRaises(ProviderFailed) as failed:
            self.user.set_held(call, True, wait="completed", deadline_ms=2000).result(CEILING)
        self.assertIn("the far end does not answer", str(failed.exception.data))
        self.assertEqual(self.user.calls[call]["state"], "active")

    def test_the_broker_calls_and_the_far_end_refuses_or_answers(self):
        with self.assertRaises(ProviderFailed):
            self.start(Callee(self, self.folder, "busy", "486 Busy Here"))
        self.assertEqual(self.last()["end_detail"]["code"], "SIP 486")
        self.wait_for_provider()
        # Twinkle loses a call whose answer comes as fast as from the same host.
        call = self.start(Callee(self, self.folder, "bob", scenario="unhurried_callee.xml"))
        self.assertEqual(self.mine("active")[0]["call"], call)
        self.user.end(call, wait="completed").result(CEILING)

    def start(self, callee):
        """A call to somebody; its id."""
        call = new_id()
        self.user.start({"type": "generic", "value": f"sip:bob@127.0.0.1:{callee.sip}"}, call=call,
                        provider=IDENTITY, wait="completed").result(CEILING)
        return call

    def test_when_the_program_ends_the_far_end_is_hung_up(self):
        caller, _ = self.talking()
        self.adapter.stop()
        self.assertEqual(caller.wait(), 0)


class Phone:
    """What a caller of the lab needs to know of a telephone."""

    user = "ann"

    def __init__(self, sip):
        self.sip = sip


if __name__ == "__main__":
    unittest.main()
