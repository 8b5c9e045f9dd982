"""The browser's side: native messaging with the extension, over standard input and output.

Each message is a length of four bytes in the machine's order, and JSON. The extension sends the
states of its tabs, the program orders for them, each of which is answered with `done`.
"""
from __future__ import annotations

import asyncio
import itertools
import json
import os
import struct
from typing import Any, AsyncIterator, Dict, Optional

MESSAGE_BYTES = 65_536                          # of the extension; 32 participants are below 50,000
LENGTH = struct.Struct("=I")


class Broken(Exception):
    """What came is no message of the extension."""


class Refused(Exception):
    """The page has not done what it was asked to do."""


def packed(message: Dict[str, Any]) -> bytes:
    """The bytes of a message."""
    text = json.dumps(message).encode("utf-8")
    return LENGTH.pack(len(text)) + text


class Browser:
    """The extension in one profile of a browser."""

    def __init__(self) -> None:
        self._reader: Optional[asyncio.StreamReader] = None
        self._output = -1
        self._numbers = itertools.count(1)
        self._orders: Dict[int, asyncio.Future[bool]] = {}

    async def connect(self) -> None:
        """Takes standard input and output; what is printed later goes to the error output."""
        loop = asyncio.get_running_loop()
        self._reader = asyncio.StreamReader(limit=2 * MESSAGE_BYTES)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self._reader),
                                     os.fdopen(os.dup(0), "rb", 0))
        self._output = os.dup(1)
        os.dup2(2, 1)

    async def message(self) -> Optional[Dict[str, Any]]:
        """The next message, None at the end of the browser. Raises Broken."""
        try:
            length, = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            if length > MESSAGE_BYTES:
                raise Broken(f"a message of {length} bytes; the longest may have {MESSAGE_BYTES}")
            text = await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            raise Broken("a message that is not JSON") from None
        if not isinstance(message, dict):
            raise Broken("a message that is no object")
        return message

    def greet(self) -> None:
        """Shows the extension that the program runs."""
        self._send({"ready": True})

    async def states(self) -> AsyncIterator[Dict[str, Any]]:
        """The states of tabs, until the browser ends."""
        while True:
            message = await self.message()
            if message is None:
                break
            if "done" in message:
                self._done(message)
            elif isinstance(message.get("tab"), int):
                yield message
        for order in self._orders.values():
            if not order.done():
                order.set_result(False)

    def _done(self, message: Dict[str, Any]) -> None:
        order = self._orders.get(message["done"]) if isinstance(message["done"], int) else None
        if order is not None and not order.done():
            order.set_result(message.get("ok") is True)

    async def order(self, tab: int, order: str, seconds: float, **details: Any) -> None:
        """Has a page do something: hold, resume, mute, unmute, end, answer, answer_video, decline,
        video_off and the other directions, and participant, with `details`. Raises Refused, and
        TimeoutError."""
        number = next(self._numbers)
        done = self._orders[number] = asyncio.get_running_loop().create_future()
        try:
            self._send({**details, "id": number, "tab": tab, "order": order})
            if not await asyncio.wait_for(done, seconds):
                raise Refused(f"the page did not {order}")
        finally:
            del self._orders[number]

    def _send(self, message: Dict[str, Any]) -> None:
        try:
            os.write(self._output, packed(message))
        except OSError as error:
            raise Refused(f"the browser does not take it: {error}") from None
