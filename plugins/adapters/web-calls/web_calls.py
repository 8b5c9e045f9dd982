#!/usr/bin/env python3
"""Makes the calls of web pages calls of CallBroker; --help tells the options.

The browser starts it as the native host of the extension in extension/, one process for each
profile that has pages with calls. It is the provider of them, and ends with the browser.
"""
from __future__ import annotations

import argparse
import logging
import os
import re
import signal
import socket
import sys
import uuid
from pathlib import Path
from typing import List, Tuple

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

from adapter import Adapter
from app_adapter import FEATURES
from browser import Broken, Browser, Refused
from callbroker import BrokerError, Client, Provider, default_socket
from installing import install, install_extension, uninstall, uninstall_extension

CALLS = 8                                       # of one browser at a time
PROFILES = 16
PLACES = uuid.UUID("0b3b7a5c-5d4e-4a8e-9a52-5f0f3a7c6e11")      # names the sockets of profiles


def number_of_profile(browser: str) -> Tuple[int, socket.socket]:
    """The lowest number that no other profile of the browser has at the same broker, and the socket
    that stands for it: a program that the browser starts again has the number of the one before."""
    mark = socket.socket(socket.AF_UNIX)
    place = f"{os.getuid()} {browser} {os.path.realpath(default_socket())}"
    for number in range(1, PROFILES):
        try:
            mark.bind("\0callbroker-web-calls-" + str(uuid.uuid5(PLACES, f"{place} {number}")))
            return number, mark
        except OSError:
            continue
    return os.getpid(), mark


def provider(name: str, number: int) -> Provider:
    """As which the broker gets to know the browser."""
    suffix = "" if number == 1 else f".{number}"
    word = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return Provider(
        f"org.callbroker.web-calls.{word}{suffix}", name if number == 1 else f"{name} {number}",
        name="web_calls", features=FEATURES, handle_types=["generic"], app_process="separate",
        kind="adapter", supports_video=True,
        max_call_groups=CALLS, max_calls_per_group=1)


def name_of(message: object) -> str:
    """The browser's name as the extension gives it. Raises Broken."""
    name = message.get("browser") if isinstance(message, dict) else None
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9 ]{0,31}", name):
        raise Broken("the first message does not name the browser")
    return name


async def serve() -> None:
    """Is the provider until the browser ends."""
    browser = Browser()
    await browser.connect()
    message = await browser.message()
    if message is None:
        return
    name = name_of(message)
    browser.greet()
    number, mark = number_of_profile(name.lower())
    with mark:
        task = asyncio.current_task()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        await Adapter(provider(name, number), browser).serve()


def run_as_host() -> None:
    """Serves a browser, which has started this program."""
    try:
        asyncio.run(serve())
    except (KeyboardInterrupt, asyncio.CancelledError):
        pass
    except (Broken, BrokerError, Refused) as error:
        sys.exit(f"web_calls: {error}")


def run_as_plugin(path: str) -> None:
    """Installs the native hosts for a broker that has started this program, and ends."""
    with Client("web_calls", identity="org.callbroker.web-calls", socket=path) as client:
        client.log("info", "installed", browsers=len(install(Path.home())))


def report(lines: List[str], otherwise: str) -> None:
    """What was done, for people."""
    print("\n".join(lines) or otherwise)


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Makes the calls of web pages calls of CallBroker. Browsers start it with the "
        "origin of the extension.")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--install", action="store_true",
                        help="let this user's Chromium, Chrome and Firefox start this program")
    choice.add_argument("--plugin", action="store_true", help="the same, for the broker")
    choice.add_argument("--uninstall", action="store_true", help="no longer")
    choice.add_argument("--install-extension", action="store_true",
                        help="have Debian's Chromium and Firefox load the extension, for all users "
                        "(as root)")
    choice.add_argument("--uninstall-extension", action="store_true", help="no longer")
    parser.add_argument("--socket", default=default_socket(), help="of the broker, for --plugin")
    logging.basicConfig(format="%(name)s: %(message)s")
    if len(sys.argv) > 1 and not sys.argv[1].startswith("--"):
        return run_as_host()                    # Chromium and Firefox have arguments of their own
    options = parser.parse_args()
    try:
        if options.install:
            report(install(Path.home()), "")
        elif options.plugin:
            run_as_plugin(options.socket)
        elif options.uninstall:
            report(uninstall(Path.home()), "nothing was installed")
        elif options.install_extension:
            report(install_extension(), "")
        elif options.uninstall_extension:
            report(uninstall_extension(), "nothing was installed")
    except OSError as error:
        sys.exit(f"web_calls: {error}")


if __name__ == "__main__":
    main()
