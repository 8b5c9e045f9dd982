"""The menu of the tray, over D-Bus (com.canonical.dbusmenu)."""
from __future__ import annotations

import logging
from typing import Any, Callable, Dict, List, Sequence, Tuple

from bus import Bus
from callbroker_messages import text
from served import Interface, Served, Variant
from status import Entry

log = logging.getLogger("callbroker_notify")

INTERFACE = "com.canonical.dbusmenu"
PATH = "/MenuBar"
ROOT, ALL = 0, -1                               # the menu itself; and a depth without end
NODE = "(ia{sv}av)"

Node = Tuple[int, Entry, List["Node"]]          # type: ignore[misc]


class Menu:
    """Shows entries, and calls `pressed` with what one is for. The number of an entry is its own:
    one that has gone cannot be mistaken for another."""

    def __init__(self, bus: Bus, pressed: Callable[[Tuple[str, ...]], None]) -> None:
        self._pressed = pressed
        self._numbers: Dict[Tuple[Any, ...], int] = {}
        self._last = ROOT
        self._revision = 1
        self._entries: Tuple[Entry, ...] = ()
        self._nodes: Dict[int, Node] = {ROOT: (ROOT, Entry(), [])}
        self._served = Served(bus, PATH, Interface(INTERFACE, {
            "GetLayout": ("iias", "u" + NODE, self._layout),
            "GetGroupProperties": ("aias", "a(ia{sv})", self._group),
            "GetProperty": ("is", "v", self._property),
            "Event": ("isvu", "", self._event),
            "EventGroup": ("a(isvu)", "ai", self._events),
            "AboutToShow": ("i", "b", lambda number: (False,)),
            "AboutToShowGroup": ("ai", "aiai", self._about_to_show),
        }, properties, {"LayoutUpdated": "ui", "ItemsPropertiesUpdated": "a(ia{sv})a(ias)",
                        "ItemActivationRequested": "iu"}))

    def show(self, entries: Tuple[Entry, ...]) -> None:
        if entries == self._entries:
            return
        self._entries = entries
        former, self._numbers = self._numbers, {}
        self._nodes = {}
        children = self._numbered(entries, former, ())
        self._nodes[ROOT] = (ROOT, Entry(entries=entries), children)
        self._revision += 1
        self._served.signal(INTERFACE, "LayoutUpdated", self._revision, ROOT)

    def _numbered(self, entries: Sequence[Entry], former: Dict[Tuple[Any, ...], int],
                  above: Tuple[Any, ...]) -> List[Node]:
        nodes = []
        for index, entry in enumerate(entries):
            key = entry.press or (*above, index, entry.label)
            number = former.get(key)
            if number is None:
                number = self._last = self._last + 1
            self._numbers[key] = number
            self._nodes[number] = (number, entry, self._numbered(entry.entries, former, key))
            nodes.append(self._nodes[number])
        return nodes

    def _layout(self, parent: int, depth: int, names: List[str]) -> Tuple[Any, ...]:
        node = self._nodes.get(parent, (parent, Entry(), []))
        return self._revision, layout(node, depth)

    def _group(self, numbers: List[int], names: List[str]) -> Tuple[Any, ...]:
        wanted = numbers or list(self._nodes)
        known = [number for number in wanted if number in self._nodes]
        return ([(number, looks(self._nodes[number])) for number in known],)

    def _property(self, number: int, name: str) -> Tuple[Any, ...]:
        node = self._nodes.get(number)
        return ((looks(node) if node else {}).get(name, ("s", "")),)

    def _event(self, number: int, kind: str, data: Any, at: int) -> Tuple[Any, ...]:
        node = self._nodes.get(number)
        if kind == "clicked" and node is not None and node[1].press:
            self._pressed(node[1].press)
        return ()

    def _events(self, events: List[Tuple[int, str, Any, int]]) -> Tuple[Any, ...]:
        for event in events:
            self._event(*event)
        return ([event[0] for event in events if event[0] not in self._nodes],)

    def _about_to_show(self, numbers: List[int]) -> Tuple[Any, ...]:
        return [], [number for number in numbers if number not in self._nodes]


def properties() -> Dict[str, Variant]:
    return {"Version": ("u", 3), "TextDirection": ("s", text("screen.direction")),
            "Status": ("s", "normal"), "IconThemePath": ("as", [])}


def layout(node: Node, depth: int) -> Tuple[Any, ...]:
    """A node with so many levels below it."""
    number, _, children = node
    below = [] if depth == 0 else [(NODE, layout(child, depth - 1)) for child in children]
    return number, looks(node), below


def looks(node: Node) -> Dict[str, Variant]:
    """The properties of an entry, without those that have their default."""
    number, entry, _ = node
    if number == ROOT:
        return {"children-display": ("s", "submenu")}
    if not entry.label:
        return {"type": ("s", "separator")}
    found: Dict[str, Variant] = {"label": ("s", entry.label.replace("_", "__"))}
    if entry.entries:
        found["children-display"] = ("s", "submenu")
    elif not entry.press:
        found["enabled"] = ("b", False)
    if entry.is_on is not None:
        found["toggle-type"] = ("s", "checkmark")
        found["toggle-state"] = ("i", int(entry.is_on))
    return found
