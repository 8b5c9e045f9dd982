"""What OpenTelemetry's own messages read from `callbroker timeline --otlp`."""
import base64
import glob
import json
import os
import subprocess
import sys
import unittest
import uuid
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
TOOLS = os.path.join(ROOT, ".build", "opentelemetry")
REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
sys.path[:0] = [os.path.join(ROOT, "plugins", "sdk", "python", "tests"),
                os.path.dirname(os.path.abspath(__file__))]

from programs import CEILING  # noqa: E402
from real_broker import RealBroker  # noqa: E402
from test_prometheus import Telephone  # noqa: E402

ANN = "+15550199"
# Members of ids, which OTLP writes in hexadecimal digits, and the general form of JSON for Protocol
# Buffers in base64.
IDS = ("traceId", "spanId", "parentSpanId")


def install():
    """Makes the messages importable as Python classes, from an environment beside the build."""
    python = os.path.join(TOOLS, "bin", "python3")
    if not os.path.exists(python):
        venv.create(TOOLS, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                    "--requirement", REQUIREMENTS], check=True)
    sys.path += glob.glob(os.path.join(TOOLS, "lib", "python3*", "site-packages"))


def general(value):
    """The general form of JSON for Protocol Buffers of a document of OTLP."""
    if isinstance(value, list):
        return [general(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: base64.b64encode(bytes.fromhex(each)).decode() if name in IDS else general(each)
            for name, each in value.items()}


class TraceTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        install()

    def setUp(self):
        self.broker = RealBroker()
        self.addCleanup(self.broker.close)
        self.phone = Telephone(self.broker.path)
        self.call = str(uuid.uuid4())
        self.phone.request("call.report_incoming", call=self.call,
                           remote={"type": "phone", "value": ANN})
        self.tool("answer")
        self.phone.request("call.report_ended", call=self.call, reason="remote_ended")

    def tool(self, *arguments):
        done = subprocess.run(
            [self.broker.program, *arguments], env={**os.environ, "BROKER_SOCKET": self.broker.path},
            capture_output=True, text=True, timeout=CEILING)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_a_time_line_is_a_request_that_a_collector_takes(self):
        from google.protobuf import json_format
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
        from opentelemetry.proto.trace.v1 import trace_pb2

        text = self.tool("timeline", self.call, "--otlp")
        request = json_format.ParseDict(
            general(json.loads(text)), trace_service_pb2.ExportTraceServiceRequest())
        (resource,) = request.resource_spans
        (scope,) = resource.scope_spans
        self.assertEqual([(each.key, each.value.string_value)
                          for each in resource.resource.attributes], [("service.name", "callbroker")])
        root, *rest = scope.spans
        self.assertEqual([each.name for each in scope.spans],
                         ["call", "state ringing", "state active", "action answer"])
        self.assertEqual({each.trace_id for each in scope.spans}, {uuid.UUID(self.call).bytes})
        self.assertEqual({len(each.span_id) for each in scope.spans}, {8})
        self.assertEqual({each.parent_span_id for each in rest}, {root.span_id})
        self.assertEqual(root.parent_span_id, b"")
        for each in rest:
            self.assertLessEqual(root.start_time_unix_nano, each.start_time_unix_nano)
            self.assertLessEqual(each.start_time_unix_nano, each.end_time_unix_nano)
            self.assertLessEqual(each.end_time_unix_nano, root.end_time_unix_nano)
        kinds = trace_pb2.Span.SpanKind
        self.assertEqual([kinds.Name(each.kind) for each in scope.spans],
                         ["SPAN_KIND_INTERNAL"] * 3 + ["SPAN_KIND_CLIENT"])
        self.assertIn("decision", {each.name for each in root.events})
        self.assertNotIn(ANN, text)


if __name__ == "__main__":
    unittest.main()
