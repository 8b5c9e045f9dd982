"""Everything that the broker understands, and the name of it in each SDK: the broker's own description
against the SDKs' sources. An app can do without no method of a provider; what else has no function of
its own in an SDK, and is sent by its name on the wire, is listed here."""
import glob
import os
import re
import sys
import unittest

from checking import ROOT

sys.path.append(os.path.join(ROOT, "plugins", "sdk", "python"))
sys.path.append(os.path.join(ROOT, "plugins", "sdk", "python", "tests"))
from real_broker import RealBroker  # noqa: E402
from callbroker import Observer  # noqa: E402

SDK = os.path.join(ROOT, "plugins", "sdk")

# A family, or one method of it, that an SDK sends and receives by its name alone.
OF_OPERATORS = {"broker.backup", "broker.describe", "broker.dump", "broker.info", "broker.log",
                "broker.metrics", "broker.shutdown", "broker.stats", "broker.warning",
                "connection.list", "grant", "plugin", "question"}
# What an app and a screen for calls can do without.
BESIDE_CALLS = {"audio.activated", "audio.deactivated", "audio.handover", "audio.report_endpoints",
                "audio.use_endpoint", "block", "call.presentation", "contact", "directory", "history",
                "provider.reset", "screener"}
BY_NAME = {
    # `on` has the name of a notification or a request as an argument, and `plugin` that of a verb.
    "python": {"audio.activated", "audio.deactivated", "audio.handover", "call.presentation", "plugin",
               "provider.reset", "push.unreported"},
    # `request`, `notify`, `handle` and `on` complete and check every name: callbroker.d.ts has all.
    "node": set(),
    # Requests.cs has every name, from the broker's own description; the library itself ends subscriptions.
    "csharp": set(),
    # What the user does, sees and has is cb_request() and `told`.
    "c": (OF_OPERATORS - {"grant"}) | {
        "audio.activated", "audio.deactivated", "audio.handover", "audio.report_endpoints",
        "audio.set_endpoint", "audio.use_endpoint", "block", "call.answer", "call.attended_transfer",
        "call.continue_tones", "call.deflect", "call.dial", "call.end", "call.explain", "call.get",
        "call.list", "call.may_ring", "call.merge", "call.play_dtmf", "call.press_button", "call.presentation",
        "call.prioritize", "call.pull", "call.send_text", "call.set_endpoint", "call.set_group",
        "call.set_held", "call.set_muted", "call.set_text", "call.set_video", "call.silence",
        "call.split", "call.start", "call.swap", "call.timeline", "call.transfer", "contact",
        "directory", "event", "events", "history", "host", "line", "participant", "policy",
        "provider.authorization_changed", "provider.list", "provider.reset", "provider.send_text",
        "provider.unregister", "screener", "transaction", "ui"},
    # Request, Handle and On send and receive by name what is no call's, no provider's and no screen's.
    "go": OF_OPERATORS | BESIDE_CALLS,
    "rust": OF_OPERATORS | BESIDE_CALLS,
    # Programs of operators use the tool.
    "swift": (OF_OPERATORS - {"plugin"}) | {
        # A pull is an answer.
        "call.pull", "directory.enable", "directory.lookup", "history.import", "plugin.disable", "plugin.doctor",
        "plugin.enable", "plugin.logs", "plugin.options_changed", "plugin.rescan",
        "plugin.set_option", "plugin.start", "plugin.stop", "push.deliver", "push.reset",
        "push.set_token", "screener", "ui.release"},
}


def text(*patterns):
    found = []
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            if path.endswith("_test.go"):
                continue
            with open(path, encoding="utf-8") as file:
                found.append(file.read())
    return "\n".join(found)


def named(method, sources):
    """The SDKs that have a function, a type or a handler for a method."""
    case = re.search(rf'case (\w+) = "{re.escape(method)}"', sources["names"])
    literal = re.escape(f'"{method}"')
    swift = rf"\.{case.group(1)}\b" if case else literal
    return {sdk for sdk, pattern in (("python", literal), ("node", f"{literal}:"), ("c", literal),
                                     ("csharp", literal), ("go", literal), ("rust", literal),
                                     ("swift", swift)) if re.search(pattern, sources[sdk])}


class VocabularyTests(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        broker = RealBroker()
        cls.addClassCleanup(broker.close)
        with Observer("vocabulary", socket=broker.path) as client:
            document = client.request("rpc.discover", {}).result()
        cls.methods = {one["name"]: one for one in document["methods"] if "x-topic" not in one}
        cls.sources = {
            "python": text("plugins/sdk/python/callbroker.py"),
            "node": text("plugins/sdk/node/callbroker.d.ts"), "c": text("plugins/sdk/c/*.c"),
            "go": text("plugins/sdk/go/*.go"), "rust": text("plugins/sdk/rust/src/*.rs"),
            "csharp": text("plugins/sdk/csharp/CallBroker/*.cs"),
            "swift": text("Sources/CallClient/**/*.swift"), "names": text(
                "Sources/CallProtocol/Methods/MethodName.swift")}
        cls.named = {method: named(method, cls.sources) for method in cls.methods}

    def unnamed(self, sdk):
        return {method for method, sdks in self.named.items() if sdk not in sdks}

    def test_each_method_has_a_name_in_each_sdk_but_for_those_that_are_listed(self):
        for sdk, excused in BY_NAME.items():
            with self.subTest(sdk):
                gaps = {method if method in excused else method.split(".")[0]
                        if method.split(".")[0] in excused else method
                        for method in self.unnamed(sdk)}
                self.assertEqual(gaps, excused, "those with a name need no excuse, the others one")

    def test_everything_that_a_provider_reports_and_requests_has_a_function_in_each_sdk(self):
        own = {"broker.progress"} | {name for name, method in self.methods.items()
               if method["x-roles"] == ["provider"] and method["x-direction"] == "to_broker"}
        self.assertIn("call.report_quality", own)
        self.assertIn("provider.request_authorization", own)
        for sdk in BY_NAME:
            with self.subTest(sdk):
                self.assertEqual(self.unnamed(sdk) & own - {"provider.unregister"}, set())


if __name__ == "__main__":
    unittest.main()
