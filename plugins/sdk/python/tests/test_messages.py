"""The reader of messages, with the cases that it shares with the tool."""
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import callbroker_messages as messages  # noqa: E402

ROOT = Path(HERE).parent.parent.parent.parent
CASES = json.loads((ROOT / "Tests/Fixtures/messages/cases.json").read_text(encoding="utf-8"))


class MessagesTests(unittest.TestCase):
    def catalog(self, text, language="xx", locale="xx_YY.UTF-8"):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "en.json").write_text('{"a.key": "English"}', encoding="utf-8")
            if text is not None:
                Path(folder, f"{language}.json").write_text(text, encoding="utf-8")
            return messages.Catalog({"LANG": locale}, Path(folder))

    def test_the_environment_names_the_files(self):
        for environment, names in CASES["locales"]:
            self.assertEqual(messages.languages(environment), names, environment)

    def test_numbers_have_the_forms_of_cldr(self):
        for language, forms in CASES["plurals"].items():
            for count, form in forms.items():
                self.assertEqual(messages.plural_form(language, int(count)), form, (language, count))

    def test_texts_are_filled_or_are_none(self):
        for row in CASES["texts"]:
            language = row.get("language", "xx")
            catalog = self.catalog(json.dumps({"a.key": row["message"]}), language, language)
            values = {**row.get("values", {}), **({"count": row["count"]} if "count" in row else {})}
            self.assertEqual(catalog.text("a.key", **values), row["text"] or "English", row)

    def test_a_broken_file_of_a_language_leaves_english(self):
        for text in (None, "", "{", "[]", '"text"', "null", '{"a.key": ["xx"]}',
                     '{"a.key": "xx", "a.key": "yy"}', "\ufeff{}",
                     '{"a.key": {"other": ["xx"]}}', '{"a.key": "xx {unknown}"}', "[" * 100_000):
            self.assertEqual(self.catalog(text).text("a.key"), "English", text)

    def test_the_file_of_the_country_comes_first(self):
        self.assertEqual(self.catalog("{}", "xx_YY").language, "xx_YY")
        self.assertEqual(self.catalog("{}", "xx").language, "xx")

    def test_a_text_of_the_broker_is_translated_if_it_is_that_of_its_key(self):
        catalog = self.catalog('{"a.key": "xx"}')
        self.assertEqual(catalog.translated("a.key", "English"), "xx")
        self.assertEqual(catalog.translated("a.key", "English, and more"), "English, and more")
        self.assertEqual(catalog.translated("b.key", "English"), "English")

    def test_without_any_file_a_key_stands_for_itself(self):
        self.assertEqual(messages.Catalog({}, Path("/nowhere")).text("a.key"), "a.key")

    def test_the_texts_of_the_sources_are_found(self):
        self.assertEqual(messages.Catalog({}).text("status.missed", count=1)[:17], "1 new missed call")


if __name__ == "__main__":
    unittest.main()
