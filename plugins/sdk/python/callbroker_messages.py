"""The texts that people read, from the one catalog of messages (messages/LANGUAGE.json).

    from callbroker_messages import text
    text("screen.missed", count=3)

A text that a language does not have is in English, and so is one that it has wrong.
"""
from __future__ import annotations

import functools
import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

HERE = Path(__file__).resolve().parent
ENGLISH = "en"
# Installed beside the plugins, and in the sources at the top.
FOLDERS = (HERE.parent.parent / "messages", HERE.parent.parent.parent / "messages")
PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")


def languages(environment: Mapping[str, str]) -> List[str]:
    """The names of the files to look for, such as `de_AT` and `de`; none for English."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    name = re.split(r"[.@]", locale)[0]
    if not re.fullmatch(r"[A-Za-z0-9]+(_[A-Za-z0-9]+)*", name) or name in ("C", "POSIX"):
        return []
    language = name.split("_")[0]
    found = list(dict.fromkeys((name, language)))
    return found[:found.index(ENGLISH)] if ENGLISH in found else found


def plural_form(language: str, count: int) -> str:
    """The form of CLDR for a whole number; English's for a language without an entry here."""
    count = abs(count)
    base = language.split("_")[0]
    if base == "ar":
        if count < 3:
            return ("zero", "one", "two")[count]
        rest = count % 100
        return "few" if 3 <= rest <= 10 else "many" if rest >= 11 else "other"
    if base == "fr":
        if count < 2:
            return "one"
        return "many" if count % 1_000_000 == 0 else "other"
    return "one" if count == 1 else "other"


class Catalog:
    """The texts of one language over those of English."""

    def __init__(self, environment: Mapping[str, str], folder: Optional[Path] = None) -> None:
        places = FOLDERS if folder is None else (folder,)
        self.folder = next((each for each in places if (each / "en.json").is_file()), places[0])
        self._english = self._read(ENGLISH) or {}
        self.language = ENGLISH
        self._texts: Dict[str, Any] = {}
        for name in languages(environment):
            texts = self._read(name)
            if texts is not None:
                self.language, self._texts = name, texts
                break

    def text(self, key: str, **values: Any) -> str:
        """The text of a key with its values. `count` chooses the plural form."""
        for language, texts in ((self.language, self._texts), (ENGLISH, self._english)):
            found = filled(texts.get(key), language, values)
            if found is not None:
                return found
        return key

    def translated(self, key: str, english: str) -> str:
        """A text that came in English, if it is that of a key: other texts say more."""
        return self.text(key) if self._english.get(key) == english else english

    def _read(self, language: str) -> Optional[Dict[str, Any]]:
        try:
            text = (self.folder / f"{language}.json").read_text(encoding="utf-8")
            texts = json.loads(text, object_pairs_hook=distinct)
        except (OSError, ValueError, RecursionError):
            return None                         # a broken file is none
        return texts if isinstance(texts, dict) else None


def distinct(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    """An object of JSON. `ValueError` if a name occurs twice."""
    names = dict(pairs)
    if len(names) < len(pairs):
        raise ValueError("a name occurs twice")
    return names


def filled(message: Any, language: str, values: Mapping[str, Any]) -> Optional[str]:
    """The message with its values; None if it is none, or wants a value that is not there."""
    if isinstance(message, dict) and isinstance(values.get("count"), int):
        message = message.get(plural_form(language, values["count"]), message.get("other"))
    if not isinstance(message, str):
        return None
    if any(name not in values for name in PLACEHOLDER.findall(message)):
        return None
    return PLACEHOLDER.sub(lambda match: str(values[match[1]]), message)


@functools.lru_cache(maxsize=None)
def catalog() -> Catalog:
    """The catalog of the language of this process."""
    return Catalog(os.environ)


def text(key: str, **values: Any) -> str:
    """The text of a key in the language of this process."""
    return catalog().text(key, **values)


def translated(key: str, english: str) -> str:
    """A text of the broker, which is in English, in the language of this process."""
    return catalog().translated(key, english)
