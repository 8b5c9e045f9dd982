"""The libraries' own tests, and the provider of the guide, with the broker itself (CALLBROKER, or
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
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "..", "python", "tests")]
from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING, callbroker  # noqa: E402
make_requests = __import__("make-requests")

JSON = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll"


STDIO = """
static class Program
{
    static void Main()
    {
        var client = new CallBroker.Client("a", new CallBroker.ClientOptions { UsesStandardStreams = true });
        client.OpenAsync().Wait();
        System.Console.WriteLine("open");
        client.Completion.Wait();
    }
}
"""


def compile_program(text, path):
    source = path.replace(".exe", ".cs")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["mcs", "-langversion:7.2", f"-r:{BUILD}/CallBroker.dll", f"-r:{JSON}", f"-out:{path}", source],
                   check=True, timeout=CEILING)


class StandardStreamTests(unittest.TestCase):
    def test_standard_input_and_output_are_the_connection_and_the_console_is_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            compile_program(STDIO, f"{folder}/plugin.exe")
            plugin = subprocess.Popen(["mono", f"{folder}/plugin.exe"], text=True, bufsize=1, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env={**os.environ, "MONO_PATH": BUILD})
            self.addCleanup(plugin.communicate)
            self.addCleanup(plugin.kill)
            hello = json.loads(plugin.stdout.readline())
            self.assertEqual(hello["method"], "broker.hello")
            plugin.stdin.write(json.dumps({"jsonrpc": "2.0", "id": hello["id"], "result": {}}) + "\n")
            self.assertEqual(plugin.stderr.readline(), "open\n")
            plugin.stdin.close()
            self.assertEqual(plugin.wait(CEILING), 0)
            plugin.stdin = None


class LibraryTests(unittest.TestCase):
    def run_class(self, name):
        broker = os.path.abspath(os.environ.get("CALLBROKER") or os.path.join(
            FOLDER, "..", "..", "..", ".build", "debug", "callbroker"))
        done = subprocess.run(["mono", "--debug", os.path.join(BUILD, "tests.exe"), name], text=True,
                              capture_output=True, timeout=6 * CEILING, stdin=subprocess.DEVNULL,
                              env={**os.environ, "CALLBROKER": broker})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout + done.stderr)

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
            compile_program(program, f"{folder}/phone.exe")
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
