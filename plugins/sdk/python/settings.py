"""The options of a plugin: what the user has set at the broker, or on the command line."""
from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any, Dict, Tuple

from callbroker import plugin_options


def add_option(parser: argparse.ArgumentParser, defaults: Dict[str, Any]) -> None:
    """Adds `--option NAME=VALUE` for the options that have those defaults."""
    def setting(text: str) -> Tuple[str, Any]:
        """NAME=VALUE, where the value is JSON or else a text."""
        name, _, value = text.partition("=")
        if name not in defaults:
            raise argparse.ArgumentTypeError(f"no option {name}; there are {', '.join(defaults)}")
        try:
            read = json.loads(value)
        except ValueError:
            read = value
        expected = type(defaults[name])
        if expected is str and not isinstance(read, str):
            read = value
        if type(read) is not expected:
            example = json.dumps(defaults[name])
            raise argparse.ArgumentTypeError(f"{name} needs a value like {example}")
        return name, read
    parser.add_argument("--option", type=setting, action="append", default=[],
                        metavar="NAME=VALUE", help="one of the options of the plugin")


def chosen(defaults: Dict[str, Any], options: argparse.Namespace) -> Dict[str, Any]:
    """The values of all options: of the command line, else of the broker, else the defaults."""
    return {**defaults, **plugin_options(), **dict(options.option)}


def state_file(name: str) -> Path:
    """Where a plugin keeps what its next run has to know."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(state, f"callbroker-{name}.json")
