"""The calls of watched apps in a file, for a successor of a program that was killed."""
from __future__ import annotations

import dataclasses
import logging
from pathlib import Path
from typing import Dict, Mapping

import kept_file
from watched import Kept

log = logging.getLogger("watcher")


def read(path: Path) -> Dict[str, Kept]:
    """By app; empty if there is none, or it is damaged."""
    try:
        return {app: Kept(**each) for app, each in (kept_file.read(path) or {}).items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        log.warning("%s is damaged (%s): calls that last begin anew", path, error)
        return {}


def write(path: Path, calls: Mapping[str, Kept]) -> None:
    """Replaces the file as a whole."""
    kept_file.write(path, {app: dataclasses.asdict(each) for app, each in calls.items()})
