#!/usr/bin/env python3
"""Makes a baresip a provider of CallBroker; --help tells the options.

It attaches to the control port of baresip (module ctrl_tcp), starts one if it is to, reports what
happens there, and does there what the broker asks. The provider is registered exactly while baresip
runs.
"""
from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import Optional

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

import unread_tls  # isort:skip  (before asyncio)

import asyncio

from adapter import Adapter
from advice import answers_by_itself, refuse_public, refused, waiting
from app_adapter import FEATURES, Impossible, run
from callbroker import Provider
from ctrl_tcp import Refused, Silent
from launch import Launch, account_line
from leg import Memory
from options import arguments
from secret import secret
from sounds import Sounds

log = logging.getLogger("baresip_provider")

ATTACH_SECONDS = (0.1, 2.0)                     # between tries, the first and the longest


def provider(options: argparse.Namespace) -> Provider:
    """As which the broker gets to know baresip. It takes numbers if it has a gateway for them."""
    numbers = options.gateway is not None
    return Provider(
        options.identity, options.display_name, name="baresip_provider", socket=options.socket,
        features=FEATURES,
        handle_types=["generic", "phone"] if numbers else ["generic"],
        url_schemes=["sip", "sips", "tel"] if numbers else ["sip", "sips"], app_process="separate",
        kind="adapter", max_call_groups=options.calls, max_calls_per_group=1)


async def attached(adapter: Adapter, options: argparse.Namespace, launch: Launch) -> None:
    """Attaches, after starting it if it is to be. Raises Impossible."""
    delay, longest = ATTACH_SECONDS
    has_said = False
    while True:
        control = launch.control
        refuse_public(control)
        try:
            if options.control is None and not launch.is_ready():
                raise ConnectionRefusedError
            await adapter.attach(control)
            return
        except Silent:
            log.info("baresip hangs")
        except Refused as refusal:
            raise Impossible(refused(control, options.config, refusal)) from None
        except OSError as error:
            if options.start and launch.process is None and not launch.is_started:
                launch.start()
            elif not options.start and not has_said:
                has_said = True
                log.warning("%s", waiting(control, options.config, error))
            launch.check()
            await asyncio.sleep(delay)
            delay = delay if options.start else min(delay * 2, longest)


async def one_life(options: argparse.Namespace, memory: Memory, launch: Launch,
                   account: Optional[str]) -> bool:
    """From the first connection to baresip until it has gone for good; false if the broker wants no
    more."""
    adapter = Adapter(provider(options), memory, Sounds(options.endpoints), account,
                      options.gateway)
    await attached(adapter, options, launch)
    log.info("attached, %d calls", len(adapter.legs))
    for address in adapter.answering_accounts():
        log.warning("%s", answers_by_itself(address, options.config))
    is_gone = False
    try:
        is_gone = await adapter.serve()
    finally:
        if is_gone:
            launch.gone()
        elif not adapter.legs:
            launch.stop()                       # it has no call, and was started here
    return is_gone


def main() -> None:
    options = arguments()
    try:
        password = secret(options.password) if options.password else ""
    except Impossible as impossible:
        sys.exit(f"baresip_provider: {impossible}")
    account = account_line(options, password) if options.account else None
    memory, launch = Memory(options.memory, options.identity), Launch(options)
    run("baresip_provider", lambda: one_life(options, memory, launch, account), options.verbose)


if __name__ == "__main__":
    main()
