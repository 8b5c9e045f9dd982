"""The connection to the broker, as a screen."""
from __future__ import annotations

import logging
from typing import Any, Optional, Set, Tuple

from callbroker import BrokerError, JSON, Screen, plugin_options

log = logging.getLogger("callbroker_notify")


class Display(Screen):
    """The connection. `presented` has the calls that the broker has given to this screen; None
    where every screen shows every call."""

    roles: Tuple[str, ...] = ("controller", "observer", "ui")
    presented: Optional[Set[str]] = None
    former: Set[str] = set()                    # what it had in the session before
    has_ringer = False

    def option(self, name: str, otherwise: Any) -> Any:
        """What the user set for this plugin."""
        return {**plugin_options(), **(self.hello.get("options") or {})}.get(name, otherwise)

    async def _opened(self) -> None:
        await self._claim()                     # first: what is ours is known with the snapshot
        await super()._opened()
        log.info("ready")

    def _requested(self, number: Any, method: str, params: JSON) -> None:
        # Before any later frame is looked at: the call may be over in the next one.
        if method == "ui.present" and self.presented is not None:
            self.presented.add(params["call"])
        super()._requested(number, method, params)

    async def _claim(self) -> None:
        try:
            if "ui" not in self.hello.get("granted_roles", []):
                self.presented = None
                return
            await self.request("broker.describe", {"name": "ui.claim"}, opening=True)
            self.former, self.presented = self.presented or set(), set()
            sounds = self.has_ringer and not self.option("silent", False)
            await self.request("ui.claim", {"sound": sounds}, opening=True)
        except BrokerError as error:
            self.presented = None
            log.info("every call is shown: %s", error)
