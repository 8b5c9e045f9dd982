"""Pictures of time as people see them: drawn by the program, rendered, and compared with a picture that was
looked at; and pictures of real sessions, as documents."""
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.join(ROOT, "plugins", "sdk", "python", "tests"))

from real_broker import RealBroker  # noqa: E402
from scripted_broker import CEILING  # noqa: E402
from callbroker import Admin, Provider, phone  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
SCENARIO = os.path.join(ROOT, "examples", "scenarios", "held-muted-joined.scenario")
DOCUMENTED = os.path.join(ROOT, "Sources", "CallBroker", "Documentation.docc", "timeline.svg")
GOLDEN = os.path.join(HERE, "pictures")
WIDTH = 640
# The mean difference of gray levels, of 255; and that of the worst tile of 16 by 16 pixels. Fonts differ between
# hosts.
MEAN_MAX, TILE_MAX = 2.5, 45


def render(svg, png):
    subprocess.run(["rsvg-convert", "-w", str(WIDTH), "-o", png, svg], check=True)


def gray(png):
    """The rows of gray levels of a PNG, in the forms that the renderer writes."""
    with open(png, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", data[at + 8:at + 18])
            assert depth == 8 and color in (2, 6), "the renderer writes another form"
            size = 3 if color == 2 else 4
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    rows, before = [], bytearray(size * width)
    lines = zlib.decompress(packed)
    for y in range(height):
        line = lines[y * (size * width + 1):(y + 1) * (size * width + 1)]
        before = unfiltered(line[0], bytearray(line[1:]), before, size)
        rows.append([sum(before[x:x + 3]) // 3 for x in range(0, size * width, size)])
    return rows


def unfiltered(kind, line, above, size):
    """The bytes of a line, which a PNG stores as differences to those on the left and above."""
    for x, value in enumerate(line):
        left, corner = (line[x - size], above[x - size]) if x >= size else (0, 0)
        near = (0, left, above[x], (left + above[x]) // 2, paeth(left, above[x], corner))[kind]
        line[x] = (value + near) & 255
    return line


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def differences(one, other):
    """The mean difference of two pictures, and that of the worst tile."""
    assert len(one) == len(other) and len(one[0]) == len(other[0]), "the sizes differ"
    tiles = {}
    for y, (left, right) in enumerate(zip(one, other)):
        for x, (a, b) in enumerate(zip(left, right)):
            tiles.setdefault((y // 16, x // 16), []).append(abs(a - b))
    sums = {place: sum(tile) for place, tile in tiles.items()}
    return sum(sums.values()) / (len(one) * len(one[0])), max(sums.values()) / 256


def dark(text):
    """The picture as readers see it who prefer dark ones; the renderer itself asks nobody."""
    before, rules = text.split("@media (prefers-color-scheme:dark){")
    rules, after = rules.split("\n}\n", 1)
    return before + rules + "\n" + after


class PictureTests(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        self.program = os.path.abspath(os.environ.get("CALLBROKER") or os.path.join(
            ROOT, ".build", "debug", "callbroker"))

    def file(self, name):
        return os.path.join(self.folder, name)

    def tool(self, *arguments):
        run = subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False,
                             env={**os.environ, "LC_ALL": "C", "XDG_STATE_HOME": self.folder})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        return run.stdout

    def drawn(self):
        self.tool("scenario", "run", "--timeline", self.file("a.svg"), SCENARIO)
        with open(self.file("a.svg"), encoding="utf-8") as file:
            return file.read()

    def assert_looks_like(self, text, name):
        with open(self.file("b.svg"), "w", encoding="utf-8") as file:
            file.write(text)
        golden = os.path.join(GOLDEN, name)
        if os.environ.get("CALLBROKER_REGENERATE"):
            render(self.file("b.svg"), golden)
        render(self.file("b.svg"), self.file("b.png"))
        mean, tile = differences(gray(self.file("b.png")), gray(golden))
        self.assertLess(mean, MEAN_MAX, "CALLBROKER_REGENERATE=1 renders anew; then look at it")
        self.assertLess(tile, TILE_MAX)

    def test_the_picture_of_a_scenario_is_the_documented_one(self):
        text = self.drawn()
        if os.environ.get("CALLBROKER_REGENERATE"):
            with open(DOCUMENTED, "w", encoding="utf-8") as file:
                file.write(text)
        with open(DOCUMENTED, encoding="utf-8") as file:
            self.assertEqual(text, file.read())

    def test_it_looks_as_it_did_when_it_was_looked_at(self):
        self.assert_looks_like(self.drawn(), "light.png")

    def test_it_looks_as_it_did_in_the_dark(self):
        self.assert_looks_like(dark(self.drawn()), "dark.png")

    def test_a_picture_without_its_bars_would_be_noticed(self):
        text = self.drawn().replace('<rect class="s-active"', '<rect opacity="0" class="s-active"')
        with self.assertRaises(AssertionError):
            self.assert_looks_like(text, "light.png")


class SessionTests(unittest.TestCase):
    """Two hundred calls of a broker that runs, from itself and from its recording."""
    CALLS = 200

    @classmethod
    def setUpClass(cls):
        cls.broker = RealBroker("--test-mode")
        cls.addClassCleanup(cls.broker.close)
        cls.user = cls.entered(Admin("user", socket=cls.broker.path))
        apps = [cls.entered(cls.app(f"org.example.a{number}")) for number in range(3)]
        cls.calls = [cls.play(apps[number % 3], number) for number in range(cls.CALLS)]

    @classmethod
    def entered(cls, client):
        cls.addClassCleanup(client.__exit__)
        client.__enter__()
        return client

    @classmethod
    def app(cls, name):
        app = Provider(name, name, handle_types=["phone"], socket=cls.broker.path)
        for kind in ("answer", "end", "set_held", "set_muted"):
            app.on_action(kind)(lambda action: None)
        return app

    @classmethod
    def play(cls, app, number):
        """A call that is answered over the one before it, which ends."""
        call = f"{number:08x}-0000-4000-8000-{number:012x}"
        app.report_incoming(call, phone(f"+1555{number:04}")).result(CEILING)
        cls.user.request("test.advance", {"ms": 2000 + number % 7 * 900}).result(CEILING)
        cls.user.answer(call, wait="completed").result(CEILING)
        cls.user.request("test.advance", {"ms": 9000}).result(CEILING)
        if number:
            before = f"{number - 1:08x}-0000-4000-8000-{number - 1:012x}"
            cls.user.end(before, wait="completed").result(CEILING)
        return call

    def draw(self, *arguments):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = os.path.join(folder, "a.svg")
            run = subprocess.run([self.broker.program, "timeline", "-o", path, "--json", *arguments],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            with open(path, encoding="utf-8") as file:
                return ElementTree.fromstring(file.read()), run.stdout

    def held(self, picture):
        """The number of arrows; that of the legend has no title."""
        return len([each for each in picture.iter(SVG + "path")
                    if "link-held" in each.get("class").split() and each.find(SVG + "title") is not None])

    def test_two_hundred_calls_are_all_there_with_who_was_held_for_whom(self):
        picture, _ = self.draw("--all", "--socket", self.broker.path)
        self.assertEqual(len(picture.findall(f"{SVG}g[@role='img']")), self.CALLS)
        self.assertEqual(self.held(picture), self.CALLS - 1)
        self.assertLess(float(picture.get("height")), 1500)

    def test_a_recording_is_drawn_as_the_session_itself(self):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = os.path.join(folder, "calls.txt")
            subprocess.run([self.broker.program, "record", "--state-dir",
                            os.path.join(self.broker.folder, "state"), path],
                           check=True, capture_output=True)
            picture, _ = self.draw("--recording", path)
        self.assertEqual(len(picture.findall(f"{SVG}g[@role='img']")), self.CALLS)
        self.assertEqual(self.held(picture), self.CALLS - 1)

    def test_no_number_of_anybody_is_in_it(self):
        picture, document = self.draw("--all", "--socket", self.broker.path)
        self.assertNotIn("+1555", ElementTree.tostring(picture, encoding="unicode") + document)


if __name__ == "__main__":
    unittest.main()
