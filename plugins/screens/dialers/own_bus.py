"""A bus for the dialers of one user, where a real ModemManager has the system's."""
from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Optional, Type

CONFIGURATION = Path(__file__).resolve().parent / "own-bus.conf"


class OwnBus:
    """A dbus-daemon that lives as long as this program, and only lets its user in."""

    def __init__(self) -> None:
        runtime = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
        folder = Path(runtime) / "callbroker"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder / "dialers.bus"
        self.address = f"unix:path={self.path}"

    def __enter__(self) -> OwnBus:
        self.path.unlink(missing_ok=True)       # of one that was killed
        self._process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "dbus-daemon", f"--config-file={CONFIGURATION}",
             f"--address={self.address}", "--nofork", "--print-address=1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        if self._process.stdout is None or not self._process.stdout.readline():
            self.__exit__(None, None, None)
            raise OSError(f"no bus can be started at {self.address}; try: "
                          f"dbus-daemon --config-file={CONFIGURATION} --address={self.address}")
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._process.terminate()
        self._process.communicate()
        self.path.unlink(missing_ok=True)
