"""The texts of notifications, of the tray and of the window: each language has all of them."""
import glob
import json
import os
import re
import unittest

from desk import PLUGIN

import cards

MESSAGES = os.path.join(PLUGIN, "..", "..", "..", "messages")
TRANSLATED = ("ar", "de", "fr")
FAMILIES = ("screen.live.", "screen.tray.", "screen.ask.", "screen.not_done.", "screen.tones.", "detail.", "refusal.")


def catalog(language):
    with open(os.path.join(MESSAGES, language + ".json"), encoding="utf-8") as file:
        return json.load(file)


def used(english):
    """The keys that the sources name, and those of the families of which they make keys."""
    source = ""
    for path in glob.glob(os.path.join(PLUGIN, "*.py")):
        with open(path, encoding="utf-8") as file:
            source += file.read()
    named = set(re.findall(r'"([a-z]+\.[a-z_.]+)"', source)) | {"screen.button." + each for each in cards.BUTTONS}
    return sorted(key for key in english if key in named or key.startswith(FAMILIES))


class LanguageTests(unittest.TestCase):
    def test_each_language_has_each_text_with_its_places(self):
        english = catalog("en")
        keys = used(english)
        self.assertGreater(len(keys), 80)
        places = lambda text: set(re.findall(r"\{(\w+)\}", str(text))) - {"count"}
        for language in TRANSLATED:
            known = catalog(language)
            self.assertEqual([key for key in keys if key not in known], [], language)
            self.assertEqual([key for key in keys if places(known[key]) != places(english[key])], [], language)

    def test_each_language_says_in_which_direction_it_is_written(self):
        directions = {language: catalog(language)["screen.direction"] for language in ("en", *TRANSLATED)}
        self.assertEqual(directions, {"en": "ltr", "ar": "rtl", "de": "ltr", "fr": "ltr"})


if __name__ == "__main__":
    unittest.main()
