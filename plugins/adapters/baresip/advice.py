"""What keeps the program from a baresip, with the line of its configuration to change."""
from __future__ import annotations

import os
from pathlib import Path
from typing import List, Optional, Tuple

from options import Endpoint

MODULES = ("menu.so", "debug_cmd.so", "ctrl_tcp.so")
USUAL = "0.0.0.0:4444"                          # where it listens if nothing else is said
EVERYWHERE = ("0.0.0.0", "::", "[::]")

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
    """Whether it listens somewhere else."""
    lines = [(number, value) for number, name, value in counting if name == "ctrl_tcp_listen"]
    number, value = lines[-1] if lines else (0, USUAL)
    host, _, port = value.rpartition(":")
    looked_for = "127.0.0.1" if control.host == "localhost" else control.host
    if port == str(control.port) and host in (looked_for, *EVERYWHERE):
        return None
    if not lines:
        return f" add the line `ctrl_tcp_listen {control}`; without it that is {USUAL}"
    return (f"{number}: `ctrl_tcp_listen {value}` should be `ctrl_tcp_listen {control}`; or "
            f"--control {value}, for a plugin callbroker plugin set baresip control {value}")


def faults(text: str, control: Endpoint) -> List[str]:
    """What is wrong in a configuration, each behind the number of its line, if it has one."""
    counting, comments = settings(text)
    modules = [value for _, name, value in counting if name == "module_app"]
    found = [missing(module, comments) for module in MODULES if module not in modules]
    elsewhere = misplaced(control, counting)
    return found + ([elsewhere] if elsewhere else [])


def advice(control: Endpoint, config: Path) -> str:
    """What to do so that a baresip answers there."""
    try:
        text = config.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return (f"start one whose control port is {control}, or let this program do it: --start, "
                "for a plugin callbroker plugin set baresip start true "
                f"({config} cannot be read)")
    wrong = faults(text, control)
    if not wrong:
        return f"start baresip; {config} is as it should be"
    lines = [f"{config}:{each}" for each in wrong]
    return "\n".join(["mend this, and start baresip anew:", *lines])


def waiting(control: Endpoint, config: Path, error: OSError) -> str:
    """Said while nobody answers there."""
    why = os.strerror(error.errno) if error.errno else str(error)
    return f"waiting for baresip at {control} ({why}); {advice(control, config)}"


def refused(control: Endpoint, config: Path, refusal: Exception) -> str:
    """Said when somebody does, and does not know the commands that are needed."""
    return (f"baresip at {control} does not take the command listcalls ({refusal}); "
            f"{advice(control, config)}")
