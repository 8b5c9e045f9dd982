"""Text in markup. The module `html` can do it, too, with the names of all characters in memory."""
from __future__ import annotations


def escaped(text: str) -> str:
    """The text between tags."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoted(text: str) -> str:
    """The text as the value of an attribute, with its quotation marks."""
    return '"' + escaped(text).replace('"', "&quot;") + '"'
