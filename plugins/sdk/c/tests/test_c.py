"""The library's own tests, and a telephone with the broker itself (CALLBROKER, or
.build/debug/callbroker). `make check` builds what is needed."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
BUILD = os.environ.get("BUILD", os.path.join(FOLDER, "build"))
sys.path.insert(0, os.path.join(FOLDER, "..", "python", "tests"))
from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING, callbroker  # noqa: E402


class LibraryTests(unittest.TestCase):
    def run_group(self, *arguments, **environment):
        done = subprocess.run([os.path.join(BUILD, "tests"), *arguments], capture_output=True,
                              text=True, timeout=6 * CEILING, env={**os.environ, **environment})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_sessions(self):
        self.run_group("sessions")

    def test_requests(self):
        self.run_group("requests")

    def test_frames(self):
        self.run_group("frames")

    def test_providers(self):
        self.run_group("provider")

    def test_memory_that_runs_out(self):
        self.run_group("memory")

    def test_a_provider_and_a_screen_in_one_loop(self):
        broker = RealBroker("--test-mode")
        self.addCleanup(broker.close)
        self.run_group("together", BROKER_SOCKET=broker.path)

    def test_every_example_of_the_document(self):
        broker = RealBroker()
        self.addCleanup(broker.close)
        with callbroker.Client("test", socket=broker.path) as client:
            document = client.discover().result(CEILING)
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(document, file)
            file.flush()
            self.run_group("openrpc", file.name)

    def test_a_program_builds_with_what_is_installed(self):
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["make", "-s", "-C", FOLDER, "install", f"OUT={root}/build",
                            f"PREFIX={root}"], check=True, capture_output=True, timeout=CEILING)
            found = subprocess.run(
                ["pkg-config", "--cflags", "--libs", "callbroker"], check=True, text=True,
                capture_output=True, env={**os.environ, "PKG_CONFIG_PATH": f"{root}/lib/pkgconfig"})
            program = f"{root}/telephone"
            subprocess.run(["cc", os.path.join(FOLDER, "examples", "telephone.c"), "-o", program,
                            *found.stdout.split(), f"-Wl,-rpath,{root}/lib"], check=True,
                           timeout=CEILING)
            done = subprocess.run([program], stdin=subprocess.DEVNULL, text=True,
                                  capture_output=True, timeout=CEILING,
                                  env={**os.environ, "BROKER_SOCKET": f"{root}/nobody"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("lost, trying again", done.stdout)


class GuideTests(unittest.TestCase):
    def test_the_provider_of_the_guide(self):
        broker = RealBroker()
        self.addCleanup(broker.close)
        with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as guide:
            program = guide.read().split("```c\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cc", "-xc", "-", f"-I{FOLDER}", "-o", f"{folder}/phone", "-xnone",
                            f"{BUILD}/libcallbroker.a", "-ljansson"], input=program, text=True,
                           check=True, timeout=CEILING)
            phone = subprocess.Popen(["stdbuf", "-oL", f"{folder}/phone"], text=True,
                                     stdout=subprocess.PIPE,
                                     env={**os.environ, "BROKER_SOCKET": broker.path})
            self.addCleanup(phone.communicate)
            self.addCleanup(phone.kill)
            self.assertEqual(phone.stdout.readline(), "Answer it with: callbroker answer\n")
            with callbroker.Controller("user", socket=broker.path) as user:
                call = user.list_calls().result(CEILING)["calls"][0]["call"]
                done = user.answer(call, wait="completed").result(CEILING)
            self.assertEqual(done["state"], "completed")
            self.assertEqual(phone.stdout.readline(), f"answer {call}\n")


class TelephoneTests(unittest.TestCase):
    """The example, as it stands, with a broker whose clock the test moves."""

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
            [os.path.join(BUILD, "telephone")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
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


if __name__ == "__main__":
    unittest.main()
