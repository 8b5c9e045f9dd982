"""The item in the tray, over D-Bus (org.kde.StatusNotifierItem)."""
from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Tuple

from jeepney import DBusAddress, HeaderFields, Message, message_bus

import status
from bus import Bus, NoBus, owner_rule
from markup import escaped
from menu import Menu
from menu import PATH as MENU_PATH
from served import Interface, Served, Variant
from status import Status

log = logging.getLogger("callbroker_notify")

WATCHER = "org.kde.StatusNotifierWatcher"
WATCH = DBusAddress("/StatusNotifierWatcher", bus_name=WATCHER, interface=WATCHER)
INTERFACE = "org.kde.StatusNotifierItem"
PATH = "/StatusNotifierItem"
ICONS = Path(__file__).resolve().parent / "icons"


class Tray:
    """An icon for the state of all calls, with a menu. It is there from the first `show` on,
    whenever there is a watcher, which may come later and again."""

    def __init__(self, bus: Bus, pressed: Callable[[Tuple[str, ...]], None]) -> None:
        self._bus = bus
        self._name = f"{INTERFACE}-{os.getpid()}-1"
        self._status = Status()
        self._menu = Menu(bus, pressed)
        self._item = Served(bus, PATH, Interface(INTERFACE, {
            "ContextMenu": ("ii", "", nothing), "Activate": ("ii", "", nothing),
            "SecondaryActivate": ("ii", "", nothing), "Scroll": ("is", "", nothing),
        }, self._properties, {"NewTitle": "", "NewIcon": "", "NewAttentionIcon": "",
                              "NewToolTip": "", "NewStatus": "s", "NewOverlayIcon": ""}))
        self._is_registered = False
        self._registering: Optional[asyncio.Task[None]] = None
        bus.listen([owner_rule(WATCHER)], self._receive, self._lost)

    def show(self, shown: Status) -> None:
        before, self._status = self._status, shown
        if not self._is_registered:
            self._register()
        self._menu.show(shown.menu)
        if shown.state != before.state:
            self._item.signal(INTERFACE, "NewIcon")
            self._item.signal(INTERFACE, "NewAttentionIcon")
            self._item.signal(INTERFACE, "NewStatus", urgency(shown))
        if (shown.title, shown.body) != (before.title, before.body):
            self._item.signal(INTERFACE, "NewTitle")
            self._item.signal(INTERFACE, "NewToolTip")

    # ---- The watcher

    def _register(self) -> None:
        self._is_registered = True              # until there is a reason to do it again
        self._registering = asyncio.ensure_future(self._announce())

    async def _announce(self) -> None:
        try:
            await self._bus.open()
            await self._bus.ask(message_bus.RequestName(self._name))
            await self._bus.call(WATCH, "RegisterStatusNotifierItem", "s", (self._name,))
        except NoBus as problem:
            log.info("no tray for the moment: %s", problem)

    def _receive(self, message: Message) -> None:
        is_owner = message.header.fields.get(HeaderFields.member) == "NameOwnerChanged"
        if is_owner and message.body[0] == WATCHER and message.body[2]:
            self._register()

    def _lost(self) -> None:
        self._is_registered = False

    # ---- The item

    def _properties(self) -> Dict[str, Variant]:
        icon = f"callbroker-{self._status.state}"
        body = escaped(self._status.body)
        tip = (icon, [], escaped(self._status.title), body)
        return {
            "Category": ("s", "Communications"), "Id": ("s", "callbroker"),
            "Title": ("s", "CallBroker"), "Status": ("s", urgency(self._status)),
            "WindowId": ("i", 0), "IconThemePath": ("s", str(ICONS)), "IconName": ("s", icon),
            "IconPixmap": ("a(iiay)", []), "OverlayIconName": ("s", ""),
            "OverlayIconPixmap": ("a(iiay)", []), "AttentionIconName": ("s", icon),
            "AttentionIconPixmap": ("a(iiay)", []), "AttentionMovieName": ("s", ""),
            "ToolTip": ("(sa(iiay)ss)", tip), "ItemIsMenu": ("b", True), "Menu": ("o", MENU_PATH)}


def urgency(shown: Status) -> str:
    """Hosts may hide what is Passive, and make room for NeedsAttention."""
    return "NeedsAttention" if shown.state in (status.RINGING, status.MISSED) else "Active"


def nothing(*_: Any) -> Tuple[Any, ...]:
    """Whatever button it is, the host shows the menu: a click answers no call by accident."""
    return ()
