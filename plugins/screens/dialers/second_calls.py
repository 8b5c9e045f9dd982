"""GNOME Calls hangs up every call that comes while it knows another one, as soon as it sees it; its
sources say why: with the modems of its time a second call could not be accepted. With the broker it
can, and nobody has pressed that button."""
from __future__ import annotations

from typing import Dict, Set

GNOME_CALLS = "gnome-calls"                     # the name of its process
WHY = ("a second call is not hung up until its button is pressed: GNOME Calls hangs it up by "
       "itself, as it was written for modems that cannot hold")


class SecondCalls:
    """Which requests to hang up are not the user's: for each call that GNOME Calls reads while it
    knows another one comes one, at once. Of the calls that it reads first, it is for all but the
    last; of later ones, for the new one."""

    def __init__(self) -> None:
        self._seen: Dict[str, Set[str]] = {}    # paths, by the unique name of who has read them
        self._expected: Dict[str, int] = {}

    def read(self, sender: str, program: str, path: str) -> None:
        """Follows what a program gets to see."""
        if program != GNOME_CALLS:
            return
        seen = self._seen.setdefault(sender, set())
        if seen and path not in seen:
            self._expected[sender] = self._expected.get(sender, 0) + 1
        seen.add(path)

    def removed(self, path: str) -> None:
        """Forgets a call; the one that is left alone is not hung up."""
        for sender, seen in self._seen.items():
            seen.discard(path)
            others = max(0, len(seen) - 1)
            self._expected[sender] = min(self._expected.get(sender, 0), others)

    def forget(self) -> None:
        """Forgets all: the modem has gone, and is read anew when it comes back."""
        self._seen.clear()
        self._expected.clear()

    def is_expected(self, sender: str, path: str) -> bool:
        """Whether this request is one that comes by itself."""
        if path not in self._seen.get(sender, ()) or not self._expected.get(sender):
            return False
        self._expected[sender] -= 1
        return True
