"""Which sound file rings for a call."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Dict, Iterator, Mapping

from callbroker import JSON, Call

FILES = 1000                                    # of a folder, that are looked at
THEME = Path("sounds", "freedesktop", "stereo")
THEME_SOUND = "phone-incoming-call"
EXTENSIONS = (".oga", ".ogg", ".wav")


class Ringtones:
    """The user's folder of ringtones, and the sounds of the desktop."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        home = Path(environment.get("HOME") or "/")
        config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
        own = environment.get("XDG_DATA_HOME") or str(home / ".local" / "share")
        shared = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
        self._folder = config / "callbroker" / "ringtones"
        self._data = [Path(each) for each in (own, *shared.split(":")) if each.startswith("/")]

    def of(self, call: Call, app: JSON) -> str:
        """The file for a call of this app; empty if the ring that is made here is all there is."""
        files = self._files()
        registered = str(app.get("ringtone") or "")
        path = registered if registered.startswith("/") and os.path.isfile(registered) else ""
        theme = (self._sound(name) for name in (registered, THEME_SOUND))
        return (next((files[name] for name in names(call) if name in files), "") or path
                or files.get(registered.casefold(), "") or next(theme)
                or files.get("default", "") or next(theme))

    def _files(self) -> Dict[str, str]:
        """The files of the user's folder, by name without the extension."""
        found: Dict[str, str] = {}
        try:
            with os.scandir(self._folder) as entries:
                for entry, _ in zip(entries, range(FILES)):
                    if entry.is_file():
                        found[os.path.splitext(entry.name)[0].casefold()] = entry.path
        except OSError:
            pass                                # there is no such folder
        return found

    def _sound(self, name: str) -> str:
        """A sound of the freedesktop theme."""
        if not name or "/" in name:
            return ""
        paths = (folder / THEME / (name + extension)
                 for folder in self._data for extension in EXTENSIONS)
        return next((str(path) for path in paths if path.is_file()), "")


def names(call: Call) -> Iterator[str]:
    """How the user may have named the file for a call: the contact, the address, the app."""
    caller, remote = call.get("caller") or {}, call.get("remote")
    if caller.get("source") == "contacts":      # a directory does not choose among the files
        yield str(caller.get("name", "")).casefold()
    if remote:
        yield remote["value"].casefold()
    yield call["provider"].casefold()
