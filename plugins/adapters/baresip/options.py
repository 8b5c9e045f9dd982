"""What can be said on the command line, or set for the plugin."""
from __future__ import annotations

import argparse
import ipaddress
import os
import re
from pathlib import Path
from typing import List, NamedTuple, Optional, Tuple

from callbroker import plugin_options
from secret import FORM as FORM_OF_SECRET
from sounds import FORM, sounds

SETTABLE = ("control", "start", "address", "user", "rtp", "sound", "endpoints",
            "account", "password", "auth_user", "registrar", "transport", "outbound_proxy", "stun",
            "gateway")                          # those of the manifest
TRANSPORTS = ("udp", "tcp", "tls")
USUAL_CONTROL = "127.0.0.1:4444"


class Endpoint(NamedTuple):
    """An address of TCP."""
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def is_loopback(host: str) -> bool:
    """Whether only this host reaches it."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def endpoint(text: str) -> Endpoint:
    """Reads HOST:PORT of a control port, which has no password."""
    host, _, port = text.rpartition(":")
    if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise argparse.ArgumentTypeError(
            f"expected HOST:PORT such as 127.0.0.1:4444, found {text!r}; for a plugin that is "
            "its option control, or BARESIP_CONTROL")
    if not is_loopback(host):
        raise argparse.ArgumentTypeError(
            f"{host} is not this host alone, and whoever reaches a control port controls the "
            "calls: let baresip listen on 127.0.0.1")
    return Endpoint(host, int(port))


def place(text: str) -> Tuple[str, Optional[int]]:
    """Reads HOST or HOST:PORT."""
    found = re.fullmatch(r"([A-Za-z0-9._-]+)(?::(\d{1,5}))?", text)
    if found is None or not 0 < int(found[2] or 1) < 65_535:
        raise argparse.ArgumentTypeError(
            f"expected HOST or HOST:PORT such as 192.0.2.7:5060, found {text!r}")
    return found[1], int(found[2]) if found[2] else None


def server(text: str) -> str:
    """Reads the HOST or HOST:PORT of a server, which may be written as a SIP address."""
    bare = re.sub("^(sips?|stun):", "", text)
    place(bare)
    return bare


def account(text: str) -> str:
    """Reads the address of an account: sip:USER@DOMAIN[:PORT]."""
    address = text if text.startswith("sip:") else "sip:" + text
    if not re.fullmatch(r"sip:[^\s@;<>\"\x00-\x1f\x7f]+@[A-Za-z0-9._-]+(:\d{1,5})?", address):
        raise argparse.ArgumentTypeError(
            f"expected an address such as sip:me@example.org, found {text!r}")
    return address


def arguments(given: Optional[List[str]] = None) -> argparse.Namespace:
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(description="Makes a baresip a provider of CallBroker.")
    add_provider(parser)
    add_start(parser)
    add_account(parser)
    parser.set_defaults(**{name: value for name, value in plugin_options().items()
                           if name in SETTABLE})
    options = parser.parse_args(given)
    check(parser, options)
    options.start = options.start or options.account is not None
    if not options.start and options.control is None:
        options.control = endpoint(USUAL_CONTROL)
    folder = Path(state, "callbroker-baresip")
    options.memory = options.memory or folder / (options.identity + ".json")
    options.folder = options.folder or folder / options.identity
    return options


def check(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Ends the program if the options do not fit."""
    try:
        options.endpoints = sounds(options.endpoints)
    except ValueError as error:
        parser.error(f"--endpoint: {error}")
    if options.transport not in TRANSPORTS:     # a plugin's user may set anything
        parser.error(f"--transport: expected {', '.join(TRANSPORTS)}, "
                     f"found {options.transport!r}")
    if options.registrar and options.outbound_proxy:
        parser.error("--registrar: baresip sends its registrations through the outbound proxy to "
                     "the domain of the account; leave one of the two out")


def add_provider(parser: argparse.ArgumentParser) -> None:
    """The options of the provider, and of a baresip that is attached to."""
    parser.add_argument("--control", metavar="HOST:PORT", type=endpoint,
                        default=os.environ.get("BARESIP_CONTROL") or None,
                        help=f"the address of its module ctrl_tcp ({USUAL_CONTROL}; a free port "
                        "for one that is started)")
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
    parser.add_argument("--gateway", metavar="sip:HOST[:PORT]", type=server,
                        help="to which numbers are dialed; without one baresip takes none")


def add_start(parser: argparse.ArgumentParser) -> None:
    """The options of a baresip that is started."""
    start = parser.add_argument_group("starting it")
    start.add_argument("--start", action="store_true", help="start it when it does not run")
    start.add_argument("--address", metavar="HOST[:PORT]", type=place, default="127.0.0.1",
                       help="where it takes calls (127.0.0.1: of this host alone; 0.0.0.0: of all "
                       "networks; port 5060, or a free one); the port after it is for TLS")
    start.add_argument("--user", default="baresip", help="its name in SIP (baresip)")
    start.add_argument("--rtp", metavar="FIRST-LAST", help="ports for sound (free ones)")
    start.add_argument("--sound", default="alsa,default",
                       help="module and device (alsa,default), or tone: instead of a microphone")
    start.add_argument("--folder", type=Path, help="for its files")


def add_account(parser: argparse.ArgumentParser) -> None:
    """The options of the account of a baresip that is started."""
    group = parser.add_argument_group("the account with which it is started")
    group.add_argument("--account", metavar="sip:USER@DOMAIN", type=account,
                       help="registers it; it is started")
    group.add_argument("--password", metavar="FROM",
                       help=f"where its password is: {FORM_OF_SECRET}")
    group.add_argument("--auth-user", metavar="NAME", help="its name for the password (USER)")
    group.add_argument("--registrar", metavar="HOST[:PORT]", type=server,
                       help="where it is registered (DOMAIN)")
    group.add_argument("--transport", choices=TRANSPORTS, default="udp", help="(udp)")
    group.add_argument("--outbound-proxy", metavar="HOST[:PORT]", type=server,
                       help="through which all its requests go")
    group.add_argument("--stun", metavar="HOST[:PORT]", type=server,
                       help="a server that reports the public address, for calls behind a router")
