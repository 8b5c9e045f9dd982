"""The examples of the pages, and the commands in them."""

import functools
import json
import re
import shlex
import subprocess
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TOOL = ROOT / ".build/debug/callbroker"
FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1``` *$", re.MULTILINE | re.DOTALL)
COMMAND_IN_TEXT = re.compile(r"`(callbroker(?: [^`]+)?)`")
OPERATORS = set(";|&()<>")


@dataclass
class Example:
    page: str
    kind: str
    text: str

    def __str__(self):
        return f"{self.page}: {self.text[:200]}"


def pages():
    """The Markdown files of the repository, apart from those that are filled in or were written by others."""
    listed = subprocess.check_output(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard",
                                      "*.md"], text=True)
    return [path for path in listed.split() if "/Fixtures/" not in path and not re.search("/templates/.+/", path)]


@functools.cache
def examples():
    """The blocks of all pages. The first word behind a fence is the kind."""
    return [Example(page, (words.split() or [""])[0], textwrap.dedent(text))
            for page in pages() for _, words, text in FENCE.findall((ROOT / page).read_text(encoding="utf-8"))]


def of_kind(kind, where=""):
    return [example for example in examples() if example.kind == kind and example.page.endswith(where)]


def commands_in_text(text):
    """The commands of the tool among the words of a page, outside its blocks."""
    return COMMAND_IN_TEXT.findall(re.sub(r"\s+", " ", FENCE.sub("", text)))


def commands_in_shell(text):
    """The simple commands of a script, as words."""
    text = re.sub(r"\\\n", " ", text)
    for line in text.splitlines():
        lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = []
        for word in lexer:
            if set(word) <= OPERATORS:
                yield words
                words = []
            else:
                words.append(word)
        yield words


@dataclass
class Command:
    """A command of the tool, as the tool describes itself."""

    name: str
    commands: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
    has_arguments: bool = False
    unnamed: object = None

    def __init__(self, description):
        self.name = description["commandName"]
        self.commands = {each["commandName"]: Command(each) for each in description.get("subcommands", [])}
        # The one that is meant if none is named, which the description leaves out.
        self.unnamed = next((self.commands[name] for name in ("status", "show", "list") if name in self.commands), None)
        arguments = description.get("arguments", [])
        self.options = {("--" if name["kind"] == "long" else "-") + name["name"]: each["kind"] == "option"
                        for each in arguments for name in each.get("names", [])}
        self.has_arguments = any(each["kind"] == "positional" for each in arguments)

    def fault(self, words):
        """What is wrong with the words behind the command; nothing if they can be."""
        words = list(words)
        while words:
            word = words.pop(0)
            name, _, value = word.partition("=")
            if word.startswith("-") and len(word) > 1:
                if name not in self.options and self.unnamed:
                    return self.unnamed.fault([word, *words])
                if name not in self.options:
                    return f"{self.name} has no option {name}"
                if self.options[name] and not value:
                    words = words[1:]
            elif word in self.commands:
                return self.commands[word].fault(words)
            elif self.unnamed and self.unnamed.has_arguments and not re.fullmatch("[a-z-]+", word):
                return self.unnamed.fault([word, *words])
            elif not self.has_arguments:
                return f"{self.name} has no {word}"
        return None


@functools.cache
def tool():
    described = subprocess.check_output([TOOL, "--experimental-dump-help"], text=True)
    return Command(json.loads(described)["command"])


def make_targets():
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def fault(words):
    """What is wrong with a command, if it is one of ours."""
    words = list(words)
    while words and (re.match(r"\w+=", words[0]) or words[0] in ("exec", "sudo")):
        words.pop(0)
    if not words:
        return None
    if words[0] == "callbroker" or words[0].endswith("/callbroker"):
        return tool().fault(words[1:])
    if words[0] == "make" and "-C" not in words:
        targets = [word for word in words[1:] if "=" not in word and not word.startswith("-")]
        gone = set(targets) - make_targets()
        return f"the Makefile has no {', '.join(gone)}" if gone else None
    return None
