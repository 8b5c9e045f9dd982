"""What can be said on the command line, or set for the plugin."""
from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import List, Optional

from callbroker import plugin_options

SETTABLE = ("power", "modem")                   # those of the manifest


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(
        description="Makes the calls of a cellular modem a provider of CallBroker.")
    parser.add_argument("--modem", help="its path, such as /phonesim (the first that has calls)")
    parser.add_argument("--power", action="store_true", help="switch it on, and into the network")
    parser.add_argument("--bus", help="address of the bus with ofono (the system's)")
    parser.add_argument("--identity", default="org.callbroker.ofono", help="of this provider")
    parser.add_argument("--display-name", default="Cellular", help="for people")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--memory", type=Path, help="where to keep which call is which")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    parser.set_defaults(**{name: value for name, value in plugin_options().items()
                           if name in SETTABLE})
    options = parser.parse_args(given)
    options.memory = options.memory or Path(state, "callbroker-ofono", options.identity + ".json")
    return options
