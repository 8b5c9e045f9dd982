"""The hooks of the user: files in EVENT.d, looked for whenever something happens."""
from __future__ import annotations

import logging
import os
import stat
from pathlib import Path
from typing import Dict, Iterator, List

from happenings import Happening

log = logging.getLogger("hooks")

HOOKS_MAX = 64                                  # for one event
WEB_HOOK = ".webhook.json"


class Refused(Exception):
    """Why a file is no hook; the text says what to do."""


class Folders:
    """The folder with the EVENT.d folders. There is nothing to reload: each event looks anew."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._said: Dict[Path, str] = {}        # so that a refusal is logged once

    def hooks(self, happening: Happening) -> List[Path]:
        """The files to run, in the order of their names."""
        found = sorted((path for folder in self._folders(happening) for path in names(folder)),
                       key=lambda path: (path.name, str(path)))
        usable = [path for path in found if self._is_usable(path)]
        if len(usable) > HOOKS_MAX:
            self._say(self._root, f"{happening.name} has more than {HOOKS_MAX} hooks; "
                      "the others are left out")
        return usable[:HOOKS_MAX]

    def forget(self, path: Path) -> None:
        """The file is gone, or another one."""
        self._said.pop(path, None)

    def refuse(self, path: Path, why: str) -> None:
        self._say(path, f"{path.parent.name}/{path.name} is refused: {why}")

    def _folders(self, happening: Happening) -> Iterator[Path]:
        for folder in names(self._root):
            if folder.name.endswith(".d") and happening.matches(folder.name[:-2]):
                if self._is_safe(folder):
                    yield folder

    def _is_safe(self, path: Path) -> bool:
        try:
            check_owner(path)
        except (OSError, Refused) as error:
            self.refuse(path, str(error))
            return False
        return True

    def _is_usable(self, path: Path) -> bool:
        try:
            check_file(path)
        except (OSError, Refused) as error:
            self.refuse(path, str(error))
            return False
        self.forget(path)
        return True

    def _say(self, path: Path, text: str) -> None:
        if self._said.get(path) != text:
            log.warning("%s", text)
        self._said[path] = text


def names(folder: Path) -> List[Path]:
    """What is in a folder, but for hidden files and the copies of editors."""
    try:
        return [folder / name for name in os.listdir(folder)
                if not name.startswith(".") and not name.endswith("~")]
    except OSError:
        return []


def check_owner(path: Path) -> os.stat_result:
    """Whoever may write a file decides what runs as the user."""
    status = path.stat()
    if status.st_uid not in (0, os.getuid()):
        raise Refused("it belongs to another user; make it yours with chown")
    if status.st_mode & stat.S_IWOTH:
        raise Refused("everybody may write it; use chmod o-w")
    return status


def check_file(path: Path) -> None:
    status = check_owner(path)
    if not stat.S_ISREG(status.st_mode):
        raise Refused("it is no file")
    if not path.name.endswith(WEB_HOOK) and not os.access(path, os.X_OK):
        raise Refused(f"it is not executable; use chmod +x, or name it {WEB_HOOK} if it is a web "
                      "hook")
