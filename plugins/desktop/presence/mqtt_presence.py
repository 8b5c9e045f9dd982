"""The presence at an MQTT broker, with Home Assistant's discovery."""
from __future__ import annotations

import json
import logging
import os
import re
import socket
import ssl
import stat
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Tuple

from current import IN_USE, STATES, Current, Presence

log = logging.getLogger("presence")

LEAVING_SECONDS = 2.0                           # for the last message
KEEP_ALIVE_SECONDS = 30                         # after one and a half of them the will is published
ONLINE, OFFLINE, ON, OFF = "online", "offline", "ON", "OFF"

Messages = Iterator[Tuple[str, str]]


class Unusable(Exception):
    """The settings cannot be used; the text says why."""


@dataclass(frozen=True)
class Server:
    """What the user has set. An empty discovery prefix is none."""

    host: str
    port: int = 0
    tls: bool = False
    ca_file: str = ""
    login_file: str = ""
    topic: str = ""
    discovery: str = "homeassistant"


def node_id() -> str:
    """An id for this user at this host, of the characters that discovery allows."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", f"callbroker_{socket.gethostname()}_{getuser()}")


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
    """A connection that the library renews, with a growing delay, in a thread of its own."""

    def __init__(self, server: Server) -> None:
        import paho.mqtt.client as mqtt
        self._mqtt, self._server = mqtt, server
        check(server)
        node = node_id()
        place = f"{getuser()} at {socket.gethostname()}"
        self._topics = Topics(server.topic or f"callbroker/{node[len('callbroker_'):]}",
                              server.discovery, node, place)
        self._presence: Optional[Presence] = None
        self._said = ""
        self._client = self._made(node)

    def _made(self, node: str) -> Any:
        versions = getattr(self._mqtt, "CallbackAPIVersion", None)      # of paho 2
        first = (versions.VERSION1,) if versions else ()
        client = self._mqtt.Client(*first, client_id=f"{node}_{os.getpid()}")
        client.will_set(self._topics.availability, OFFLINE, qos=1, retain=True)
        client.reconnect_delay_set(1, 60)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_connect_fail = lambda *_: self._say("no MQTT broker answers at %s; trying again")
        if self._server.tls:
            try:
                client.tls_set(self._server.ca_file or None, tls_version=ssl.PROTOCOL_TLS_CLIENT)
            except OSError as error:
                raise Unusable(f"mqtt_ca_file cannot be used: {error}") from None
        if self._server.login_file:
            client.username_pw_set(*read_login(Path(self._server.login_file).expanduser()))
        return client

    async def run(self, current: Current) -> None:
        """Publishes until it is cancelled; then that nothing is known any more."""
        port = self._server.port or (8883 if self._server.tls else 1883)
        self._client.connect_async(self._server.host, port, KEEP_ALIVE_SECONDS)
        self._client.loop_start()
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
        self._client.disconnect()               # its thread does not keep the process

    def _publish(self, messages: Messages) -> None:
        for topic, payload in messages:
            self._client.publish(topic, payload, qos=1, retain=True)

    def _connected(self, _client: Any, _data: Any, _flags: Any, status: int) -> None:
        """Called in the library's thread."""
        if status:
            return self._say(f"the MQTT broker at %s refuses: {self._mqtt.connack_string(status)}")
        self._said = ""
        log.info("connected to the MQTT broker at %s", self._server.host)
        self._publish(self._topics.configurations())
        self._publish(self._topics.values(self._presence))

    def _disconnected(self, _client: Any, _data: Any, status: int) -> None:
        if status:
            self._say("the connection to the MQTT broker at %s is lost; trying again")

    def _say(self, text: str) -> None:
        if text != self._said:
            log.warning(text, self._server.host)
        self._said = text


def check(server: Server) -> None:
    """What the library or the MQTT broker would refuse later."""
    if not 0 <= server.port <= 65_535:
        raise Unusable("mqtt_port is no port")
    for option, topic in (("mqtt_topic", server.topic), ("mqtt_discovery", server.discovery)):
        if set(topic) & set("+#\0") or len(topic.encode()) > 1_000:
            raise Unusable(f"{option} has + or #, or is too long")


def read_login(path: Path) -> Tuple[str, str]:
    """User and password, a line each, of a file that only its owner may read."""
    try:
        status = path.stat()
        if status.st_uid not in (0, os.getuid()) or stat.S_IMODE(status.st_mode) & 0o077:
            raise Unusable("others may read mqtt_login_file; use chmod 600")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise Unusable(f"mqtt_login_file cannot be read: {error}") from None
    if len(lines) < 2:
        raise Unusable("mqtt_login_file needs the user in its first line, the password in its "
                       "second")
    return lines[0], lines[1]


async def publish(server: Server, current: Current) -> None:
    """Does nothing without a host. What cannot be used is logged, and the rest of the program goes
    on."""
    if not server.host:
        return
    try:
        publisher = Publisher(server)
    except ImportError:
        return log.warning("no MQTT: the library is missing; install python3-paho-mqtt")
    except (Unusable, ValueError) as error:
        return log.warning("no MQTT: %s", error)
    await publisher.run(current)


def describe(options: Dict[str, Any]) -> Server:
    """From the options of the plugin."""
    return Server(
        str(options["mqtt_host"]), int(options["mqtt_port"]), bool(options["mqtt_tls"]),
        str(options["mqtt_ca_file"]), str(options["mqtt_login_file"]), str(options["mqtt_topic"]),
        str(options["mqtt_discovery"]))
