"""The sending of web hooks over HTTP/1.1: one request for each connection, again until it is
accepted or given up."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
import uuid
from dataclasses import dataclass
from typing import Dict, Optional

from happenings import Happening
from web_hook import WebHook

log = logging.getLogger("hooks")

REQUEST_SECONDS = 10.0                          # from the look-up of the host to the status
HEAD_BYTES = 16_384                             # of a response; its body is not read
AGAIN = frozenset((408, 425, 429))              # beside those from 500 on


@dataclass(frozen=True)
class Patience:
    """How often, and how long, a delivery is tried."""

    tries: int = 5
    first_delay: float = 1.0
    total: float = 300.0


class Rejected(Exception):
    """The other side refuses for good; another try would be answered alike."""


class NotNow(Exception):
    """Another try may succeed, after `seconds` if the other side has named a time."""

    def __init__(self, text: str, seconds: Optional[float] = None) -> None:
        super().__init__(text)
        self.seconds = seconds


async def deliver(name: str, hook: WebHook, happening: Happening, patience: Patience) -> None:
    """Sends one event under one id, and logs how that went."""
    try:
        tries = await asyncio.wait_for(
            send_until_accepted(name, hook, happening, patience), patience.total)
        log.info("%s has been delivered, at try %d", name, tries)
    except asyncio.TimeoutError:
        log.warning("%s is given up: not delivered within %g s", name, patience.total)
    except (Rejected, NotNow) as problem:
        log.warning("%s is given up: %s", name, problem)


async def send_until_accepted(name: str, hook: WebHook, happening: Happening,
                              patience: Patience) -> int:
    delivery, payload = str(uuid.uuid4()), hook.payload(happening)
    for number in range(1, patience.tries + 1):
        try:
            await send(hook, headers(hook, delivery, happening, payload), payload)
            return number
        except NotNow as problem:
            if number == patience.tries:
                raise
            log.info("%s, try %d: %s", name, number, problem)
            await asyncio.sleep(delay(number, problem, patience))
    raise Rejected("no try is allowed")


def delay(number: int, problem: NotNow, patience: Patience) -> float:
    """Doubles from try to try. Between half and one and a half of it, so that the hooks of many
    hosts do not come back together."""
    doubled = patience.first_delay * 2.0 ** (number - 1) * random.uniform(0.5, 1.5)
    return max(doubled, problem.seconds or 0.0)


def headers(hook: WebHook, delivery: str, happening: Happening, payload: bytes) -> Dict[str, str]:
    timestamp = str(int(time.time()))
    signature = hook.signature(delivery, timestamp, payload)
    host, port, is_secure = hook.address
    shown = f"[{host}]" if ":" in host else host
    return {
        "Host": shown if port == (443 if is_secure else 80) else f"{shown}:{port}",
        "User-Agent": "CallBroker-hooks/0.1", "Accept": "*/*", "Connection": "close",
        "Content-Type": "application/json", "Content-Length": str(len(payload)),
        "X-CallBroker-Event": happening.name, "X-CallBroker-Delivery": delivery,
        "X-CallBroker-Timestamp": timestamp,
        **({"X-CallBroker-Signature": signature} if signature else {})}


async def send(hook: WebHook, fields: Dict[str, str], payload: bytes) -> None:
    """One try. `NotNow` or `Rejected` unless the other side has accepted it."""
    import ssl                                  # a fifth of the memory, and not everybody has web hooks
    try:
        head = await asyncio.wait_for(exchange(hook, fields, payload), REQUEST_SECONDS)
    except ssl.SSLCertVerificationError as error:
        raise Rejected(f"the certificate is not valid: {error.verify_message}") from None
    except asyncio.TimeoutError:
        raise NotNow("no response in time") from None
    except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
        raise NotNow(f"no response ({getattr(error, 'strerror', None) or type(error).__name__})"
                     ) from None
    judge(head)


async def exchange(hook: WebHook, fields: Dict[str, str], payload: bytes) -> bytes:
    """The head of the response."""
    import ssl
    host, port, is_secure = hook.address
    context = ssl.create_default_context(cafile=hook.ca_file) if is_secure else None
    reader, writer = await asyncio.open_connection(host, port, ssl=context, limit=HEAD_BYTES)
    try:
        lines = [f"POST {hook.target} HTTP/1.1",
                 *(f"{key}: {text}" for key, text in fields.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + payload)
        with contextlib.suppress(ConnectionError):      # a refusal may come before all is sent
            await writer.drain()
        return await final_head(reader)
    finally:
        writer.transport.abort()                # nothing of the other side is waited for


async def final_head(reader: asyncio.StreamReader) -> bytes:
    """Passes over a few interim responses."""
    for _ in range(8):
        head = await reader.readuntil(b"\r\n\r\n")
        if not 100 <= status_of(head) < 200:
            return head
    raise ValueError("interim responses only")


def status_of(head: bytes) -> int:
    words = head.split(b"\r\n", 1)[0].split(b" ", 2)
    if len(words) < 2 or not words[0].startswith(b"HTTP/1.") or not words[1].isdigit():
        raise ValueError("no response of HTTP/1.1")
    return int(words[1])


def judge(head: bytes) -> None:
    try:
        status = status_of(head)
    except ValueError as error:
        raise NotNow(str(error)) from None
    if 200 <= status < 300:
        return
    if 300 <= status < 400:
        raise Rejected(f"status {status}: redirects are not followed; change the url")
    if status in AGAIN or 500 <= status < 600:
        raise NotNow(f"status {status}", retry_after(head))
    raise Rejected(f"status {status}")


def retry_after(head: bytes) -> Optional[float]:
    """Seconds, or a date; None if there is neither."""
    for line in head.decode("latin-1").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        if name.strip().lower() == "retry-after":
            return seconds_until(value.strip())
    return None


def seconds_until(value: str) -> Optional[float]:
    if value.isascii() and value.isdigit():
        return float(value[:9])
    import email.utils
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except (TypeError, ValueError, OverflowError):
        return None
