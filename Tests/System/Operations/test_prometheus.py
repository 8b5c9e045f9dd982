"""What a real Prometheus reads from `callbroker metrics --listen`, and promtool from its text."""
import json
import os
import queue
import re
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SDK = os.path.join(ROOT, "plugins", "sdk", "python")
sys.path.insert(0, os.path.join(SDK, "tests"))

from programs import CEILING, Program, wait_until  # noqa: E402
from real_broker import RealBroker  # noqa: E402

ANN = "+15550199"


class Telephone:
    """An app that does what it is requested to do, on a thread."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.replies, self.count = queue.Queue(), 0
        threading.Thread(target=self.serve, daemon=True).start()
        self.request("broker.hello", protocol={"min": 1, "max": 1}, roles=["provider"],
                     identity="org.example.phone", client={"name": "test", "version": "1"})
        self.request("provider.register", display_name="Phone", handle_types=["phone"])

    def send(self, **members):
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n")

    def request(self, method, **params):
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        reply = self.replies.get(timeout=CEILING)
        assert "result" in reply, reply

    def serve(self):
        for line in self.socket.makefile("rb"):
            frame = json.loads(line)
            if "method" not in frame:
                self.replies.put(frame)
            elif "id" in frame:
                self.send(id=frame["id"], result={})

    def ring(self):
        self.request("call.report_incoming", call=str(uuid.uuid4()), display_name="Ann",
                     remote={"type": "phone", "value": ANN})

    def close(self):
        self.socket.close()


class PrometheusTests(unittest.TestCase):
    def setUp(self):
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.environment = {**os.environ, "BROKER_SOCKET": self.broker.path}

    def tool(self, *arguments):
        done = subprocess.run([self.broker.program, *arguments], env=self.environment, text=True,
                              timeout=CEILING, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def make_calls(self):
        """One call is active, and a second one waits."""
        telephone = Telephone(self.broker.path)
        self.addCleanup(telephone.close)
        telephone.ring()
        self.tool("answer")
        telephone.ring()

    def query(self, text):
        """The value of an expression, or None while there is none."""
        url = f"{self.prometheus}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        with urllib.request.urlopen(url, timeout=CEILING) as reply:
            result = json.load(reply)["data"]["result"]
        return float(result[0]["value"][1]) if result else None

    def becomes(self, text, is_right):
        """Waits for a value: a scrape that takes too long takes it away, until the next one."""
        def is_so():
            value = self.query(text)
            return value is not None and is_right(value)
        wait_until(lambda: f"{text}: {self.query(text)}", is_so)

    def scrape(self):
        server = Program(self, self.folder, "metrics",
                         [self.broker.program, "metrics", "--listen", "127.0.0.1:0"],
                         self.environment)
        server.wait_for("/metrics\n")
        target = re.search(r"http://([^/]+)/metrics", server.said()).group(1)
        with open(os.path.join(self.folder, "prometheus.yml"), "w", encoding="ascii") as file:
            json.dump({"scrape_configs": [{
                "job_name": "callbroker", "scrape_interval": "1s", "scrape_timeout": "1s",
                "static_configs": [{"targets": [target]}]}]}, file)
        program = Program(self, self.folder, "prometheus", [
            "prometheus", "--config.file=prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
            "--web.listen-address=127.0.0.1:0"])
        program.wait_for("msg=\"Listening on\"")
        program.wait_for("Server is ready to receive web requests")
        address = re.search(r'msg="Listening on" address=(\S+)', program.said())[1]
        self.prometheus = "http://" + address

    def test_prometheus_scrapes_calls_refusals_and_latencies(self):
        self.make_calls()
        self.scrape()
        wait_until("the first scrape", lambda: self.query('up{job="callbroker"}') == 1.0)
        calls = 'callbroker_calls{provider="org.example.phone",state="%s"}'
        answers = 'callbroker_action_duration_seconds_%s{kind="answer"%s}'
        for text in (calls % "active", calls % "waiting", 'callbroker_transactions_total{state="completed"}',
                     answers % ("count", ""), answers % ("bucket", ',le="+Inf"'),
                     "callbroker_journal_up", "callbroker_store_up"):
            self.becomes(text, lambda value: value == 1)
        self.becomes("histogram_quantile(0.5, callbroker_action_duration_seconds_bucket{kind='answer'})",
                     lambda value: value < 60)
        self.becomes("callbroker_resident_memory_bytes", lambda value: value > 1e6)

    def test_a_broker_that_is_away_is_a_target_that_is_down(self):
        self.scrape()
        wait_until("the first scrape", lambda: self.query('up{job="callbroker"}') == 1.0)
        self.broker.kill()
        wait_until("the end of the broker", lambda: self.query('up{job="callbroker"}') == 0.0)
        self.broker.start()
        wait_until("the next broker", lambda: self.query('up{job="callbroker"}') == 1.0)

    def test_promtool_finds_nothing_wrong_with_the_classic_text(self):
        self.make_calls()
        text = self.tool("metrics", "--classic")
        done = subprocess.run(["promtool", "check", "metrics"], input=text, text=True,
                              timeout=CEILING, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_no_number_and_no_name_of_a_caller_is_in_the_text(self):
        self.make_calls()
        text = self.tool("metrics")
        self.assertNotIn("5550199", text)
        self.assertNotIn("Ann", text)
        self.assertTrue(text.endswith("# EOF\n"))


if __name__ == "__main__":
    unittest.main()
