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
from programs import wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING, callbroker  # noqa: E402
from telephone import Telephone  # noqa: E402


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

    def test_pushes_and_their_gateway(self):
        broker = RealBroker()
        self.addCleanup(broker.close)
        self.run_group("pushes", BROKER_SOCKET=broker.path)

    def test_a_grant_from_its_beginning_to_its_end(self):
        broker = RealBroker()
        self.addCleanup(broker.close)
        self.run_group("grants", BROKER_SOCKET=broker.path)

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
                calls = wait_until("its report is sent", lambda: user.list_calls().result(CEILING)["calls"])
                call = calls[0]["call"]
                done = user.answer(call, wait="completed").result(CEILING)
            self.assertEqual(done["state"], "completed")
            self.assertEqual(phone.stdout.readline(), f"answer {call}\n")


class TelephoneTests(Telephone, unittest.TestCase):
    program = os.path.join(BUILD, "telephone")


if __name__ == "__main__":
    unittest.main()
