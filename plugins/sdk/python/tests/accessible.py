"""What a screen reader has of a window: role, name and place of each part, whether it has the focus,
and whether it can be pressed, a line each."""
import json
import sys

import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


def walk(part):
    component = part.get_component_iface()
    place = component and component.get_extents(Atspi.CoordType.WINDOW)
    box = [place.x, place.y, place.width, place.height] if place else None
    states = part.get_state_set()
    print(json.dumps([part.get_role_name(), part.get_name(), box, *(
        states.contains(each) for each in (Atspi.StateType.FOCUSED, Atspi.StateType.SENSITIVE))]))
    for index in range(part.get_child_count()):
        child = part.get_child_at_index(index)
        if child is not None:
            walk(child)


def main():
    desktop = Atspi.get_desktop(0)
    for number in range(desktop.get_child_count()):
        program = desktop.get_child_at_index(number)
        if program is not None and (program.get_name() or "").startswith(sys.argv[1]):
            walk(program)


try:
    main()
except GLib.Error as error:                     # a part has gone meanwhile
    print("left unfinished:", error, file=sys.stderr)
