#!/usr/bin/python3
"""Delivers pushes of UnifiedPush to the apps of this host, which it starts.

    unifiedpush.py [--option NAME=VALUE]... [--state FILE] [--socket PATH] [--verbose]
"""
from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import settings
from callbroker import run_program
from connector import Connector
from push_gateway import Address, PushGateway, check_options, gateway_options, idle

log = logging.getLogger("unifiedpush")

IDENTITY = "org.callbroker.unifiedpush"
MESSAGE_BYTES = 4_096
OPTIONS: Dict[str, Any] = gateway_options({"distributor": "", "encrypted": True, "vapid": []})


class Program:
    """The distributor on one side, the broker on the other."""

    def __init__(self, options: Dict[str, Any], arguments: argparse.Namespace) -> None:
        self._is_encrypted = bool(options["encrypted"])
        self._connector = Connector(options["distributor"], read_vapid(options["vapid"]),
                                    arguments.retry, self._changed, self._receive)
        self._gateway = PushGateway(
            "unifiedpush", arguments.state, options, self._open, self._connector.remove,
            identity=IDENTITY, socket=arguments.socket)

    async def serve(self) -> None:
        """Until SIGTERM, Ctrl-C, or the broker's goodbye for good."""
        await self._gateway.serve_beside(self._connector.serve())

    def _open(self, address: Address) -> Optional[str]:
        from web_push import Keys               # a third of the memory, when an app gets pushes
        try:
            Keys.restored(address.kept["keys"])
        except (KeyError, TypeError, ValueError):       # a new one, or damaged
            address.kept["keys"] = Keys.made().kept()
        self._connector.add(address)
        return self._token(address)

    def _changed(self, address: Address) -> None:
        """The app gets its endpoint; with it, for its server, the keys, as a `PushSubscription`."""
        self._gateway.save()
        self._gateway.set_token(address, self._token(address))

    def _token(self, address: Address) -> Optional[str]:
        endpoint = address.kept.get("endpoint")
        if endpoint is None or not self._is_encrypted:
            return endpoint
        from web_push import Keys
        keys = Keys.restored(address.kept["keys"]).published()
        return json.dumps({"endpoint": endpoint, "keys": keys}, separators=(",", ":"))

    async def _receive(self, address: Address, message: bytes) -> None:
        if not 1 <= len(message) <= MESSAGE_BYTES:
            return self._gateway.refuse(address, f"it has not 1 to {MESSAGE_BYTES} bytes")
        if self._is_encrypted:
            from web_push import Keys, Undecipherable
            try:
                message = Keys.restored(address.kept["keys"]).decrypt(message)
            except Undecipherable as problem:
                return self._gateway.refuse(address, str(problem))
        await self._gateway.deliver(address, message)


def read_vapid(given: List[str]) -> Dict[str, str]:
    """The keys of IDENTITY=KEY, by identity. `ValueError` for what is no key."""
    keys: Dict[str, str] = {}
    for each in given:
        identity, _, key = each.partition("=")
        if not identity or not is_public_key(key):
            raise ValueError("vapid needs IDENTITY=KEY, a public key of P-256 in base64 for URLs")
        keys[identity] = key
    return keys


def is_public_key(text: str) -> bool:
    from web_push import PUBLIC_BYTES, decoded
    try:
        return len(decoded(text)) == PUBLIC_BYTES
    except ValueError:
        return False


async def serve(arguments: argparse.Namespace) -> None:
    """Serves; or, where that cannot be, waits for other options."""
    chosen = settings.chosen(OPTIONS, arguments)
    try:
        check_options(chosen)
        program = Program(chosen, arguments)
    except ValueError as problem:
        log.warning("no pushes: %s", problem)
    else:
        return await program.serve()
    await idle("unifiedpush", IDENTITY, arguments.socket)


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Delivers pushes of UnifiedPush to the apps of this host.")
    settings.add_option(parser, OPTIONS)
    parser.add_argument("--state", type=Path, default=settings.state_file("unifiedpush"),
                        metavar="FILE", help="where addresses are remembered "
                        "(~/.local/state/callbroker-unifiedpush.json)")
    parser.add_argument("--retry", type=float, default=5.0, metavar="SECONDS",
                        help="before a failed registration is tried again; it doubles (5)")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    return parser.parse_args(given)


def main() -> int:
    options = arguments()
    return run_program("unifiedpush", lambda: serve(options), options.verbose)


if __name__ == "__main__":
    sys.exit(main())
