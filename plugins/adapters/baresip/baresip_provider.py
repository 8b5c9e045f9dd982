#!/usr/bin/env python3
"""Makes a baresip a provider of CallBroker; --help tells the options.

It attaches to the control port of baresip (module ctrl_tcp), starts one if it is to, reports what
happens there, and does there what the broker asks. The provider is registered exactly while baresip
runs.
"""
from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The library is beside this folder where it is installed, and in another one in the sources.
sys.path[:0] = [str(HERE), str(HERE.parent / "python"), str(HERE.parent.parent / "sdk" / "python")]

from adapter import Adapter
from advice import refused, waiting
from app_adapter import FEATURES, Impossible, run
from callbroker import Provider
from ctrl_tcp import Refused
from launch import Launch
from leg import Memory
from options import arguments
from sounds import Sounds

log = logging.getLogger("baresip_provider")

ATTACH_SECONDS = (0.1, 2.0)                     # between tries, the first and the longest


def provider(options: argparse.Namespace) -> Provider:
    """As which the broker gets to know baresip."""
    return Provider(
        options.identity, options.display_name, name="baresip_provider", socket=options.socket,
        features=FEATURES,
        handle_types=["generic", "phone"], url_schemes=["sip", "sips"], app_process="separate",
        kind="adapter", max_call_groups=options.calls, max_calls_per_group=1)


async def attached(adapter: Adapter, options: argparse.Namespace, launch: Launch) -> None:
    """Attaches, after starting it if it is to be. Raises Impossible."""
    delay, longest = ATTACH_SECONDS
    has_said = False
    while True:
        try:
            await adapter.attach()
            return
        except Refused as refusal:
            raise Impossible(refused(options.control, options.config, refusal)) from None
        except OSError as error:
            if options.start and not launch.is_started:
                launch.start()
            elif not options.start and not has_said:
                has_said = True
                log.warning("%s", waiting(options.control, options.config, error))
            launch.check()
            await asyncio.sleep(delay)
            delay = delay if options.start else min(delay * 2, longest)


async def one_life(options: argparse.Namespace, memory: Memory, launch: Launch) -> None:
    """From the first connection to baresip until it has gone for good."""
    adapter = Adapter(provider(options), memory, options.control, Sounds(options.endpoints))
    await attached(adapter, options, launch)
    log.info("attached, %d calls", len(adapter.legs))
    try:
        if await adapter.serve():
            launch.gone()
    except asyncio.CancelledError:
        if not adapter.legs:
            launch.stop()                       # it has no call, and was started here
        raise


def main() -> None:
    options = arguments()
    memory, launch = Memory(options.memory, options.identity), Launch(options)
    run("baresip_provider", lambda: one_life(options, memory, launch), options.verbose)


if __name__ == "__main__":
    main()
