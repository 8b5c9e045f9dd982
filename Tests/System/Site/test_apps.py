"""The page on apps, compared with the adapters and with their tests."""

import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "Sources/CallBroker/Documentation.docc/Apps.md").read_text(encoding="utf-8")
ADAPTERS = ROOT / "plugins/adapters"
COLUMNS = ["app", "plugin", "answer", "hold", "mute", "dial", "why a call ended"]


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def table():
    """The rows of the table, each with the tests that are below, in the other one."""
    lines = [cells(line) for line in PAGE.splitlines() if line.startswith("|")]
    heads = [lines.index(COLUMNS), lines.index(["app", "shown by"])]
    shown = dict(lines[heads[1] + 2:])
    rows = [dict(zip(COLUMNS, line)) for line in lines[heads[0] + 2:heads[1]]]
    return [{**row, "tests": shown.pop(row["app"])} for row in rows]


def plugin(row):
    return re.match(r"\[?(\w[\w-]*)", row["plugin"])[1]


def manifest(name):
    return json.loads((ADAPTERS / name / f"org.callbroker.{name}.plugin.json").read_text(encoding="utf-8"))


def tests_of(name):
    return set(re.findall(r"def (test_\w+)\(", "\n".join(
        path.read_text(encoding="utf-8") for path in (ADAPTERS / name / "tests").glob("test_*.py"))))


class AppsPageTests(unittest.TestCase):
    def test_every_adapter_is_on_the_page_and_no_other(self):
        there = {path.parent.name for path in ADAPTERS.glob("*/*.plugin.json")}
        self.assertEqual({plugin(row) for row in table()}, there)
        for name in there:
            self.assertIn(f"[{name}](../../../plugins/adapters/{name}/README.md)", PAGE)

    def test_every_test_that_is_named_exists(self):
        named = [(folder, test) for folder, tests in re.findall(r"`adapters/([\w-]+)`: ((?:`\w+`(?:, )?)+)", PAGE)
                 for test in re.findall(r"`(\w+)`", tests)]
        for folder, test in named:
            self.assertIn(test, tests_of(folder), folder)
        others = set(re.findall(r"`(test_\w+)`", PAGE)) - {test for _, test in named}
        self.assertLessEqual(others, tests_of("watcher"))
        self.assertGreater(len(others), 0)

    def test_each_app_names_a_test_or_says_that_it_was_not_run(self):
        for row in table():
            is_tested = f"`adapters/{plugin(row)}`: `test_" in row["tests"]
            self.assertTrue(is_tested or "none of them was run" in row["tests"], row["app"])

    def test_what_can_be_dialed_is_in_the_manifest(self):
        for row in table():
            provider = manifest(plugin(row))["provider"]
            schemes = ", ".join(f"`{scheme}`" for scheme in provider.get("url_schemes", [])) or "no"
            self.assertEqual(row["dial"], schemes, row["app"])

    def test_watched_apps_cannot_be_answered(self):
        for row in table():
            is_watched = manifest(plugin(row))["provider"].get("kind") == "watched"
            self.assertEqual(row["answer"] == "no", is_watched, row["app"])

    def test_the_apps_that_were_not_run_are_those_of_the_rules(self):
        rules = json.loads((ADAPTERS / "watcher/apps.json").read_text(encoding="utf-8"))["apps"]
        names = {rule["name"] for rule in rules}
        row = next(row for row in table() if "none of them was run" in row["tests"])
        self.assertLessEqual(set(row["app"].split(" and others")[0].split(", ")), names)


if __name__ == "__main__":
    unittest.main()
