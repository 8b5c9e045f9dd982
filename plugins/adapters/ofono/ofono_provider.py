#!/usr/bin/python3
"""Makes the calls of a modem, or of a mobile phone over Bluetooth, a provider of CallBroker.

    ofono_provider.py [--service NAMES] [--modem PATH] [--power] [--bus ADDRESS] [--identity NAME]
                      [--display-name TEXT] [--socket PATH] [--memory FILE] [--verbose]

It attaches to ofonod, to ModemManager, or to PipeWire's Bluetooth telephony, or to several of them.
The provider of each is registered exactly while there is a modem that can make calls. The
interpreter is Debian's, whose package python3-dbus-fast is needed.
"""
from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import Dict, Type

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

try:
    from modem_manager import ModemManager
    from ofono import Ofono, PipeWire
except ImportError as error:
    sys.exit(f"ofono_provider: {error}; install python3-dbus-fast, and run this with "
             "/usr/bin/python3")
from adapter import Adapter
from app_adapter import FEATURES, run
from callbroker import Provider
from options import arguments, life_options
from service import Refused, Service
from voice import Memory
from waiting import Said, failed

log = logging.getLogger("ofono_provider")

ATTACH_SECONDS = (0.1, 2.0)                     # between tries, the first and the longest
SERVICES: Dict[str, Type[Service]] = {"ofono": Ofono, "pipewire": PipeWire,
                                      "modemmanager": ModemManager}


async def found(options: argparse.Namespace, memory: Memory) -> Adapter:
    """Finds a modem that can make calls, however long that takes."""
    delay, longest = ATTACH_SECONDS
    service, said = SERVICES[options.service], Said()
    while True:
        provider = Provider(
            options.identity, options.display_name or service.display_name, name="ofono_provider",
            socket=options.socket, features=FEATURES, handle_types=["phone"], url_schemes=["tel"],
            app_process="separate", kind="modem", max_call_groups=2, max_calls_per_group=5)
        adapter = Adapter(provider, service, memory, said)
        try:
            await adapter.attach(options.bus, options.modem, options.power)
            return adapter
        except (OSError, Refused, asyncio.TimeoutError) as error:
            said.say(failed(adapter.service, error))
            adapter.close()
            await asyncio.sleep(delay)
            delay = min(delay * 2, longest)


async def lives(options: argparse.Namespace) -> None:
    """The lives of one service's modems, from finding each until it has gone, as long as the broker
    wants them."""
    memory, is_wanted = Memory(options.memory), True
    while is_wanted:
        adapter = await found(options, memory)
        log.info("attached, %d calls", len(adapter.legs))
        is_wanted = await adapter.serve()


async def all_lives(options: argparse.Namespace) -> bool:
    """Each service is a provider of its own. False when the broker wants none any more."""
    await asyncio.gather(*[lives(each) for each in life_options(options)])
    return False


def main() -> None:
    options = arguments(SERVICES)
    run("ofono_provider", lambda: all_lives(options), options.verbose)


if __name__ == "__main__":
    main()
