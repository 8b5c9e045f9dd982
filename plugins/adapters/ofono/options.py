"""What can be said on the command line, or set for the plugin."""
from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Collection, List, Optional

from callbroker import plugin_options

SETTABLE = ("power", "modem", "service")        # those of the manifest


def arguments(services: Collection[str], given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(
        description="Makes the calls of a modem, or of a mobile phone, a provider of CallBroker.")
    parser.add_argument("--service", default="ofono", metavar="NAMES",
                        help=f"{', '.join(services)}; several, with commas, are a provider each")
    parser.add_argument("--modem", help="its path, such as /phonesim (the first that has calls)")
    parser.add_argument("--power", action="store_true", help="switch it on, and into the network")
    parser.add_argument("--bus", help="address of the bus with the service")
    parser.add_argument("--identity", default="org.callbroker.ofono", help="of this provider")
    parser.add_argument("--display-name", help="for people (Cellular, or Mobile phone)")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--memory", type=Path, help="where to keep which call is which")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    parser.set_defaults(**{name: value for name, value in plugin_options().items()
                           if name in SETTABLE})
    options = parser.parse_args(given)
    options.services = [each.strip() for each in options.service.split(",")]
    for each in options.services:
        if each not in services:
            parser.error(f"there is no service {each!r}, but {', '.join(services)}")
    options.memory = options.memory or Path(state, "callbroker-ofono", options.identity + ".json")
    return options


def life_options(options: argparse.Namespace) -> List[argparse.Namespace]:
    """Those of each service. The first has the identity as it is, others with their name behind
    it."""
    first, *others = [argparse.Namespace(**{**vars(options), "service": each})
                      for each in options.services]
    for each in others:
        each.identity = f"{options.identity}.{each.service}"
        each.memory = options.memory.with_name(each.identity + ".json")
    return [first, *others]
