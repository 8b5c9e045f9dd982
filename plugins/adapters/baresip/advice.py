"""What keeps the program from a baresip, with the line of its configuration to change."""
from __future__ import annotations

import ipaddress
import os
import re
import sys
from pathlib import Path
from typing import List, Optional, Tuple

from app_adapter import Impossible
from options import Endpoint, is_loopback

MODULES = ("menu.so", "debug_cmd.so", "ctrl_tcp.so")
USUAL = "0.0.0.0:4444"                          # where it listens if nothing else is said
SOCKETS = {"/proc/net/tcp": 4, "/proc/net/tcp6": 16}    # with the bytes of an address
LISTENS = "0A"
BY_ITSELF = "answers calls by itself, before others are held: it should have answermode=manual"

Setting = Tuple[int, str, str]                  # number of the line, name, value


def settings(text: str) -> Tuple[List[Setting], List[Setting]]:
    """The lines that count, and those that would, were they no comments."""
    counting: List[Setting] = []
    comments: List[Setting] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.lstrip("# \t").partition("#")[0].split(None, 1)
        if len(words) == 2:
            found = comments if line.lstrip().startswith("#") else counting
            found.append((number, words[0], words[1].strip()))
    return counting, comments


def missing(module: str, comments: List[Setting]) -> str:
    for number, *setting in comments:
        if setting == ["module_app", module]:
            return f"{number}: take away the # before `module_app {module}`"
    return f" add the line `module_app {module}`"


def misplaced(control: Endpoint, counting: List[Setting]) -> Optional[str]:
    """Whether it listens somewhere else, or others than this host reach it there."""
    lines = [(number, value) for number, name, value in counting if name == "ctrl_tcp_listen"]
    number, value = lines[-1] if lines else (0, USUAL)
    host, _, port = value.rpartition(":")
    if not lines:
        return (f" add the line `ctrl_tcp_listen {control}`; without it that is {USUAL}, and "
                "whoever reaches this host controls its calls")
    if not is_loopback(host):
        return (f"{number}: `ctrl_tcp_listen {value}` lets whoever reaches this host control its "
                f"calls; it should be `ctrl_tcp_listen {control}`")
    if port == str(control.port) and is_loopback(control.host):
        return None
    return (f"{number}: `ctrl_tcp_listen {value}` should be `ctrl_tcp_listen {control}`; or "
            f"--control {value}, for a plugin callbroker plugin set baresip control {value}")


def public_addresses(port: int) -> List[str]:
    """The addresses beyond loopback at which something of this host listens on the port."""
    found = []
    for path, size in SOCKETS.items():
        try:
            lines = Path(path).read_text("ascii").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            _, local, _, state, *_ = line.split()
            words, _, its_port = local.partition(":")
            if state == LISTENS and int(its_port, 16) == port:
                address = ipaddress.ip_address(b"".join(
                    int(words[at:at + 8], 16).to_bytes(4, sys.byteorder)
                    for at in range(0, 2 * size, 8)))
                if not address.is_loopback:
                    found.append(str(address))
    return found


def refuse_public(control: Endpoint) -> None:
    """Raises Impossible if others than this host can control baresip, which asks for no
    password."""
    for address in public_addresses(control.port):
        raise Impossible(
            f"the control port listens on {address}, so whoever reaches this host controls its "
            f"calls: write `ctrl_tcp_listen {control}` into the config of baresip, and start it "
            "anew")


def answering(text: str) -> List[Tuple[int, str]]:
    """The numbers and the addresses of the accounts that answer by themselves."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        account = re.match(r"[^#]*<([^>;]+)[^>]*>.*;\s*answermode=(?!manual)\w", line)
        if account:
            found.append((number, account[1]))
    return found


def answers_by_itself(address: str, config: Path) -> str:
    """Said of an account that answers before anybody is asked, with the line to change."""
    for fault in accounts_faults(config.parent / "accounts"):
        if f": {address} " in fault:
            return fault
    return f"{address} {BY_ITSELF}"


def faults(text: str, control: Endpoint) -> List[str]:
    """What is wrong in a configuration, each behind the number of its line, if it has one."""
    counting, comments = settings(text)
    modules = [value for _, name, value in counting if name == "module_app"]
    found = [missing(module, comments) for module in MODULES if module not in modules]
    elsewhere = misplaced(control, counting)
    return found + ([elsewhere] if elsewhere else [])


def accounts_faults(accounts: Path) -> List[str]:
    """What is wrong in the accounts, which are another file of baresip's."""
    try:
        text = accounts.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [f"{accounts}:{number}: {address} {BY_ITSELF}" for number, address in answering(text)]


def advice(control: Endpoint, config: Path) -> str:
    """What to do so that a baresip answers there."""
    try:
        text = config.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return (f"start one whose control port is {control}, or let this program do it: --start, "
                "for a plugin callbroker plugin set baresip start true "
                f"({config} cannot be read)")
    lines = [f"{config}:{each}" for each in faults(text, control)]
    lines += accounts_faults(config.parent / "accounts")
    if not lines:
        return f"start baresip; {config} is as it should be"
    return "\n".join(["mend this, and start baresip anew:", *lines])


def waiting(control: Endpoint, config: Path, error: OSError) -> str:
    """Said while nobody answers there."""
    why = os.strerror(error.errno) if error.errno else str(error)
    return f"waiting for baresip at {control} ({why}); {advice(control, config)}"


def refused(control: Endpoint, config: Path, refusal: Exception) -> str:
    """Said when somebody does, and does not know the commands that are needed."""
    return (f"baresip at {control} does not take the command listcalls ({refusal}); "
            f"{advice(control, config)}")
