"""The example telephone and the programs of the guide, with the broker itself (CALLBROKER, or
.build/debug/callbroker). `make check` builds the telephone."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.dirname(HERE)
BUILD = os.environ.get("BUILD") or os.path.join(FOLDER, "..", "..", "..", ".build", "rust")
sys.path.insert(0, os.path.join(FOLDER, "..", "python", "tests"))
from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING, callbroker  # noqa: E402
from telephone import Telephone  # noqa: E402

MANIFEST = f"""[package]
name = "phone"
version = "0.1.0"
edition = "2021"

[dependencies]
callbroker = {{ path = "{FOLDER}" }}
"""
DEBIAN = ["--offline", "--config", "source.crates-io.replace-with='debian'",
          "--config", "source.debian.directory='/usr/share/cargo/registry'"]


class TelephoneTests(Telephone, unittest.TestCase):
    program = os.path.join(BUILD, "debug", "examples", "telephone")


class GuideTests(unittest.TestCase):
    def built(self, program):
        """A crate of its own that uses this one."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("Cargo.toml", MANIFEST), ("src/main.rs", program)):
                os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            target = os.path.join(BUILD, "guide")
            done = subprocess.run(
                ["cargo", "build", "--quiet", *DEBIAN], cwd=folder, text=True, check=False,
                capture_output=True, env={**os.environ, "CARGO_TARGET_DIR": target})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return os.path.join(target, "debug", "phone")

    def test_the_programs_of_the_guide(self):
        with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as guide:
            provider, *others = re.findall(r"```rust\n(.*?)```", guide.read(), re.DOTALL)
        self.assertTrue(others)
        for other in others:
            self.built(other)
        program = self.built(provider)
        broker = RealBroker()
        self.addCleanup(broker.close)
        phone = subprocess.Popen([program], text=True, stdout=subprocess.PIPE,
                                 env={**os.environ, "BROKER_SOCKET": broker.path})
        self.addCleanup(phone.communicate)
        self.addCleanup(phone.kill)
        self.assertEqual(phone.stdout.readline(), "ring\n")
        with callbroker.Controller("user", socket=broker.path) as user:
            call = user.list_calls().result(CEILING)["calls"][0]["call"]
            user.answer(call, wait="completed").result(CEILING)
            self.assertEqual(phone.stdout.readline(), f"connecting {call}\n")
            with self.assertRaises(callbroker.ProviderFailed) as caught:
                user.set_held(call, True, wait="completed").result(CEILING)
            self.assertEqual(caught.exception.data["provider_error"]["reason"], "not_today")
            user.end(call, wait="completed").result(CEILING)
        self.assertEqual(phone.wait(CEILING), 0)


if __name__ == "__main__":
    unittest.main()
