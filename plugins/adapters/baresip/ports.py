"""The ports of a baresip that is started here: those that were chosen, else some that are free."""
from __future__ import annotations

import random
import socket
from typing import NamedTuple, Optional

FIRST, LAST, SIZE = 16_384, 32_768, 64          # below those that the kernel gives away
USUAL = 5_060                                   # of SIP, where callers look without a port
TRIES = 64


class Ports(NamedTuple):
    """Where a baresip listens: `sip` for UDP and TCP, with TLS on the port after it; `control` on
    loopback; `rtp` for sound, FIRST-LAST."""
    sip: int
    control: int
    rtp: str


def is_free(host: str, port: int) -> bool:
    """Whether nobody has the port of that address, neither for UDP nor for TCP."""
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_INET, kind) as probe:
            if kind == socket.SOCK_STREAM:      # as baresip does, which takes what lies idle
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                return False
    return True


def free_ports(host: str, sip: Optional[int], control: Optional[int], rtp: Optional[str],
               former: Optional[Ports] = None) -> Ports:
    """Those that are given, and for each that is not the former one or a free one. Another program
    may take a free one before baresip does: then this is asked again."""
    if former is not None and all(is_free(host, port) for port in (former.sip, former.sip + 1)) \
            and is_free("127.0.0.1", former.control):
        return Ports(sip or former.sip, control or former.control, rtp or former.rtp)
    first = _free_block(host)
    usual = USUAL if is_free(host, USUAL) and is_free(host, USUAL + 1) else first
    return Ports(sip or usual, control or first + 3, rtp or f"{first + 4}-{first + SIZE - 1}")


def _free_block(host: str) -> int:
    for _ in range(TRIES):
        first = random.randrange(FIRST, LAST - SIZE, SIZE)
        if all(is_free(host, first + offset) for offset in (0, 1)) \
                and is_free("127.0.0.1", first + 3):
            break
    return first
