"""The presence at an MQTT broker, with Home Assistant's discovery."""
from __future__ import annotations

import json
import logging
import os
import socket
from getpass import getuser
from typing import Any, Dict, Iterator, Optional, Tuple

from mqtt_connection import MqttConnection, MqttServer, Unusable, check_topic, node_id

from current import IN_USE, STATES, Current, Presence

log = logging.getLogger("presence")

LEAVING_SECONDS = 2.0                           # for the last message
ONLINE, OFFLINE, ON, OFF = "online", "offline", "ON", "OFF"

Messages = Iterator[Tuple[str, str]]


class Topics:
    """The messages, and where they go."""

    def __init__(self, base: str, discovery: str, node: str, place: str) -> None:
        self.base, self.discovery, self.node, self.place = base, discovery, node, place
        self.availability = base + "/availability"

    def values(self, presence: Optional[Presence]) -> Messages:
        """Without a presence the entities are not available, and keep their values."""
        if presence is not None:
            yield self.base + "/presence", presence.state
            yield self.base + "/in_use", ON if presence.state in IN_USE else OFF
        yield self.availability, OFFLINE if presence is None else ONLINE

    def configurations(self) -> Messages:
        """Of a sensor and a binary sensor, which belong to one device."""
        if self.discovery:
            for component, name, more in (
                    ("sensor", "presence", {"device_class": "enum", "options": list(STATES),
                                            "icon": "mdi:phone"}),
                    ("binary_sensor", "in_use", {"payload_on": ON, "payload_off": OFF,
                                                 "icon": "mdi:phone-in-talk"})):
                yield (f"{self.discovery}/{component}/{self.node}_{name}/config",
                       json.dumps(self._configuration(name, more)))

    def _configuration(self, name: str, more: Dict[str, Any]) -> Dict[str, Any]:
        return {
            "name": name.replace("_", " ").capitalize(), "unique_id": f"{self.node}_{name}",
            "state_topic": f"{self.base}/{name}", "availability_topic": self.availability,
            "payload_available": ONLINE, "payload_not_available": OFFLINE, "qos": 1, **more,
            "device": {"identifiers": [self.node], "name": f"Calls of {self.place}",
                       "manufacturer": "CallBroker", "model": "presence"},
            "origin": {"name": "CallBroker", "sw_version": "0.1.0"}}


class Publisher:
    """Publishes at the MQTT broker that the options name."""

    def __init__(self, options: Dict[str, Any]) -> None:
        server, node = MqttServer.described(options, "mqtt_"), node_id()
        base, discovery = str(options["mqtt_topic"]), str(options["mqtt_discovery"])
        check_topic("mqtt_topic", base)
        check_topic("mqtt_discovery", discovery)
        self._topics = Topics(base or f"callbroker/{node[len('callbroker_'):]}", discovery, node,
                              f"{getuser()} at {socket.gethostname()}")
        self._presence: Optional[Presence] = None
        self._connection = MqttConnection(server, f"{node}_{os.getpid()}", self._connected)
        self._client = self._connection.client
        self._client.will_set(self._topics.availability, OFFLINE, qos=1, retain=True)

    async def run(self, current: Current) -> None:
        """Publishes until it is cancelled; then that nothing is known any more."""
        self._connection.open()
        try:
            async for presence in current.changes():
                self._presence = presence
                if self._client.is_connected():
                    self._publish(self._topics.values(presence))
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._client.is_connected():
            last = self._client.publish(self._topics.availability, OFFLINE, qos=1, retain=True)
            try:
                last.wait_for_publish(LEAVING_SECONDS)
            except (ValueError, RuntimeError):  # the connection was lost: the will says it
                pass
        self._connection.close()

    def _publish(self, messages: Messages) -> None:
        for topic, payload in messages:
            self._client.publish(topic, payload, qos=1, retain=True)

    def _connected(self) -> None:
        """Called in the library's thread."""
        self._publish(self._topics.configurations())
        self._publish(self._topics.values(self._presence))


async def publish(options: Dict[str, Any], current: Current) -> None:
    """Does nothing without a host. What cannot be used is logged, and the rest of the program goes
    on."""
    if not options["mqtt_host"]:
        return
    try:
        publisher = Publisher(options)
    except ImportError:
        return log.warning("no MQTT: the library is missing; install python3-paho-mqtt")
    except (Unusable, ValueError) as error:
        return log.warning("no MQTT: %s", error)
    await publisher.run(current)
