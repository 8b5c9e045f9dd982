"""The libraries' own tests, and the provider of the guide, with the broker itself (CALLBROKER, or
.build/debug/callbroker). `make check` builds what is needed."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
BUILD = os.environ.get("BUILD", os.path.join(FOLDER, "build"))
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "..", "python", "tests")]
from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING, callbroker  # noqa: E402
make_requests = __import__("make-requests")

JSON = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll"


class LibraryTests(unittest.TestCase):
    def run_class(self, name):
        broker = os.path.abspath(os.environ.get("CALLBROKER") or os.path.join(
            FOLDER, "..", "..", "..", ".build", "debug", "callbroker"))
        done = subprocess.run(["mono", "--debug", os.path.join(BUILD, "tests.exe"), name], text=True,
                              capture_output=True, timeout=6 * CEILING, stdin=subprocess.DEVNULL,
                              env={**os.environ, "CALLBROKER": broker})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_sessions(self):
        self.run_class("SessionsTests")

    def test_requests(self):
        self.run_class("RequestsTests")

    def test_observers(self):
        self.run_class("ObserverTests")

    def test_providers(self):
        self.run_class("ProviderTests")

    def test_screens(self):
        self.run_class("ScreenTests")

    def test_every_example_of_the_document(self):
        self.run_class("ProtocolTests")

    def test_apps_and_users_with_the_broker_itself(self):
        self.run_class("BrokerTests")

    def test_the_facade(self):
        self.run_class("CallKitTests")

    def test_calls_that_the_user_starts_outside_the_app(self):
        self.run_class("StartIntentTests")


class GuideTests(unittest.TestCase):
    def setUp(self):
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)

    def test_the_provider_of_the_guide(self):
        with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as guide:
            program = guide.read().split("```cs\n")[1].split("```")[0]
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/phone.cs", "w", encoding="utf-8") as file:
                file.write(program)
            subprocess.run(["mcs", "-langversion:7.2", f"-r:{BUILD}/CallBroker.dll", f"-r:{JSON}",
                            f"-out:{folder}/phone.exe", f"{folder}/phone.cs"], check=True, timeout=CEILING)
            phone = subprocess.Popen(["mono", f"{folder}/phone.exe"], text=True, stdout=subprocess.PIPE, env={
                **os.environ, "BROKER_SOCKET": self.broker.path, "MONO_PATH": BUILD})
            self.addCleanup(phone.communicate)
            self.addCleanup(phone.kill)
            self.assertEqual(phone.stdout.readline(), "ring\n")
            with callbroker.Controller("user", socket=self.broker.path) as user:
                call = user.list_calls().result(CEILING)["calls"][0]["call"]
                self.assertEqual(user.answer(call, wait="completed").result(CEILING)["state"], "completed")
                self.assertEqual(phone.stdout.readline(), f"connecting {call}\n")
                user.end(call, wait="completed").result(CEILING)
            self.assertEqual(phone.wait(CEILING), 0)

    def test_the_requests_are_those_of_the_protocol_as_it_is_now(self):
        with callbroker.Client("test", socket=self.broker.path) as client:
            document = client.discover().result(CEILING)
        with open(make_requests.TARGET, encoding="utf-8") as file:
            self.assertEqual(file.read(), make_requests.written(document),
                             "make types writes them anew")


if __name__ == "__main__":
    unittest.main()
