"""The hands-free gateway of PipeWire, by which Bluetooth headsets drive calls. It is a part of the
session manager, and needs more than dialers do: it learns of calls by signals alone, takes each that
is added and not deleted for one that goes on, and creates those that a headset dials without
starting them.
"""
from __future__ import annotations

from typing import Iterable, Optional

from exported import SENDER, Exported
from modem import MODEM_PATH, TERMINATED, UNKNOWN, VOICE
from shown import Shown

# The names of the processes that it is a part of, as the kernel cuts them off.
PROGRAMS = ("wireplumber", "pipewire-media-")


class Gateway:
    """The gateway on the bus, of which a user has one: the latest that has asked for modems."""

    def __init__(self, exported: Exported) -> None:
        self._exported = exported
        self._name: Optional[str] = None

    def read(self, sender: str, program: str) -> bool:
        """Follows who asks for modems; whether that is a gateway."""
        if program not in PROGRAMS:
            return False
        self._name = sender
        return True

    def show(self, calls: Iterable[Shown]) -> None:
        """Announces calls: those that were there before the gateway saw the modem, and one that was
        started."""
        for shown in calls:
            if shown.state not in (UNKNOWN, TERMINATED):
                self._emit("CallAdded", shown.path)

    def remove(self, shown: Shown) -> None:
        """Deletes a call that is over, or not started: it takes either for one that talks."""
        self._emit("CallDeleted", shown.path)

    def is_asking(self) -> bool:
        """Whether the method that is performed was called by the gateway."""
        return SENDER.get() == self._name

    def _emit(self, signal: str, path: str) -> None:
        if self._name is not None:
            self._exported.emit(MODEM_PATH, VOICE, signal, path, to=self._name)
