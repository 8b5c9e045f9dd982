"""The site as files: nothing is missing, no link is dead, nothing comes from elsewhere."""

import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from site_pages import PLACE, ROOT, built, dead_links, loads_of_style, page

GUIDE = [
    "index.html", "rules.html", "protocol.html", "operations.html", "security.html", "stability.html",
    "architecture.html", "decisions.html", "decisions/journal.html", "changelog.html", "contributing.html",
    "plugins/index.html", "plugins/reference.html", "plugins/manifest.html", "packaging/callbroker.1.html",
    "plugins/sdk/python/index.html", "plugins/sdk/node/index.html", "plugins/sdk/c/index.html",
    "plugins/sdk/csharp/index.html", "plugins/sdk/go/index.html", "plugins/sdk/rust/index.html",
    "examples/index.html", "examples/scenarios/index.html", "tests/index.html",
    "source/plugins/sdk/python/examples/softphone.py.html",
]
LIBRARIES = ["callclient", "callmodel", "calltesting", "callkit"]


class LinkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        built()
        cls.pages = sorted(PLACE.rglob("*.html"))

    def test_each_page_of_the_guide_is_there(self):
        for name in GUIDE + [f"swift/documentation/{library}/index.html" for library in LIBRARIES]:
            self.assertTrue((PLACE / name).is_file(), name)

    def test_each_page_of_the_repository_is_in_the_navigation(self):
        """In that of the front page, or for a decision in that of the page of decisions."""
        listed = {address.split("#")[0] for address in page(PLACE / "index.html").links}
        listed |= {address.split("#")[0] for address in page(PLACE / "decisions.html").links}
        own = {str(path.relative_to(PLACE)) for path in self.pages}
        apart = {name for name in own if name.startswith(("source/", "swift/"))}
        self.assertEqual(own - apart - listed, set())

    def test_no_link_is_dead(self):
        self.assertGreater(len(self.pages), 500)
        dead = {str(path.relative_to(PLACE)): dead_links(path, PLACE) for path in self.pages}
        self.assertEqual({path: links for path, links in dead.items() if links}, {})

    def test_a_dead_link_is_detected(self):
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder)
            (top / "other.html").write_text("<h2 id='there'></h2>")
            (top / "index.html").write_text("".join(f"<a href='{link}'></a>" for link in (
                "other.html", "other.html#there", "#here", "other.html#gone", "gone.html", "../outside.html",
                "https://example.org/")) + "<h2 id='here'></h2><script src='gone.js'></script>")
            (top.parent / "outside.html").touch()
            self.addCleanup((top.parent / "outside.html").unlink)
            self.assertEqual(set(dead_links(top / "index.html", top)),
                             {"other.html#gone", "gone.html", "../outside.html", "gone.js"})

    def test_nothing_is_loaded_from_elsewhere(self):
        loads = {load for path in self.pages for load in page(path).loads}
        loads |= {load for path in PLACE.rglob("*.css") for load in loads_of_style(path.read_text(encoding="utf-8"))}
        self.assertGreater(len(loads), 10)
        self.assertEqual([load for load in loads if re.match(r"(https?:)?//", load)], [])

    def test_links_between_the_swift_pages_lead_somewhere(self):
        """Their links are in data, which scripts of the pages show."""
        count = 0
        for path in (PLACE / "swift/data").rglob("*.json"):
            for reference in json.loads(path.read_text(encoding="utf-8")).get("references", {}).values():
                address = reference.get("url", "")
                if address.startswith("/documentation"):
                    count += 1
                    target = PLACE / "swift" / address.split("#")[0][1:] / "index.html"
                    self.assertTrue(target.is_file(), f"{path}: {address}")
        self.assertGreater(count, 1000)

    def test_each_public_declaration_is_documented(self):
        """Apart from the initializers that the compiler gives to enumerations."""
        for library in ("CallClient", "CallModel", "CallTesting"):
            graph = json.loads((ROOT / f".build-site/graphs/{library}/{library}.symbols.json").read_text())
            names = {".".join(symbol["pathComponents"]): "docComment" in symbol for symbol in graph["symbols"]}
            self.assertGreater(len(names), 80, library)
            self.assertEqual([name for name, is_documented in names.items()
                              if not is_documented and not name.endswith(".init(rawValue:)")], [], library)

    def test_the_manual_page_has_all_sections(self):
        text = (PLACE / "packaging/callbroker.1.html").read_text(encoding="utf-8")
        sections = re.findall(r"^\.S[hs] (.+)", (ROOT / "packaging/callbroker.1").read_text(), re.MULTILINE)
        self.assertGreater(len(sections), 15)
        for section in sections:
            self.assertRegex(text, f"<h[23] id=[^>]*>{re.escape(section)}<", section)

    def test_a_link_of_a_library_to_no_symbol_fails_the_build(self):
        with tempfile.TemporaryDirectory() as folder:
            catalog = Path(folder) / "Broken.docc"
            catalog.mkdir()
            (catalog / "Broken.md").write_text("# Broken\n\n@Metadata {\n    @TechnologyRoot\n}\n\nSee ``Nobody``.\n")
            convert = ["docc", "convert", catalog, "--warnings-as-errors", "--output-path", Path(folder) / "out"]
            done = subprocess.run(convert, capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Nobody", done.stdout)


if __name__ == "__main__":
    unittest.main()
