"""The topics at an MQTT broker to which servers push, and what arrives there."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Callable, Dict, Optional

from mqtt_connection import MqttConnection, MqttServer, check_topic, node_id
from push_gateway import Address

log = logging.getLogger("mqtt")

QUALITY = 1                                     # of service: at least once

# A message: the address, its bytes, the milliseconds that it is still good, if its sender says so,
# and whether it is one that the MQTT broker retains.
Receive = Callable[[Address, bytes, Optional[int], bool], None]


class Topics:
    """Subscribes to one topic for each address, in a session that the MQTT broker keeps while this
    host sleeps.

    Args:
        options: of the plugin.
        loop: `receive` is called in it.
    """

    def __init__(self, options: Dict[str, Any], loop: asyncio.AbstractEventLoop,
                 receive: Receive) -> None:
        node = node_id()
        place = node[len("callbroker_"):]
        self._prefix = str(options["topic"]) or f"callbroker/{place}/push"
        check_topic("topic", self._prefix)
        self._is_secret = bool(options["secret"])
        self._loop, self._receive = loop, receive
        self._addresses: Dict[str, Address] = {}        # by topic
        self._connection = MqttConnection(
            MqttServer.described(options), f"{node}_push", self._connected,
            session_seconds=int(options["session_seconds"]))
        self._client = self._connection.client
        self._client.on_message = self._arrived

    def topic(self, address: Address) -> str:
        """The topic of an address, with a secret of its own that survives this program."""
        topic = f"{self._prefix}/{address.provider}/{address.type}"
        if not self._is_secret:
            return topic
        if not isinstance(address.kept.get("secret"), str):
            import secrets                      # with all of OpenSSL
            address.kept["secret"] = secrets.token_urlsafe(20)
        return f"{topic}/{address.kept['secret']}"

    def add(self, address: Address) -> str:
        """Subscribes, now or as soon as there is a connection; returns the topic."""
        topic = self.topic(address)
        self._addresses = {**self._addresses, topic: address}   # the library's thread reads it
        if self._client.is_connected():
            self._subscribe(topic)
        return topic

    def remove(self, address: Address) -> None:
        """What comes there from now on is nobody's."""
        topic = self.topic(address)
        self._addresses = {each: known for each, known in self._addresses.items()
                           if each != topic}
        if self._client.is_connected():
            self._client.unsubscribe(topic)

    async def serve(self) -> None:
        """Connects, until it is cancelled."""
        self._connection.open()
        try:
            await asyncio.Event().wait()
        finally:
            self._connection.close()

    # -- In the thread of the library

    def _connected(self) -> None:
        for topic in self._addresses:
            self._subscribe(topic)

    def _subscribe(self, topic: str) -> None:
        from paho.mqtt.subscribeoptions import SubscribeOptions
        self._client.subscribe(topic, options=SubscribeOptions(
            QUALITY, retainAsPublished=True,
            retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND))

    def _arrived(self, _client: Any, _data: Any, message: Any) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:              # no topic of this program
            return
        address = self._addresses.get(topic)
        if address is None:
            # The session has it from a run in which an app still took pushes.
            self._client.unsubscribe(topic)
            return log.info("a push is for no app")
        seconds = getattr(message.properties, "MessageExpiryInterval", None)
        self._loop.call_soon_threadsafe(
            self._receive, address, bytes(message.payload),
            None if seconds is None else seconds * 1000, bool(message.retain))
