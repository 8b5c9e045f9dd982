"""The apps that are registered at the broker, kept up to date by the events of an observer with the
topics provider.*."""
from __future__ import annotations

from typing import Dict, FrozenSet

from callbroker import JSON, Client, Event

CHANGES = ("provider.added", "provider.changed", "provider.resumed")


class Apps(Dict[str, JSON]):
    """The registration of each, by identity; `startable` has those that did not run when all were
    read and that the broker can start."""

    def __init__(self) -> None:
        super().__init__()
        self.startable: Dict[str, JSON] = {}

    async def follow(self, client: Client, event: Event) -> None:
        """Every event that the client gets."""
        topic, data = event["topic"], event.get("data", {})
        if topic == "snapshot":
            await self._read(client)
        elif topic in CHANGES:
            self[data["provider"]] = data
        elif topic == "provider.removed":
            self.pop(data["provider"], None)

    async def _read(self, client: Client) -> None:
        found: Dict[str, JSON] = {}
        after: JSON = {}
        startable: Dict[str, JSON] = {}
        while True:
            page = await client.request("provider.list", after)
            startable.update({app["provider"]: app for app in page.get("startable", [])})
            found.update({app["provider"]: app for app in page.get("providers", [])})
            if page.get("next") is None:
                break
            after = {"after": page["next"]}
        self.clear()
        self.update(found)
        self.startable = startable

    @property
    def schemes(self) -> FrozenSet[str]:
        """The schemes of addresses that apps can call."""
        return frozenset(scheme for app in self.values()
                         for each in (app, *app.get("lines", []))
                         for scheme in each.get("url_schemes", []))
