"""Tests of Scripts/graph: with arrows that are made up, and with a small package that is compiled,
changed and compiled again."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "Scripts", "graph")
sys.path.insert(0, os.path.join(ROOT, "Scripts"))
sys.dont_write_bytecode = True

from graphing import arrows, drawing, layers  # noqa: E402
from graphing.page import matrix  # noqa: E402
from graphing.references import Arrow, Graph  # noqa: E402


def graph(name="Made", **references):
    """`a_b=3`: a refers to b three times."""
    made = Graph(name)
    for names, count in references.items():
        source, destination = names.split("_")
        made.nodes.update({source: 1, destination: 1})
        arrow = made.arrows[source, destination] = Arrow()
        arrow.references, arrow.symbols["usr"] = count, count
    return made


class LayerTests(unittest.TestCase):
    def test_what_refers_stands_above_what_is_referred_to(self):
        self.assertEqual(layers.order(graph(b_c=1, a_b=1)), ["a", "b", "c"])

    def test_nothing_goes_upward_without_a_cycle(self):
        self.assertEqual(layers.upward(graph(a_b=1, a_c=5, b_c=1, d_c=1)), set())

    def test_of_a_cycle_the_arrow_with_the_fewest_references_goes_upward(self):
        self.assertEqual(layers.upward(graph(a_b=9, b_c=9, c_a=2)), {("c", "a")})
        self.assertEqual(layers.upward(graph(a_b=1, b_c=9, c_a=9)), {("a", "b")})

    def test_a_cycle_does_not_change_what_is_below_it(self):
        self.assertEqual(layers.order(graph(b_a=1, a_b=2, b_z=1, z_c=9)), ["a", "b", "z", "c"])

    def test_an_arrow_is_implied_by_a_longer_way_down_and_not_by_one_through_a_cycle(self):
        self.assertEqual(layers.implied(graph(a_b=1, b_c=1, a_c=1)), {("a", "c")})
        self.assertEqual(layers.implied(graph(a_b=9, b_a=1)), set())


class DrawingTests(unittest.TestCase):
    NAMES = {"usr": 'Thing."quoted"(_:)'}

    def dot(self, made, **arguments):
        return drawing.dot(made, self.NAMES, arguments.get("purposes", {}), (),
                           arguments.get("is_plain", False))

    def test_an_upward_arrow_is_red_and_has_no_say_in_the_layers(self):
        lines = self.dot(graph(a_b=9, b_a=2)).split("\n")
        upward = next(line for line in lines if line.startswith('"b" -> "a"'))
        downward = next(line for line in lines if line.startswith('"a" -> "b"'))
        self.assertIn(drawing.RED, upward)
        self.assertIn("constraint=false", upward)
        self.assertNotIn(drawing.RED, downward)

    def test_names_are_quoted(self):
        self.assertIn('Thing.\\"quoted\\"(_:) 3', self.dot(graph(a_b=3)))
        self.assertIn("a &amp; b", self.dot(graph(a_b=3), purposes={"a": "a & b"}))

    def test_a_plain_picture_does_not_change_with_the_counts(self):
        self.assertEqual(self.dot(graph(a_b=3), is_plain=True), self.dot(graph(a_b=4), is_plain=True))
        self.assertNotEqual(self.dot(graph(a_b=3)), self.dot(graph(a_b=4)))

    def test_a_plain_picture_leaves_out_what_a_longer_way_says(self):
        made = graph(a_b=3, b_c=3, a_c=3)
        self.assertNotIn('"a" -> "c"', self.dot(made, is_plain=True))
        self.assertIn('"a" -> "c"', self.dot(made))

    def test_the_matrix_marks_what_goes_upward(self):
        text = matrix(graph(a_b=9, b_a=2), self.NAMES)
        self.assertEqual(text.count('class="up"'), 1)
        self.assertIn(">9<", text)

    def test_points_are_whole_and_widths_are_not(self):
        text = drawing.tidy('<?xml?><svg width="10pt" height="5pt"><!-- x --><path stroke-width="1.5"'
                            ' d="M1.2,-3.7C4.5,6"/></svg>')
        self.assertIn('d="M1,-4C4,6"', text)
        self.assertIn('stroke-width="1.5"', text)
        self.assertNotIn("<!--", text)


class ArrowFileTests(unittest.TestCase):
    def test_what_is_written_reads_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/arrows.txt"
            sections = {"B": ["B/. -> B/X", "B/X -> B/Y"], "targets": ["A -> B"], "A": []}
            arrows.write(path, sections)
            del sections["A"]
            self.assertEqual(arrows.read(path), sections)
            with open(path) as file:
                first = next(line for line in file if " -> " in line)
            self.assertEqual(first, "A -> B\n")

    def test_there_is_nothing_in_a_file_that_is_not_there(self):
        self.assertEqual(arrows.read("/nonexistent/arrows.txt"), {})


class PackageTests(unittest.TestCase):
    """Top refers to Base; in Top, Upper refers to Lower and Lower to nothing."""

    FILES = {
        "Base/Base.swift": "public struct Base { public init() {}; public func work() {} }\n",
        "Top/Upper/Upper.swift":
            "internal import Base\nstruct Upper { func go() { Base().work(); Lower.help() } }\n",
        "Top/Lower/Lower.swift": "enum Lower { static func help() {} }\n",
    }

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        # The compiler writes real paths.
        cls.root = os.path.realpath(folder.name)
        os.makedirs(f"{cls.root}/Tests")
        cls.write("Base/Base.swift", cls.FILES["Base/Base.swift"])
        cls.compile("Base")
        cls.is_changed = True

    def setUp(self):
        # Compiling is what takes the time.
        if PackageTests.is_changed:
            shutil.rmtree(f"{self.root}/Sources/Top", ignore_errors=True)
            for path, text in self.FILES.items():
                if path.startswith("Top/"):
                    self.write(path, text)
            self.compile("Top")
            PackageTests.is_changed = False
        with open(f"{self.root}/Tests/arrows.txt", "w") as file:
            file.write("Top -> Base\n\nTop/Upper -> Top/Lower\n")

    @classmethod
    def write(cls, path, text):
        PackageTests.is_changed = True
        full = f"{cls.root}/Sources/{path}"
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w") as file:
            file.write(text)

    @classmethod
    def compile(cls, target):
        build = f"{cls.root}/.build/debug"
        os.makedirs(build, exist_ok=True)
        files = [os.path.join(folder, name)
                 for folder, _, names in os.walk(f"{cls.root}/Sources/{target}") for name in names]
        outputs = f"{build}/{target}.json"
        with open(outputs, "w") as file:
            entries = ", ".join(f'"{f}": {{"object": "{build}/{os.path.basename(f)}.o"}}' for f in files)
            file.write("{" + entries + "}")
        subprocess.run(
            ["swiftc", "-c", "-swift-version", "6", "-module-name", target, "-parse-as-library",
             "-emit-module", "-emit-module-path", f"{build}/{target}.swiftmodule", "-I", build,
             "-index-store-path", f"{build}/index/store", "-output-file-map", outputs] + files,
            check=True, cwd=cls.root)

    def graph(self, *arguments):
        done = subprocess.run([SCRIPT, "--root", self.root, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_the_arrows_are_those_of_the_code(self):
        self.assertEqual(self.graph("--text"), (0, "Top -> Base\nTop/Upper -> Top/Lower\n"))
        self.assertEqual(self.graph("--text", "--inside", "Top", "--files"),
                         (0, "Top/Upper/Upper.swift -> Top/Lower/Lower.swift\n"))
        # Two names of types, an initializer, two methods; three are called.
        status, text = self.graph("--text", "--counts")
        self.assertIn("Top -> Base: 3 references, 2 of them calls\n", text)
        self.assertIn("Top/Upper -> Top/Lower: 2 references, 1 of them calls\n", text)

    def test_what_is_allowed_and_true_passes(self):
        self.assertEqual(self.graph("--check"), (0, ""))

    def test_a_new_arrow_fails_with_its_line_and_the_cycle_that_it_closes(self):
        self.write("Top/Lower/Lower.swift",
                   "enum Lower {\n  static func help() {}\n  static func back() { _ = Upper() }\n}\n")
        self.compile("Top")
        status, text = self.graph("--check")
        self.assertEqual(status, 1)
        self.assertIn("new arrow: Top/Lower -> Top/Upper, which closes a cycle\n", text)
        self.assertIn("  Sources/Top/Lower/Lower.swift:3: Upper", text)
        self.assertIn("`make graph`", text)
        # One section can be written by itself.
        self.assertEqual(self.graph("--write", "--inside", "Top")[0], 0)
        self.assertEqual(self.graph("--check"), (0, ""))

    def test_an_arrow_that_is_gone_fails(self):
        self.write("Top/Upper/Upper.swift",
                   "internal import Base\nstruct Upper { func go() { Base().work() } }\n")
        self.compile("Top")
        status, text = self.graph("--check")
        self.assertEqual(status, 1)
        self.assertIn("no longer true: Top/Upper -> Top/Lower\n", text)

    def test_an_index_that_is_older_than_a_file_is_not_believed(self):
        self.assertEqual(self.graph("--is-current"), (0, ""))
        PackageTests.is_changed = True
        later = time.time() + 10
        os.utime(f"{self.root}/Sources/Top/Lower/Lower.swift", (later, later))
        self.assertEqual(self.graph("--is-current"), (1, ""))
        status, text = self.graph("--check")
        self.assertEqual(status, 1)
        self.assertIn("older than Sources/Top/Lower/Lower.swift; run `make build`", text)
        # What is in other targets does not matter to one of them.
        self.assertEqual(self.graph("--text", "--inside", "Base"), (0, "\n"))

    def test_a_file_that_the_compiler_has_not_seen_fails(self):
        self.write("Top/New.swift", "")
        self.assertIn("Sources/Top/New.swift", self.graph("--check")[1])

    def test_a_file_that_was_moved_counts_where_it_is(self):
        PackageTests.is_changed = True
        os.makedirs(f"{self.root}/Sources/Top/Ground")
        os.rename(f"{self.root}/Sources/Top/Lower/Lower.swift",
                  f"{self.root}/Sources/Top/Ground/Lower.swift")
        self.compile("Top")
        self.assertEqual(self.graph("--text", "--inside", "Top"), (0, "Top/Upper -> Top/Ground\n"))

    def test_an_import_without_a_reference_is_found(self):
        self.write("Top/Lower/Lower.swift", "internal import Base\n" + self.FILES["Top/Lower/Lower.swift"])
        self.compile("Top")
        self.assertEqual(self.graph("--unused-imports"), (0, "Sources/Top/Lower/Lower.swift: Base\n"))

    def test_without_an_index_it_says_how_to_get_one(self):
        status, text = self.graph("--check", "--index-store", f"{self.root}/nothing")
        self.assertEqual(status, 1)
        self.assertIn("--disable-index-store", text)

    def test_a_target_that_is_not_there_is_named_with_those_that_are(self):
        self.assertEqual(self.graph("--text", "--inside", "Bottom"),
                         (1, "graph: no target Bottom; there are Base, Top\n"))


if __name__ == "__main__":
    unittest.main()
