"""What the sound server has as endpoints of calls. Nothing is done here."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, Iterable, List, Mapping, Optional

from callbroker import Endpoint

ENDPOINTS_MAX = 16
NAME_BYTES_MAX = 128
# What a sink and a source of one device have in common, under PipeWire or PulseAudio.
DEVICE_PROPERTIES = ("device.id", "api.bluez5.address", "device.string", "alsa.card")
KINDS_BY_PORT = {"speaker": "speaker", "headphones": "wired", "headset": "wired",
                 "handset": "earpiece", "earpiece": "earpiece", "bluetooth": "bluetooth"}
KINDS_BY_FORM = {"handset": "earpiece", "headset": "wired", "headphone": "wired",
                 "hands-free": "wired"}


@dataclasses.dataclass(frozen=True)
class Place:
    """A sink, or one port of a sink that has several."""

    sink: str
    port: str                                   # empty: the sink has one at most
    kind: str
    name: str
    is_plugged: bool
    is_active: bool                             # of its sink
    source: str                                 # the microphone of the same device, or empty

    @property
    def id(self) -> str:
        return f"{self.sink}#{self.port}" if self.port else self.sink


def places(sinks: Iterable[Mapping[str, Any]], sources: Iterable[Mapping[str, Any]]) -> List[Place]:
    """Every place that sound can come out of, in the order of the sound server."""
    microphones = list(sources)
    found: List[Place] = []
    for sink in sinks:
        source = microphone(sink, microphones)
        ports = sink.get("ports") or []
        for port in ports if len(ports) > 1 else [None]:
            found.append(place(sink, port, source))
    return found


def place(sink: Mapping[str, Any], port: Optional[Mapping[str, Any]], source: str) -> Place:
    label = str(sink.get("description") or sink["name"])
    if port is None:
        only = (sink.get("ports") or [None])[0]
        return Place(sink["name"], "", kind(sink, only), label, True, True, source)
    return Place(sink["name"], port["name"], kind(sink, port),
                 f"{port.get('description') or port['name']} ({label})",
                 port.get("availability") != "not available",
                 sink.get("active_port") == port["name"], source)


def kind(sink: Mapping[str, Any], port: Optional[Mapping[str, Any]]) -> str:
    """The kind of an endpoint by its connection, its port or its form; a loudspeaker if unknown."""
    properties = sink.get("properties", {})
    if properties.get("device.bus") == "bluetooth" or properties.get("device.api") == "bluez5":
        return "bluetooth"
    by_port = KINDS_BY_PORT.get(str((port or {}).get("type", "")).lower())
    return by_port or KINDS_BY_FORM.get(properties.get("device.form_factor", ""), "speaker")


def microphone(sink: Mapping[str, Any], sources: Iterable[Mapping[str, Any]]) -> str:
    """The source of the same device, or nothing."""
    own = sink.get("properties", {})
    for source in sources:
        its = source.get("properties", {})
        if its.get("device.class") == "monitor" or source.get("monitor_source"):
            continue
        if any(own.get(name) and own.get(name) == its.get(name) for name in DEVICE_PROPERTIES):
            return str(source["name"])
    return ""


def used(all_places: List[Place], chosen: str, default_sink: str) -> Optional[Place]:
    """Where the sound of calls comes out: the choice, as long as it is there; else where the server
    lets out what nobody has moved."""
    by_id: Dict[str, Place] = {each.id: each for each in all_places}
    if chosen in by_id and by_id[chosen].is_plugged:
        return by_id[chosen]
    return next((each for each in all_places if each.sink == default_sink and each.is_active), None)


def endpoints(all_places: List[Place], in_use: Optional[Place]) -> List[Endpoint]:
    """The list for the broker; the one in use is never left out."""
    listed = all_places[:ENDPOINTS_MAX]
    if in_use is not None and in_use not in listed:
        listed[-1] = in_use
    return [{"endpoint": each.id, "kind": each.kind, "name": shortened(each.name),
             "state": state(each, in_use)} for each in listed]


def state(each: Place, in_use: Optional[Place]) -> str:
    if each == in_use:
        return "in_use"
    return "available" if each.is_plugged else "unavailable"


def shortened(name: str) -> str:
    """The beginning of a name, as a whole number of characters."""
    return name.encode()[:NAME_BYTES_MAX].decode(errors="ignore")
