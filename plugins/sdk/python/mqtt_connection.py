"""A connection to an MQTT broker, for plugins: the server that the user has set, and paho-mqtt's
client for it, which renews the connection with a growing delay in a thread of its own, so that
neither a name server nor an MQTT broker that hangs delays anything else."""
from __future__ import annotations

import logging
import os
import re
import socket
import stat
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path
from typing import Any, Callable, Dict, Tuple

log = logging.getLogger("mqtt")

KEEP_ALIVE_SECONDS = 30                         # after one and a half of them the will is published
PACKET_BYTES = 65_536                           # larger ones are not even sent here, with MQTT 5


class Unusable(Exception):
    """The settings cannot be used; the text says why."""


@dataclass(frozen=True)
class MqttServer:
    """What the user has set, as options whose names begin with `prefix` (for the texts)."""

    host: str
    port: int = 0                               # 0: 1883, or 8883 with TLS
    tls: bool = False
    ca_file: str = ""
    login_file: str = ""
    prefix: str = ""

    @staticmethod
    def described(options: Dict[str, Any], prefix: str = "") -> MqttServer:
        """From the options of a plugin. `Unusable` if they are not what they should be."""
        server = MqttServer(
            str(options[prefix + "host"]), int(options[prefix + "port"]),
            bool(options[prefix + "tls"]), str(options[prefix + "ca_file"]),
            str(options[prefix + "login_file"]), prefix)
        if not 0 <= server.port <= 65_535:
            raise Unusable(f"{prefix}port is no port")
        return server


def node_id() -> str:
    """An id for this user at this host, of letters, digits, _ and -."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", f"callbroker_{socket.gethostname()}_{getuser()}")


def check_topic(option: str, topic: str) -> None:
    """`Unusable` for what cannot be the beginning of a topic."""
    if set(topic) & set("+#\0") or len(topic.encode()) > 1_000:
        raise Unusable(f"{option} has + or #, or is too long")


def read_login(path: Path, option: str = "login_file") -> Tuple[str, str]:
    """User and password, a line each, of a file that only its owner may read."""
    try:
        status = path.stat()
        if status.st_uid not in (0, os.getuid()) or stat.S_IMODE(status.st_mode) & 0o077:
            raise Unusable(f"others may read {option}; use chmod 600")
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        raise Unusable(f"{option} cannot be read: {error}") from None
    if len(lines) < 2:
        raise Unusable(f"{option} needs the user in its first line, the password in its second")
    return lines[0], lines[1]


class MqttConnection:
    """Called in the library's thread: `connected` at each connection, before anything arrives.

    Args:
        server: where to connect.
        client_id: of this client, one at a time at the MQTT broker.
        session_seconds: how long the MQTT broker keeps what arrives while the connection is lost
            (MQTT 5); 0: not at all (MQTT 3.1.1).

    Raises `ImportError` without the library, `Unusable` or `ValueError` for the settings.
    """

    def __init__(self, server: MqttServer, client_id: str, connected: Callable[[], None],
                 session_seconds: int = 0) -> None:
        import paho.mqtt.client as mqtt
        self._mqtt, self._server, self._report = mqtt, server, connected
        self._session_seconds = session_seconds
        self._said = ""
        self.client = self._made(client_id)

    def _made(self, client_id: str) -> Any:
        versions = getattr(self._mqtt, "CallbackAPIVersion", None)      # of paho 2
        first = (versions.VERSION1,) if versions else ()
        protocol = self._mqtt.MQTTv5 if self._session_seconds else self._mqtt.MQTTv311
        client = self._mqtt.Client(*first, client_id=client_id, protocol=protocol)
        client.reconnect_delay_set(1, 60)
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_connect_fail = lambda *_: self._say("no MQTT broker answers at %s; trying again")
        if self._server.tls:
            import ssl
            try:
                client.tls_set(self._server.ca_file or None, tls_version=ssl.PROTOCOL_TLS_CLIENT)
            except OSError as error:
                raise Unusable(f"{self._server.prefix}ca_file cannot be used: {error}") from None
        if self._server.login_file:
            client.username_pw_set(*read_login(Path(self._server.login_file).expanduser(),
                                               self._server.prefix + "login_file"))
        return client

    def open(self) -> None:
        """Begins to connect, and returns."""
        port = self._server.port or (8883 if self._server.tls else 1883)
        self.client.connect_async(self._server.host, port, KEEP_ALIVE_SECONDS, **self._session())
        self.client.loop_start()

    def _session(self) -> Dict[str, Any]:
        if not self._session_seconds:
            return {}
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = self._session_seconds
        properties.MaximumPacketSize = PACKET_BYTES
        return {"clean_start": False, "properties": properties}

    def close(self) -> None:
        """Leaves; the library's thread does not keep the process."""
        self.client.disconnect()

    def _connected(self, _client: Any, _data: Any, _flags: Any, status: Any, *_: Any) -> None:
        if status != 0:
            reason = self._mqtt.connack_string(status) if isinstance(status, int) else str(status)
            return self._say(f"the MQTT broker at %s refuses: {reason}")
        self._said = ""
        log.info("connected to the MQTT broker at %s", self._server.host)
        self._report()

    def _disconnected(self, _client: Any, _data: Any, status: Any, *_: Any) -> None:
        if status != 0:
            self._say("the connection to the MQTT broker at %s is lost; trying again")

    def _say(self, text: str) -> None:
        if text != self._said:
            log.warning(text, self._server.host)
        self._said = text
