"""MonkeyCall as it stands, with the broker itself: the tool is the user, standard input the far side."""
import os
import subprocess
import sys
import unittest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "plugins", "sdk", "python", "tests"))
from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING, callbroker  # noqa: E402

PROGRAM = os.path.join(os.environ.get("BUILD", os.path.join(ROOT, "plugins", "sdk", "csharp", "build")), "MonkeyCall.exe")


class MonkeyCallTests(unittest.TestCase):
    def setUp(self):
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)
        self.environment = {**os.environ, "BROKER_SOCKET": self.broker.path}

    def run_app(self, *arguments):
        self.app = subprocess.Popen(["mono", "--debug", PROGRAM, *arguments], text=True, bufsize=1, env=self.environment,
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.ended)
        self.shows("ready")

    def ended(self):
        self.app.stdin.close()
        self.assertEqual(self.app.wait(CEILING), 0)
        self.app.stdout.close()

    def types(self, line):
        self.app.stdin.write(line + "\n")

    def shows(self, *lines):
        """The next lines of the screen; the sound may go on or off before or after its line."""
        found = [self.app.stdout.readline().strip() for _ in lines]
        self.assertEqual(sorted(found), sorted(lines))

    def tool(self, *arguments):
        done = subprocess.run([self.broker.program, *arguments], text=True, capture_output=True, timeout=CEILING,
                              env=self.environment, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_an_incoming_call_is_answered_held_and_ended_by_the_far_side(self):
        self.run_app()
        self.types("ring ann")
        self.shows("calls: ann ringing")
        self.tool("answer")
        self.shows("calls: ann connected", "sound on")
        self.tool("hold")
        self.shows("calls: ann on hold", "sound off")
        self.types("resume")
        self.shows("calls: ann connected", "sound on")
        self.tool("mute")
        self.shows("calls: ann connected muted")
        self.types("gone")
        self.shows("calls: none", "sound off")
        self.assertIn("remote_ended", self.tool("history", "--json"))

    def test_a_call_that_is_declined_leaves_no_sound(self):
        self.run_app()
        self.types("ring ann")
        self.shows("calls: ann ringing")
        self.tool("decline")
        self.shows("calls: none")

    def test_an_outgoing_call_rings_connects_and_is_ended_in_the_app(self):
        self.run_app()
        self.types("dial bob")
        self.shows("calls: bob ringing", "sound on")
        self.types("alert")
        self.shows("calls: bob connecting")
        self.types("connect")
        self.shows("calls: bob connected")
        self.types("end")
        self.shows("calls: none", "sound off")

    def test_a_second_call_waits_until_the_first_is_held(self):
        self.run_app()
        self.types("ring ann")
        self.shows("calls: ann ringing")
        self.tool("answer")
        self.shows("calls: ann connected", "sound on")
        self.types("ring bob")
        self.shows("calls: ann connected; bob ringing")
        self.tool("answer")
        self.shows("calls: ann on hold; bob ringing", "sound off", "calls: ann on hold; bob connected", "sound on")

    def test_the_user_starts_calls_outside_the_app(self):
        self.run_app()
        for words, name in ((("start", "dora"), "dora"), (("dial", "monkeycall://emil"), "emil")):
            self.tool(*words)
            self.shows("asked to call by activity", f"calls: {name} ringing", "sound on")
            self.assertIn(name, self.tool("calls"))
            self.tool("end")
            self.shows("calls: none", "sound off")

    def test_a_link_starts_the_app_and_its_call(self):
        self.run_app("monkeycall://carl")
        self.shows("asked to call by link", "calls: carl ringing", "sound on")
        self.types("open mailto:ann@example.org")
        self.shows("nobody to call in this link")

    def test_a_refused_call_says_why(self):
        self.run_app()
        self.tool("dnd", "on")
        self.types("ring ann")
        self.assertRegex(self.app.stdout.readline(), "^refused: 3 ")

    def test_a_call_outlives_the_broker(self):
        self.run_app()
        self.types("ring ann")
        self.shows("calls: ann ringing")
        self.tool("answer")
        self.shows("calls: ann connected", "sound on")
        self.broker.kill()
        self.broker.start()
        with callbroker.Observer("watch", socket=self.broker.path) as watch:
            while not any(call.get("provider_connected") for call in watch.calls.values()):
                watch.next_event().result(CEILING)
        self.tool("end")
        shown = [self.app.stdout.readline().strip()]
        while shown[-1] != "calls: none":
            shown.append(self.app.stdout.readline().strip())
        self.assertLessEqual(set(shown), {"sound on", "sound off", "calls: none"})


if __name__ == "__main__":
    unittest.main()
