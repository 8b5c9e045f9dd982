"""The calls of watched apps in a file, for a successor of a program that was killed."""
from __future__ import annotations

import dataclasses
import json
import logging
import os
from pathlib import Path
from typing import Dict, Mapping

from muted_streams import private
from watched import Kept

log = logging.getLogger("watcher")


def read(path: Path) -> Dict[str, Kept]:
    """By app; empty if there is none, or it is damaged."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {app: Kept(**each) for app, each in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        log.warning("%s is damaged (%s): calls that last begin anew", path, error)
        return {}


def write(path: Path, calls: Mapping[str, Kept]) -> None:
    """Replaces the file as a whole."""
    new = path.with_suffix(".new")
    with open(new, "w", encoding="utf-8", opener=private) as file:
        json.dump({app: dataclasses.asdict(each) for app, each in calls.items()}, file)
    os.replace(new, path)
