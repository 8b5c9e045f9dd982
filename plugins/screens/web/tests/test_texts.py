"""The texts of the page: each language has all of them."""
import glob
import json
import os
import re
import unittest

from browser import PLUGIN

ROOT = os.path.join(PLUGIN, "..", "..", "..")
LANGUAGES = ("de", "fr", "ar")
# Keys of the tool and of other screens, in families from which the page takes what the broker names.
OTHERS = re.compile(r"call\.(?!muted|app_not_connected|forwarded|not_verified)|end\.(by|with)_filter|plugin\.|screen\.(phone|live|tray|not_done)\."
                    r"|timeline\.(audio_|drawn|no_calls|legend_rule)|participants\.(none|unknown)|line\.(none|no_setting|several|setting_o|setting_after|changed)")


def catalog(language):
    with open(os.path.join(ROOT, "messages", language + ".json"), encoding="utf-8") as file:
        return json.load(file)


def used():
    """The keys that the modules of the page name, and those of the families that they name."""
    english, source = catalog("en"), ""
    for path in glob.glob(os.path.join(PLUGIN, "page", "*.js")):
        with open(path, encoding="utf-8") as file:
            source += file.read()
    named = set(re.findall(r'"([a-z]+\.[a-z_.]*)"', source))
    families = tuple(name for name in named if name.endswith("."))
    return sorted(key for key in english if (key in named or key.startswith(families)) and not OTHERS.match(key))


class TextTests(unittest.TestCase):
    def test_each_language_has_each_text_of_the_page(self):
        keys = used()
        self.assertGreater(len(keys), 300)
        for language in LANGUAGES:
            known = catalog(language)
            self.assertEqual([key for key in keys if key not in known], [], language)

    def test_translations_have_the_places_of_the_english_text(self):
        english = catalog("en")
        for language in LANGUAGES:
            known = catalog(language)
            for key in used():
                for text in known[key].values() if isinstance(known[key], dict) else [known[key]]:
                    places = set(re.findall(r"\{(\w+)\}", text)) - {"count"}
                    expected = set(re.findall(r"\{(\w+)\}", str(english[key]))) - {"count"}
                    self.assertEqual(places, expected, (language, key))


if __name__ == "__main__":
    unittest.main()
