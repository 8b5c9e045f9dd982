"""What can be said on the command line, or set for the plugin."""
from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import List, NamedTuple, Optional

from callbroker import plugin_options
from sounds import FORM, sounds

SETTABLE = ("control", "start", "address", "user", "rtp", "sound", "endpoints")  # those of the manifest


class Endpoint(NamedTuple):
    """An address of TCP."""
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def endpoint(text: str) -> Endpoint:
    """Reads HOST:PORT."""
    host, _, port = text.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise argparse.ArgumentTypeError(
            f"expected HOST:PORT such as 127.0.0.1:4444, found {text!r}; for a plugin that is "
            "its option control, or BARESIP_CONTROL")
    return Endpoint(host, int(port))


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(description="Makes a baresip a provider of CallBroker.")
    parser.add_argument("--control", metavar="HOST:PORT", type=endpoint,
                        default=os.environ.get("BARESIP_CONTROL") or "127.0.0.1:4444",
                        help="the address of its module ctrl_tcp (127.0.0.1:4444)")
    parser.add_argument("--config", type=Path, default=Path("~/.baresip/config").expanduser(),
                        help="of a baresip that is attached to, to say what is wrong in it "
                        "(~/.baresip/config)")
    parser.add_argument("--identity", default="org.callbroker.baresip", help="of this provider")
    parser.add_argument("--display-name", default="baresip", help="for people")
    parser.add_argument("--socket", help="of the broker")
    parser.add_argument("--calls", type=int, default=4, help="call_max_calls of its configuration")
    parser.add_argument("--memory", type=Path, help="where to keep which call is which")
    parser.add_argument("--verbose", action="store_true", help="say what is going on")
    parser.add_argument("--endpoint", metavar="KIND=MODULE,DEVICE", action="append", default=[],
                        dest="endpoints", help="an audio device that the user may choose during "
                        f"calls, and after a semicolon its microphone ({FORM}); may be repeated")
    start = parser.add_argument_group("starting it")
    start.add_argument("--start", action="store_true", help="start it when it does not run")
    start.add_argument("--address", default="127.0.0.1:5060",
                       help="where it takes calls (127.0.0.1:5060); the port after it is for TLS")
    start.add_argument("--user", default="baresip", help="its name in SIP (baresip)")
    start.add_argument("--rtp", default="10000-10099", help="ports for sound (10000-10099)")
    start.add_argument("--sound", default="alsa,default",
                       help="module and device (alsa,default), or tone: instead of a microphone")
    start.add_argument("--folder", type=Path, help="for its files")
    parser.set_defaults(**{name: value for name, value in plugin_options().items()
                           if name in SETTABLE})
    options = parser.parse_args(given)
    try:
        options.endpoints = sounds(options.endpoints)
    except ValueError as error:
        parser.error(f"--endpoint: {error}")
    folder = Path(state, "callbroker-baresip")
    options.memory = options.memory or folder / (options.identity + ".json")
    options.folder = options.folder or folder / options.identity
    return options
