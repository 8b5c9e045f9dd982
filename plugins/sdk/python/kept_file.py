"""A small file in which a plugin keeps what its successor has to know if it is killed: JSON, private,
and replaced as a whole."""
from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any


def read(path: Path) -> Any:
    """The contents; None without a file. `OSError` or `ValueError` if it is damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def write(path: Path, contents: Any) -> None:
    """Is on disk when this returns. Without contents the file is removed."""
    if not contents:
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_suffix(".new")
    with open(new, "w", encoding="utf-8", opener=_private) as file:
        json.dump(contents, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
