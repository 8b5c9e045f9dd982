"""What the page on stability says about versions, compared with the sources and with a broker."""

import json
import os
import re
import socket
import subprocess
import sys
import unittest

from examples import ROOT, TOOL

PAGE = (ROOT / "Sources/CallBroker/Documentation.docc/Stability.md").read_text(encoding="utf-8")
RELEASE = (ROOT / "Sources/CallProtocol/Release.swift").read_text(encoding="utf-8")
# Where each client of the table has its release, and where the protocol versions of its hello.
CLIENTS = {
    "`callbroker.py`": (("plugins/sdk/python/callbroker.py", r'__version__ = "(.+?)"'),
                        ("plugins/sdk/python/callbroker.py", r'"protocol": {"min": (\d+), "max": (\d+)}')),
    "`callbroker.js`": (("plugins/sdk/node/package.json", r'"version": "(.+?)"'),
                        ("plugins/sdk/node/callbroker.js", r"protocol: { min: (\d+), max: (\d+) }")),
    "`CallBroker.dll`": (("plugins/sdk/csharp/CallBroker.csproj", r"<Version>(.+?)</Version>"),
                         ("plugins/sdk/csharp/CallBroker/Client.cs", r'"min", (\d+) }, { "max", (\d+)')),
    "`libcallbroker`": (("plugins/sdk/c/Makefile", r"VERSION := (.+)"),
                        ("plugins/sdk/c/client.c", r'"min", (\d+), "max",\s*(\d+)')),
    "`callbroker` for Go": (("plugins/sdk/go/callbroker.go", r'const Version = "(.+?)"'),
                            ("plugins/sdk/go/client.go", r'"min": (\d+), "max": (\d+)')),
    "`callbroker` for Rust": (("plugins/sdk/rust/Cargo.toml", r'\nversion = "(.+?)"'),
                              ("plugins/sdk/rust/src/sessions.rs", r'"min": (\d+), "max": (\d+)')),
}


def found(place):
    path, pattern = place
    return re.search(pattern, (ROOT / path).read_text(encoding="utf-8")).groups()


class StabilityTests(unittest.TestCase):
    def row(self, name):
        """The release and the protocol versions of a client in the table."""
        release, versions = re.search(rf"^\| {re.escape(name)}(?:, [^|]*)? ([\d.]+)[^|]*\| ([^|]+) \|", PAGE,
                                      re.MULTILINE).groups()
        return release, versions

    def test_the_table_has_the_releases_and_the_versions_of_the_sdks(self):
        for name, (release, versions) in CLIENTS.items():
            self.assertEqual(self.row(name)[0], re.match(r"\d+\.\d+", found(release)[0])[0], name)
            self.assertEqual(self.row(name)[1], "-".join(dict.fromkeys(found(versions))), name)

    def test_the_table_has_the_release_and_the_versions_of_this_build(self):
        release = re.search(r'version = "(\d+\.\d+)', RELEASE)[1]
        versions = re.search(r"protocolMajors = (\d+)\.\.\.(\d+)", RELEASE).groups()
        self.assertEqual(self.row("`callbroker`"), (release, ", ".join(dict.fromkeys(versions))))
        self.assertEqual(self.row("`CallClient`"), (release, ", ".join(dict.fromkeys(versions))))
        self.assertIn(f"| broker {release} |", PAGE)

    def test_the_manifest_has_the_format_of_the_page(self):
        formats = re.search(r"`manifest` \| integer (\d+) to (\d+)", (ROOT / "plugins/MANIFEST.md").read_text())
        self.assertIn(f"manifests of plugins, format {formats[2]} ", PAGE)

    def test_the_exit_codes_are_those_of_the_manual(self):
        manual = (ROOT / "packaging/callbroker.1").read_text().split(".Sh EXIT STATUS")[1].split(".El")[0]
        codes = re.findall(r"^\.It (\d+)", manual, re.MULTILINE)
        self.assertIn(f"exit codes of the tool, {codes[0]} to {codes[-1]} ", PAGE)

    def test_the_c_library_has_the_number_of_the_page(self):
        soname = re.search(r"-soname,(\S+?) ", (ROOT / "plugins/sdk/c/Makefile").read_text())[1]
        self.assertIn(f"`{soname}`", PAGE)

    def test_what_is_deprecated_in_swift_is_still_there(self):
        old, new = re.search(r"`CallProvider\.(\w+)`, for example, is now `(\w+)`", PAGE).groups()
        source = (ROOT / "Sources/CallClient/Provider/CallProvider.swift").read_text(encoding="utf-8")
        self.assertRegex(source, rf'deprecated, renamed: "{new}\(.+"\)\n +public func {old}\(')

    def test_the_newest_common_version_is_chosen_or_the_hello_refused(self):
        for least, most in ((0, 1), (1, 1), (1, 9), (2, 9)):
            done = subprocess.run([ROOT / "Scripts/with-broker", TOOL, sys.executable, __file__, str(least), str(most)],
                                  stdout=subprocess.PIPE, text=True, check=True, timeout=60)
            reply = json.loads(done.stdout)
            if least <= 1:
                self.assertEqual(reply["result"]["protocol"], 1)
            else:
                self.assertEqual(reply["error"]["code"], -32015)
                self.assertEqual(reply["error"]["data"]["reason"], "version_unsupported")
                self.assertEqual(reply["error"]["data"]["supported"], {"min": 1, "max": 1})


def hello(least, most):
    """Prints the reply of the broker to a client of these versions."""
    params = {"protocol": {"min": int(least), "max": int(most)}, "client": {"name": "test", "version": "1"}}
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(os.environ["BROKER_SOCKET"])
        request = {"jsonrpc": "2.0", "id": 1, "method": "broker.hello", "params": params}
        link.sendall(json.dumps(request).encode() + b"\n")
        print(link.makefile().readline())


if __name__ == "__main__":
    hello(*sys.argv[1:])
