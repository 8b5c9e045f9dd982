"""Each example of the pages is checked: here, or by the test of its kind."""

import ast
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import yaml

from examples import (
    ROOT,
    TOOL,
    commands_in_shell,
    commands_in_text,
    examples,
    fault,
    of_kind,
    pages,
)

# Kinds of blocks with a test that plays them.
PLAYED = {
    "frames": "Tests/System/DaemonTests/GuideTests.swift",
    "told": "Tests/System/DaemonTests/GuideTests.swift",
    "screen": "Tests/System/DaemonTests/GuideTests.swift",
    "scenario": "Tests/System/DaemonTests/GuideTests.swift",
}
# Those that the tests of an SDK build and play, with their page.
BUILT = {
    "go": ("plugins/sdk/go/README.md", "plugins/sdk/go/with_broker_test.go"),
    "rust": ("plugins/sdk/rust/README.md", "plugins/sdk/rust/tests/test_rust.py"),
}
CHECKED = {"", "c", "cs", "js", "json", "python", "sh", "swift", "yaml"}
C_PART = """#include <callbroker.h>
#include <stdio.h>
void part(cb_client *client, const char *call)
{
%s
}
"""
CS_PART = """using System;
using System.Threading;
using System.Threading.Tasks;
using CallBroker;
static class Part
{
    static async Task PlayAsync(string call, CancellationToken token)
    {
%s
    }
}
"""
CLIENT = "Sources/CallClient/Documentation.docc/CallClient.md"


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


