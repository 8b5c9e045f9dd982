"""The topics at an MQTT broker to which servers push, and what arrives there."""
from __future__ import annotations

import asyncio
import logging
from typing import Any, Callable, Dict, Optional

from mqtt_connection import MqttConnection, MqttServer, check_topic, node_id
from push_gateway import Address

log = logging.getLogger("mqtt")

QUALITY = 1                                     # of service: at least once
REFUSED = 0x80                                  # the first reason code of a failure (MQTT 5, 2.4)

# A message: the address, its bytes, the milliseconds that it is still good, if its sender says so,
# and whether it is one that the MQTT broker retains.
Receive = Callable[[Address, bytes, Optional[int], bool], None]
# An address, and its topic, to which the MQTT broker has subscribed it; None if it refuses that.
Confirm = Callable[[Address, Optional[str]], None]


class Topics:
    """Subscribes to one topic for each address, in a session that the MQTT broker keeps while this
    host sleeps.

    Args:
        options: of the plugin.
        loop: `receive` and `confirm` are called in it.
    """

    def __init__(self, options: Dict[str, Any], loop: asyncio.AbstractEventLoop,
                 receive: Receive, confirm: Confirm) -> None:
        node = node_id()
        place = node[len("callbroker_"):]
        self._prefix = str(options["topic"]) or f"callbroker/{place}/push"
        check_topic("topic", self._prefix)
        self._is_secret = bool(options["secret"])
        self._loop, self._receive, self._confirm = loop, receive, confirm
        self._addresses: Dict[str, Address] = {}        # by topic
        self._asked: Dict[int, str] = {}                # topics by the ids of subscriptions
        self._connection = MqttConnection(
            MqttServer.described(options), f"{node}_push", self._connected,
            session_seconds=int(options["session_seconds"]))
        self._client = self._connection.client
        self._client.on_message, self._client.on_subscribe = self._arrived, self._answered

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

    def _subscribe(self, topic: str) -> None:
        from paho.mqtt.subscribeoptions import SubscribeOptions
        _, number = self._client.subscribe(topic, options=SubscribeOptions(
            QUALITY, retainAsPublished=True,
            retainHandling=SubscribeOptions.RETAIN_DO_NOT_SEND))
        self._asked[number] = topic

    def _settle(self, number: int, refusal: Optional[str]) -> None:
        """In the loop, where the number of a subscription is known before its answer."""
        topic = self._asked.pop(number, "")
        address = self._addresses.get(topic)
        if address is None:                     # an app that takes no pushes any more
            return
        if refusal:
            log.warning("the MQTT broker refuses the topic of %s (%s): the app gets no address",
                        address.provider, refusal)
        self._confirm(address, None if refusal else topic)

    # -- In the thread of the library

    def _connected(self) -> None:
        self._asked = {}                        # nothing is answered over another connection
        for topic in self._addresses:
            self._subscribe(topic)

    def _answered(self, _client: Any, _data: Any, number: int, codes: Any, *_: Any) -> None:
        refusal = next((str(code) for code in codes if code.value >= REFUSED), None)
        self._loop.call_soon_threadsafe(self._settle, number, refusal)

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