class ExampleTests(unittest.TestCase):
    def test_each_kind_of_block_has_a_test(self):
        self.assertGreater(len(examples()), 200)
        self.assertEqual({example.kind for example in examples()} - CHECKED - set(PLAYED) - set(BUILT), set())
        for kind, test in PLAYED.items():
            self.assertIn(f'"{kind}"', (ROOT / test).read_text(encoding="utf-8"))
            self.assertEqual({example.page for example in of_kind(kind)}, {"plugins/README.md"}, kind)
        for kind, (page, test) in BUILT.items():
            self.assertIn(f'"```{kind}\\n', (ROOT / test).read_text(encoding="utf-8"))
            self.assertEqual({example.page for example in of_kind(kind)}, {page}, kind)

    def test_json_can_be_read(self):
        for example in of_kind("json"):
            with self.subTest(str(example)):
                text = example.text.replace("{…}", "{}")
                try:
                    json.loads(text)
                except json.JSONDecodeError:
                    # Frames, one per line.
                    for line in text.splitlines():
                        json.loads(line)

    def test_yaml_can_be_read(self):
        for example in of_kind("yaml"):
            with self.subTest(str(example)):
                self.assertTrue(yaml.safe_load(example.text))

    def test_python_compiles(self):
        for example in of_kind("python"):
            with self.subTest(str(example)):
                compile(example.text, example.page, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

    def test_javascript_compiles(self):
        for example in of_kind("js"):
            with self.subTest(str(example)):
                done = run("node", "--check", "-", input=f"async () => {{\n{example.text}\n}};")
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_c_compiles(self):
        for example in of_kind("c"):
            with self.subTest(str(example)):
                text = example.text
                if "#include" not in text:
                    # A part: functions may be in functions for this compiler.
                    text = C_PART % text.replace("static ", "")
                done = run("gcc", "-std=gnu99", "-fsyntax-only", "-I", ROOT / "plugins/sdk/c", "-x", "c", "-",
                           input=text)
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_csharp_compiles(self):
        sources = sorted((ROOT / "plugins/sdk/csharp/CallBroker").glob("*.cs"))
        for example in of_kind("cs"):
            with self.subTest(str(example)), tempfile.TemporaryDirectory() as folder:
                part = Path(folder) / "part.cs"
                part.write_text(example.text if "static class" in example.text else CS_PART % example.text,
                                encoding="utf-8")
                done = run("mcs", "-sdk:4.7.1-api", "-langversion:7.2", "-target:library", f"-out:{folder}/part.dll",
                           "-r:/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll", part, *sources)
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_shell_commands_exist(self):
        for example in of_kind("sh"):
            with self.subTest(str(example)):
                script = "\n".join(line.removeprefix("$ ") for line in shell_lines(example.text))
                done = run("bash", "-n", input=script)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertEqual([found for words in commands_in_shell(script) if (found := fault(words))], [])

    def test_commands_in_other_blocks_exist(self):
        for example in of_kind(""):
            for line in re.findall(r"^\$ (.+)", example.text, re.MULTILINE):
                with self.subTest(line):
                    self.assertEqual([found for words in commands_in_shell(line) if (found := fault(words))], [])

    def test_commands_in_the_text_exist(self):
        count = 0
        for page in pages():
            for command in commands_in_text((ROOT / page).read_text(encoding="utf-8")):
                count += 1
                with self.subTest(command, page=page):
                    self.assertEqual([found for words in commands_in_shell(command) if (found := fault(words))], [])
        self.assertGreater(count, 100)

    def test_commands_of_the_manual_exist(self):
        lines = re.findall(r"^\.Dl (.*callbroker .+)", (ROOT / "packaging/callbroker.1").read_text(), re.MULTILINE)
        self.assertGreater(len(lines), 3)
        for line in lines:
            self.assertEqual([found for words in commands_in_shell(line) if (found := fault(words))], [], line)

    def test_what_the_tool_does_not_have_is_detected(self):
        for command in ("callbroker anser", "callbroker answer --hold-it", "callbroker plugin lst", "make tset",
                        "A=1 callbroker calls | callbroker x", "callbroker calls --provider a --nothing"):
            self.assertTrue([found for words in commands_in_shell(command) if (found := fault(words))], command)
        for command in ("callbroker", "callbroker --json", "callbroker history --missed",
                        "callbroker plugin list --available", "callbroker dial --provider a tel:+1 # --nothing"):
            self.assertEqual([found for words in commands_in_shell(command) if (found := fault(words))], [], command)


def shell_lines(text):
    """The commands of a block, without what they print where the block has prompts."""
    lines = text.splitlines()
    prompted = [line for line in lines if line.startswith("$ ")]
    return prompted or lines


class SwiftTests(unittest.TestCase):
    """Blocks that import something are programs; the others are parts, which compile with what their page is about."""

    SCAFFOLDS = {
        CLIENT: ("import CallClient\nimport CallModel\n"
                 "struct Line: Sendable { func pickUp() async throws {} }\nlet line = Line()\n"
                 "struct Mixer: Sendable { func move(to endpoint: String) async -> Bool { true } }\n"
                 "let mixer = Mixer()\n"
                 "struct Tape: Sendable { func start(for calls: [CallID]) async {} }\nlet tape = Tape()\n",
                 "let call = CallID.random(), ada = Handle(kind: .phone, value: \"+1\")\n"
                 "let user = try await CallController()\n"),
        "Sources/CallModel/Documentation.docc/CallModel.md": ("import CallModel\n", ""),
        "Sources/CallTesting/Documentation.docc/CallTesting.md": ("import CallTesting\nimport Testing\n", ""),
    }

    def type_check(self, text):
        modules = [word for file in (ROOT / "Sources").glob("*/module.modulemap") for word in ("-I", file.parent)]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "main.swift"
            file.write_text(text, encoding="utf-8")
            return run("swiftc", "-typecheck", "-swift-version", "6", "-I", ROOT / ".build/debug/Modules", *modules,
                       file)

    def test_each_part_compiles(self):
        for page, (top, setting) in self.SCAFFOLDS.items():
            parts = [example.text for example in of_kind("swift", page) if "import " not in example.text]
            self.assertTrue(parts, page)
            for part in parts:
                with self.subTest(part):
                    needs = "".join(line + "\n" for line in setting.splitlines()
                                    if "let " + line.split()[1] not in part)
                    done = self.type_check(f"{top}{needs}func part() async throws {{\n{part}\n}}" if "class" not in part
                                           else top + part)
                    self.assertEqual(done.returncode, 0, done.stdout)

    def test_each_example_in_a_comment_compiles(self):
        top = ("import CallTesting\nimport Testing\n"
               "struct MyApp { let socketPath: String; func connect() async throws {} }\n")
        comments = [(path, text) for library in ("CallClient", "CallModel", "CallTesting", "CallKit")
                    for path in (ROOT / "Sources" / library).rglob("*.swift")
                    for text in re.findall(r"/// ```swift\n(.*?)/// ```\n", path.read_text(), re.DOTALL)]
        self.assertGreaterEqual(len(comments), 3)
        for path, text in comments:
            with self.subTest(path.name):
                part = re.sub("^ */// ?", "", text, flags=re.MULTILINE)
                needs = "" if "let broker" in part else "let phone = TestBroker().provider(\"org.example.phone\")\n"
                done = self.type_check(f"{top}func part() async throws {{\n{needs}{part}\n}}")
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_part_that_does_not_compile_is_detected(self):
        self.assertNotEqual(self.type_check("import CallClient\nlet user = try await CallControler()\n").returncode, 0)

    def test_each_part_elsewhere_can_be_parsed(self):
        others = [example for example in of_kind("swift") if example.page not in self.SCAFFOLDS]
        for example in others:
            with self.subTest(str(example)):
                # A part of a manifest is what stands in a list.
                text = f"let parts = [\n{example.text}\n]" if example.text.startswith(".") else example.text
                done = run("swiftc", "-frontend", "-parse", "-", input=text)
                self.assertEqual(done.returncode, 0, done.stdout)


class FirstProviderTests(unittest.TestCase):
    """The package and the provider of the page, as printed, and a user."""

    def package(self, folder):
        manifest, program = [example.text for example in of_kind("swift", CLIENT) if "import " in example.text]
        origin = '.package(url: "…/callbroker", from: "0.1.0")'
        self.assertEqual(manifest.count(origin), 1)
        manifest = manifest.replace(origin, f'.package(name: "callbroker", path: "{ROOT}")')
        for name, text in (("Package.swift", manifest), ("Sources/phone/main.swift", program),
                           ("Tests/PhoneTests/PhoneTests.swift", "import CallTesting\nimport Testing\n")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    def test_it_compiles_as_printed_and_has_a_call(self):
        folder = ROOT / ".build-site/phone"
        self.package(folder)
        done = run("swift", "build", "--quiet", "--product", "phone", cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout)
        done = run(ROOT / "Scripts/with-broker", TOOL, sys.executable, __file__, folder / ".build/debug/phone",
                   timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.splitlines()[-5:],
                         ["answered", "held", "resumed", "calls left: 0", "exit 0"], done.stdout)


def act(program):
    """Acts as the user of the provider, beside a broker, and prints what the provider prints."""
    # Line by line, as at a terminal.
    phone = subprocess.Popen(["stdbuf", "-oL", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(phone.stdout.readline(), end="")
    print(phone.stdout.readline(), end="")
    for verb in ("answer", "hold", "resume"):
        subprocess.run([TOOL, verb], check=True, stdout=subprocess.DEVNULL)
        print(phone.stdout.readline(), end="")
    phone.stdin.close()
    status = phone.wait()
    calls = subprocess.run([TOOL, "calls", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    print(f"calls left: {len(calls.splitlines())}\nexit {status}")


if __name__ == "__main__":
    act(*sys.argv[1:])
